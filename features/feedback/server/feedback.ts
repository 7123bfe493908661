import * as settings from '#features/feedback/contract/report-settings.ts';
import * as contract from '#features/feedback/contract/feedback.ts';
import { getOwnReport, replyToOwnReport } from '#features/feedback/contract/conversation.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import type { Core } from '#server/core.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { numberCursor } from '#server/platform/http/cursor.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import { identityOf } from '#features/directory/server/people.store.ts';
import type { FileReader } from '#features/files/server/files.store.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import { reportInbox, setReportForm } from '#features/feedback/contract/inbox.ts';
import { unpack } from '#server/platform/http/packed-body.ts';
import { networkOf } from '#server/platform/http/network.ts';
import { replyToOwn } from './conversation.ts';
import { inboxRoutes } from './inbox.routes.ts';
import { listOwnReports as readOwn, readOwnReport } from './own-reports.ts';
import { createPictureQuota } from './picture-quota.ts';
import { createReportMails } from './report-mails.ts';
import { createReportNotices, type ReportNotices } from './report-notices.ts';
import { changeReportSettings, readReportSettings } from './report-settings.ts';
import { createStrangersRoom, storeReport, type StoreReportParts } from './store-report.ts';
import { createBodyBudget } from './body-budget.ts';
import { changeReportForm, readReportForm, refusalOfEmpty } from './report-form.ts';
import type { Kysely } from 'kysely';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/sql.ts';

const wakeEveryMs = 30_000;

/** The arguments of `storeReport` after its parts. */
type StoreArguments = Parameters<typeof storeReport> extends [unknown, ...infer Rest] ? Rest : never;

/** Bug reports: sending them, the inbox of operators, and what their senders see of them. */
export function createFeedback(
  core: Core,
  parts: {
    files: { store: Pick<FileStore, 'write'>; addReader(reader: FileReader): void };
    /** Null where mail is not configured. */
    mail: Mail | null;
    branding: { look(): { product: string } };
  },
) {
  const { mail: post, branding } = parts;
  const files = parts.files.store;
  parts.files.addReader(readsReportPicture);
  const { database, clock, config } = core;
  const { publicUrl } = config;
  const mail = post !== null;
  const productName = () => branding.look().product;
  const mails =
    post === null ? null : createReportMails({ read: database.read, mail: post, publicUrl, productName });
  const notices = createReportNotices({ clock, publicUrl, mails });
  const { bodyBytes, anonymousBytesEach } = contract.feedbackLimits;
  const quota = createPictureQuota({
    stored: core.addressLimit({ burst: anonymousBytesEach, perSecond: anonymousBytesEach / 86_400 }),
    sender: core.rateLimit({ burst: 5 * bodyBytes, perSecond: bodyBytes / 60 }),
    address: core.addressLimit({ burst: 10 * bodyBytes, perSecond: bodyBytes / 60 }),
    anonymous: core.rateLimit({ burst: 20 * bodyBytes, perSecond: bodyBytes / 6 }),
    repeated: core.rateLimit({ burst: 3, perSecond: 1 / 600 }),
  });
  const room = createStrangersRoom(core);
  const count = core.metrics.counter({
    name: 'portico_reports_total',
    help: 'Reports that were stored, by the wire that they came by: feedback of SDKs, or another.',
    label: 'source',
    values: ['sentry', 'other'],
  });
  const storing = { database, files, quota, room, notices, count };
  const tasks = { 'snoozed reports': () => wakeReports(core) };
  const periodic = createPeriodic(core.logger, wakeEveryMs, tasks);
  return {
    sweeps: tasks,
    close: periodic.stop,
    /** Stores a report that arrives over another protocol, as `storeReport` describes. */
    store: (...given: StoreArguments) => storeReport(storing, ...given),
    routes(serve: Serve) {
      feedbackRoutes(serve, {
        ...storing,
        origins: config.feedbackOrigins,
        withoutSignIn: config.feedbackWithoutSignIn,
        limits: {
          sender: core.rateLimit({ burst: 10, perSecond: 1 / 6 }),
          address: core.addressLimit({ burst: 100, perSecond: 2 }),
        },
      });
      inboxRoutes(serve, { database, clock, notices, mail, publicUrl });
      // Replies, by person.
      ownReportsRoutes(serve, database, notices, core.rateLimit({ burst: 10, perSecond: 1 / 6 }));
      reportSettingsRoutes(serve, database, mail);
    },
  };
}

/** Operators who may read reports see their pictures, and reporters see their own (FILE-1). */
const readsReportPicture: FileReader = async (read, file, caller, rights) => {
  const report = await read
    .selectFrom('report_picture')
    .innerJoin('report', 'report.id', 'report_picture.report_id')
    .select('report.reporter_id')
    .where('report_picture.file_id', '=', file.id)
    .executeTakeFirst();
  if (report === undefined) return false;
  return rights.has('REPORTS_READ') || (caller.kind === 'person' && report.reporter_id === caller.id);
};

