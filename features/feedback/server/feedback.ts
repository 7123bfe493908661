import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import { getOwnReport, replyToOwnReport } from '#features/feedback/contract/own-conversation.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import * as settings from '#features/feedback/contract/report-settings.ts';
import type { Core } from '#server/core.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { numberCursor } from '#server/platform/http/cursor.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { identityOf } from '#features/directory/server/people.store.ts';
import { replyToOwn } from './conversation.ts';
import type { FileReader } from '#features/files/server/files.routes.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import { feedbackRoutes } from './feedback.routes.ts';
import { inboxRoutes } from './inbox.routes.ts';
import { listOwnReports as readOwn, readOwnReport } from './own-reports.ts';
import { createPictureQuota } from './picture-quota.ts';
import { createReportMails } from './report-mails.ts';
import { createReportNotices, type ReportNotices } from './report-notices.ts';
import { changeReportSettings, readReportSettings } from './report-settings.ts';
import { wakeReports } from './snooze.ts';
import { storeReport } from './store-report.ts';
import { createStrangersRoom } from './strangers-room.ts';

const wakeEveryMs = 30_000;

/** What `storeReport` takes behind its parts. */
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
  const { bodyBytes, anonymousBytesEach } = feedbackLimits;
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
    /** Stores a report that arrives by another wire, as `storeReport` describes it. */
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

/** What a person sees of the reports that they sent. */
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

/** Whom reports are mailed to, and where their issues are written. */
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
