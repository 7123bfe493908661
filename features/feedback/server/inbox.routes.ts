import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import * as z from 'zod/mini';
import * as changing from '#features/feedback/contract/change-reports.ts';
import * as conversation from '#features/feedback/contract/conversation.ts';
import * as inbox from '#features/feedback/contract/inbox.ts';
import type { AnswerOf, BodyOf } from '#contract/route.ts';
import type { Core } from '#server/core.ts';
import type { Change, Database, Reader } from '#server/platform/database/database.ts';
import { jsonCursor } from '#server/platform/http/cursor.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { changeReportAt } from './change-report.ts';
import { addNote, editNote, removeNote, reply } from './conversation.ts';
import { deleteReport } from './erase-from-reports.ts';
import { readReport } from './read-report.ts';
import { exportReports } from './report-export.ts';
import { listAssignees } from '#features/permissions/server/assignees.ts';
import { listLabels } from './report-labels.ts';
import { listReports } from './report-list.ts';
import type { ReportNotices } from './report-notices.ts';

/** Reports that one transaction changes: few, so that other changes hardly wait. */
const atOnce = 3;

const count = z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER));
const place = jsonCursor<[changedAt: number, number: number]>(z.tuple([count, count]));

type InboxRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  notices: ReportNotices;
  /** Whether this installation sends mail. */
  mail: boolean;
  /** The base address of links. */
  publicUrl: string;
};

/** The inbox of the operators. */
export function inboxRoutes(
  serve: Serve,
  { database, clock, notices, mail, publicUrl }: InboxRoutesOptions,
): void {
  const full = async (read: Reader, reportId: string) =>
    orNotFound(await readReport(read, reportId, { now: clock.now(), mail }), 'There is no such report.');

  serve(inbox.listReports, async ({ query: { cursor, limit, order, ...filter }, caller }) => {
    const { next, ...found } = await listReports(
      database.longReads,
      filter,
      { after: place.read(cursor), limit, order },
      { callerId: caller.id, now: clock.now() },
    );
    return { ...found, next: place.write(next) };
  });

  serve(inbox.exportReports, ({ query: { format, ...filter }, caller, request, reply }) => {
    const now = clock.now();
    const day = new Date(now).toISOString().slice(0, 10);
    reply.headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="portico-reports-${day}.${format}"`,
      'content-security-policy': "default-src 'none'; sandbox",
    });
    reply.type(
      format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson; charset=utf-8',
    );
    const options = { format, publicUrl, callerId: caller.id, now };
    const lines = request.method === 'HEAD' ? [] : exportReports(database.longReads, filter, options);
    void reply.send(Readable.from(lines, { objectMode: false }));
  });

  serve(inbox.getReport, ({ params }) => full(database.read, params.reportId));

  /** Changes a report and returns its new state. */
  const changed = (reportId: string, write: (change: Change) => Promise<unknown>) =>
    database.change(async (change) => {
      await write(change);
      return full(change.tx, reportId);
    });

  serve(inbox.setReportStatus, ({ params, body, caller }) =>
    changed(params.reportId, (change) => changeReportAt(change, caller, { ...params, ...body }, notices)),
  );

  serve(inbox.deleteReport, ({ params, caller }) =>
    database.change((change) => deleteReport(change, caller, params.reportId)),
  );

  serve(changing.changeReport, ({ params, body, caller }) =>
    changed(params.reportId, (change) => changeReportAt(change, caller, { ...params, ...body }, notices)),
  );

  serve(changing.changeReports, ({ body, caller }) => changeMany(database, caller, body, notices));

  serve(changing.listReportLabels, () => listLabels(database.longReads));

  serve(changing.listAssignees, ({ query }) =>
    listAssignees(database.longReads, 'REPORTS_WRITE', query, clock.now()),
  );

  serve(conversation.replyToReport, ({ params: { reportId }, body, caller }) =>
    changed(reportId, (change) => reply(change, caller, reportId, body, notices)),
  );

  serve(conversation.addNote, ({ params: { reportId }, body, caller }) =>
    changed(reportId, (change) => addNote(change, caller, reportId, body)),
  );

  serve(conversation.editNote, ({ params, body, caller }) =>
    changed(params.reportId, (change) => editNote(change, caller, params, body.text)),
  );

  serve(conversation.removeNote, ({ params, caller }) =>
    changed(params.reportId, (change) => removeNote(change, caller, params)),
  );
}

type ChangedReports = AnswerOf<typeof changing.changeReports>;

/**
 * Changes many reports, each against its version. Reports that cannot be changed are left alone and
 * listed in `refused`. Reports changed before a failure stay changed, as with separate calls.
 */
async function changeMany(
  database: Database,
  actor: Caller,
  { changes }: BodyOf<typeof changing.changeReports>,
  notices: ReportNotices,
): Promise<ChangedReports> {
  const changed: ChangedReports['changed'] = [];
  const refused: ChangedReports['refused'] = [];
  for (let first = 0; first < changes.length; first += atOnce) {
    const slice = changes.slice(first, first + atOnce);
    await database.change(async (change) => {
      for (const wanted of slice) {
        try {
          const { report, before } = await changeReportAt(change, actor, wanted, notices);
          const { status, assigneeId, labels, duplicateOf, snoozedUntil } = before;
          const was = { status, assigneeId, labels, duplicateOf, snoozedUntil };
          changed.push({ reportId: report.id, version: report.version, before: was });
        } catch (error) {
          // A report is refused before its first write, so that no report is half changed.
          if (!(error instanceof HttpProblem)) throw error;
          refused.push({ reportId: wanted.reportId, code: error.code });
        }
      }
    });
    await yieldToEventLoop();
  }
  return { changed, refused };
}