/** The routes of a person for the reports that they sent. */
function ownReportsRoutes(serve: Serve, database: Database, notices: ReportNotices, limit: RateLimit): void {
  const own = async (read: Reader, { userId, reportId }: { userId: string; reportId: string }) =>
    orNotFound(await readOwnReport(read, userId, reportId), 'There is no such report.');

  serve(listOwnReports, async ({ params, query }) => {
    orNotFound(await identityOf(database.read, params.userId), 'There is no such person.');
    const after = numberCursor.read(query.cursor);
    const { next, ...found } = await readOwn(database.longReads, params.userId, { ...query, after });
    return { ...found, next: numberCursor.write(next) };
  });

  serve(getOwnReport, ({ params }) => own(database.read, params));

  serve(replyToOwnReport, ({ params, body, caller }) => {
    limit.take(caller.id);
    return database.change(async (change) => {
      await replyToOwn(change, caller, params.reportId, body, notices);
      return own(change.tx, { userId: caller.id, ...params });
    });
  });
}

/** The routes for the addresses that receive mail about reports, and for the issue tracker. */
function reportSettingsRoutes(serve: Serve, database: Database, mail: boolean): void {
  serve(settings.getReportSettings, async () => ({ ...(await readReportSettings(database.read)), mail }));

  serve(settings.setReportSettings, async ({ body, caller }) => ({
    ...(await database.change((change) => changeReportSettings(change, caller, body))),
    mail,
  }));

  serve(settings.getIssueTracker, async () => ({
    tracker: (await readReportSettings(database.read)).tracker,
  }));
}

type FeedbackRoutesOptions = StoreReportParts & {
  /** Whose pages may send reports (BUG-4). */
  origins: readonly string[];
  /** Whether reports are taken from people who are not signed in (BUG-6). */
  withoutSignIn: boolean;
  /** `sender`: by person or token; `address`: by IP address. */
  limits: { sender: RateLimit; address: RateLimit };
};

/** Eight of the largest reports at once, one per sender; after its wait a body still has time to be sent. */
const bodyBudget = {
  bytes: 8 * contract.feedbackLimits.bodyBytes,
  bytesEach: contract.feedbackLimits.bodyBytes,
  timeoutMs: 20_000,
};

function feedbackRoutes(serve: Serve, options: FeedbackRoutesOptions): void {
  const { database } = options;
  const bodies = createBodyBudget(bodyBudget);

  serve(
    contract.saveFeedback,
    ({ body: { attachments, ...report }, caller, request }) =>
      storeReport(
        options,
        { caller, address: request.ip },
        report,
        attachments.map(({ data, filename }) => ({ bytes: unpack(request, data), filename })),
      ),
    {
      origins: options.origins,
      withoutSignIn: options.withoutSignIn,
      limit: options.limits.address,
      packed: 'data',
      refusal: refusalOfEmpty,
      async admit({ caller, ip, headers }, reply) {
        if (caller === null) await options.room.refuseFull(ip);
        else options.limits.sender.take(caller.id);
        const announced = Number(headers['content-length'] ?? contract.feedbackLimits.bodyBytes);
        await options.quota.admit(database.read, { id: caller?.id ?? null, address: ip }, announced);
        const place = bodies.enter(caller?.id ?? networkOf(ip).network, announced);
        reply.raw.once('close', place.leave);
        // The client may have left while the quota was read.
        if (reply.raw.destroyed) place.leave();
        await place.entered;
      },
    },
  );

  serve(contract.getReportForm, () => readReportForm(database.read), {
    origins: options.origins,
    withoutSignIn: options.withoutSignIn,
  });

  serve(setReportForm, ({ body, caller }) =>
    database.change((change) => changeReportForm(change, caller, body)),
  );
}

export async function addSnooze({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('report').addColumn('snoozed_until', 'bigint').execute();
}

/** Ends the snooze of the reports whose time has come. */
export async function wakeReports({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  const due = await database.read
    .selectFrom('report')
    .select('id')
    .where('tab', '=', 'snoozed')
    .where('snoozed_until', '<=', now)
    .limit(1)
    .executeTakeFirst();
  if (due === undefined) return;
  await database.change(async (change) => {
    await change.tx
      .updateTable('report')
      .set({ tab: 'open', snoozed_until: null, changed_at: change.at, version: nextVersion })
      .where('tab', '=', 'snoozed')
      .where('snoozed_until', '<=', now)
      .execute();
    publishList(change, reportInbox);
  });
}
