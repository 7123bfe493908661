import { getOwnReport, replyToOwnReport } from '#features/feedback/contract/own-conversation.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { numberCursor } from '#server/platform/http/cursor.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { identityOf } from '#features/directory/server/people.store.ts';
import { replyToOwn } from './conversation.ts';
import { listOwnReports as readOwn, readOwnReport } from './own-reports.ts';
import type { ReportNotices } from './report-notices.ts';

export type OwnReportsRoutesOptions = {
  database: Database;
  notices: ReportNotices;
  /** Replies, by person. */
  limit: RateLimit;
};

/** What a person sees of the reports that they sent. */
export function ownReportsRoutes(serve: Serve, { database, notices, limit }: OwnReportsRoutesOptions): void {
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
