import { readSetting, writeSetting } from '#server/platform/database/setting.ts';
import type { Generated } from 'kysely';
import type { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { reportInbox } from '#features/feedback/contract/inbox.ts';
import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import type { BodyOf } from '#contract/route.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { searchText } from '#server/platform/database/sql.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    report: {
      id: string;
      number: number;
      event_id: string;
      /** Distinguishes a report that is sent again from a different report under the same event id. */
      content_hash: string;
      reporter_id: string | null;
      name: string;
      email: string;
      message: string;
      source: string;
      url: string;
      associated_event_id: string | null;
      tags: string;
      context: string;
      status: string;
      search_key: string;
      created_at: number;
      /** The time of the last change of anything that operators see. */
      changed_at: number;
      version: number;
      assignee_id: string | null;
      /** The id of the original, which is never a duplicate itself. */
      duplicate_of: string | null;
      /** `open`, `snoozed`, `done` or `spam`; written with the status and `snoozed_until`. */
      tab: Generated<string>;
      snoozed_until: Generated<number | null>;
      /** How many messages there are of each kind. */
      replies: Generated<number>;
      notes: Generated<number>;
      /** The side of the last message: `reporter` or `operator`. */
      last_word: Generated<string>;
      /** The time of the last change that its reporter can see. */
      told_at: Generated<number>;
      /** `bytesOfReport` if the sender was not signed in, else null. */
      stranger_bytes: Generated<number | null>;
    };
    /**
     * Append-only. `before` and `after` depend on `what`: for `status` two statuses; for `assignee` two ids of
     * people; for `duplicate` two ids of reports, empty for none; for `labels` two lists as JSON; for `snoozed`
     * two times, empty for none.
     */
    report_history: {
      id: string;
      report_id: string;
      what: Generated<string>;
      at: number;
      before: string | null;
      after: string;
      actor_kind: string;
      actor_id: string | null;
      actor_name: string;
    };
    report_picture: { report_id: string; position: number; file_id: string };
  }
}

/** The author of a change of a report. A sender who is not signed in has no id and no verified name. */
export type ReportActor = Actor | { kind: 'anybody'; id: null; name: '' };

/** A report whose pictures are stored already. */
export type NewReport = Omit<BodyOf<typeof saveFeedback>, 'attachments' | 'eventId'> & {
  eventId: string;
  contentHash: string;
  reporter: ReportActor;
  /** `bytesOfReport` if the sender is not signed in, else null. */
  strangerBytes: number | null;
};

/**
 * Adds a report with its pictures and the first entry of its history, under the number after the last one. A
 * report that is sent again under its event id gets its first answer (BUG-5): changes run one after the other,
 * so the second of two finds the first. Throws EVENT_ID_USED for a different report under that id.
 *
 * @param addPictures adds the files, once it is known that they are needed; returns their ids
 */
export async function addReport(
  change: Change,
  report: NewReport,
  addPictures: () => Promise<string[]>,
): Promise<{ id: string; number: number; isNew: boolean }> {
  const { tx, at } = change;
  const known = await tx
    .selectFrom('report')
    .select(['id', 'number', 'content_hash'])
    .where('event_id', '=', report.eventId)
    .executeTakeFirst();
  if (known !== undefined) {
    if (known.content_hash === report.contentHash)
      return { id: known.id, number: known.number, isNew: false };
    throw new HttpProblem('EVENT_ID_USED', {
      detail: 'Another report was stored under this event id. Send it under a new one.',
    });
  }

  const id = newId();
  const number = (await lastNumber(tx)) + 1;
  const { name, email, message, source, url, reporter } = report;
  await tx
    .insertInto('report')
    .values({
      id,
      number,
      event_id: report.eventId,
      content_hash: report.contentHash,
      reporter_id: reporter.kind === 'person' ? reporter.id : null,
      name,
      email,
      message,
      source,
      url,
      associated_event_id: report.associatedEventId ?? null,
      tags: JSON.stringify(report.tags),
      context: JSON.stringify(report.context),
      status: 'new' satisfies ReportStatus,
      search_key: reportSearchKey({ message, name, email, url }),
      created_at: at,
      changed_at: at,
      assignee_id: null,
      duplicate_of: null,
      tab: 'open',
      replies: 0,
      notes: 0,
      last_word: 'reporter',
      told_at: at,
      stranger_bytes: report.strangerBytes,
      version: 1,
    })
    .execute();
  const pictures = (await addPictures()).map((fileId, position) => ({
    report_id: id,
    position,
    file_id: fileId,
  }));
  if (pictures.length > 0) await tx.insertInto('report_picture').values(pictures).execute();
  await addHistory(change, id, { what: 'status', before: null, after: 'new', actor: reporter });
  publishList(change, reportInbox);
  return { id, number, isNew: true };
}

const lastNumberSetting = 'last-report-number';

/** The highest number that a report has, or had when reports were last removed; 0 before the first. */
async function lastNumber(tx: Reader): Promise<number> {
  const { last } = await tx
    .selectFrom('report')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  return Math.max(last ?? 0, Number(await readSetting(tx, lastNumberSetting)));
}

/** Stores the highest number before reports are removed, so that no number is used for a second report. */
export async function storeHighestNumber({ tx }: Pick<Change, 'tx'>): Promise<void> {
  await writeSetting(tx, lastNumberSetting, String(await lastNumber(tx)));
}

/** Whether a report has been stored under an event id. */
export async function isKnown(read: Reader, eventId: string): Promise<boolean> {
  const known = await read
    .selectFrom('report')
    .select('id')
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return known !== undefined;
}

/** The text in which a search looks for words. */
export function reportSearchKey(report: {
  message: string;
  name: string;
  email: string;
  url: string;
}): string {
  return searchText([report.message, report.name, report.email, report.url].join('\n'));
}

/** Writes one change of a report into its history. */
export async function addHistory(
  change: Change,
  reportId: string,
  entry: {
    what: 'status' | 'assignee' | 'labels' | 'duplicate' | 'snoozed';
    before: string | null;
    after: string;
    actor: ReportActor;
  },
): Promise<void> {
  await change.tx
    .insertInto('report_history')
    .values({
      id: newId(),
      report_id: reportId,
      what: entry.what,
      at: change.at,
      before: entry.before,
      after: entry.after,
      actor_kind: entry.actor.kind,
      actor_id: entry.actor.id,
      actor_name: entry.actor.name,
    })
    .execute();
}
