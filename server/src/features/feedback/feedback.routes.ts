import { feedbackLimits, getReportForm, saveFeedback } from '@portico/contract/feedback';
import { listOwnReports } from '@portico/contract/feedback/own-reports';
import {
  deleteReport,
  getReport,
  listReports,
  setReportForm,
  setReportStatus,
} from '@portico/contract/feedback/inbox';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { orNotFound } from '../../platform/http/refusals.ts';
import { unpack } from '../../platform/http/packed-body.ts';
import type { RateLimit } from '../../platform/http/rate-limit.ts';
import { numberCursor } from '../../platform/http/cursor.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { identityOf } from '../directory/people.store.ts';
import { createBodyBudget } from './body-budget.ts';
import { changeStatus } from './change-status.ts';
import { deleteReport as removeOne } from './delete-report.ts';
import { createPictureQuota } from './picture-quota.ts';
import { listOwnReports as readOwn, listReports as readInbox, readReport } from './report-list.ts';
import { changeReportForm, readReportForm, refusalOfEmpty } from './report-form.ts';
import { storeReport } from './store-report.ts';

export type FeedbackRoutesOptions = {
  database: Database;
  files: Pick<FileStore, 'write'>;
  /** Whose pages may send reports (BUG-4). */
  origins: readonly string[];
  /** Whether reports are taken from people who are not signed in (BUG-6). */
  withoutSignIn: boolean;
  /**
   * By person or token, and by address; and the bytes of pictures by the address of those who are not signed
   * in.
   */
  limits: { sender: RateLimit; address: RateLimit; anonymousPictures: RateLimit };
};

/** Eight of the largest reports at once, one of each sender; what waits has time left to be sent. */
const bodyBudget = {
  bytes: 8 * feedbackLimits.bodyBytes,
  bytesEach: feedbackLimits.bodyBytes,
  timeoutMs: 20_000,
};

export function feedbackRoutes(serve: Serve, options: FeedbackRoutesOptions): void {
  const { database } = options;
  const bodies = createBodyBudget(bodyBudget);
  const pictures = createPictureQuota(options.limits.anonymousPictures);

  serve(
    saveFeedback,
    ({ body, caller, request }) =>
      storeReport({ ...options, quota: pictures }, { caller, address: request.ip }, body, (text) =>
        unpack(request, text),
      ),
    {
      origins: options.origins,
      withoutSignIn: options.withoutSignIn,
      limit: options.limits.address,
      packed: 'data',
      refusal: refusalOfEmpty,
      async admit({ caller, ip, headers }, reply) {
        if (caller !== null) options.limits.sender.take(caller.id);
        const announced = Number(headers['content-length'] ?? feedbackLimits.bodyBytes);
        const place = bodies.enter(caller?.id ?? ip, announced);
        reply.raw.once('close', place.leave);
        await place.entered;
      },
    },
  );

  serve(getReportForm, () => readReportForm(database.read), {
    origins: options.origins,
    withoutSignIn: options.withoutSignIn,
  });

  serve(setReportForm, ({ body, caller }) =>
    database.change((change) => changeReportForm(change, caller, body)),
  );

  serve(listReports, async ({ query }) => {
    const after = numberCursor.read(query.cursor);
    const { next, ...found } = await readInbox(database.longReads, query, { ...query, after });
    return { ...found, next: numberCursor.write(next) };
  });

  serve(getReport, async ({ params }) =>
    orNotFound(await readReport(database.read, params.reportId), 'There is no such report.'),
  );

  serve(setReportStatus, ({ params, body, caller }) =>
    database.change((change) => changeStatus(change, caller, params.reportId, body)),
  );

  serve(deleteReport, ({ params, caller }) =>
    database.change((change) => removeOne(change, caller, params.reportId)),
  );

  serve(listOwnReports, async ({ params, query }) => {
    orNotFound(await identityOf(database.read, params.userId), 'There is no such person.');
    const after = numberCursor.read(query.cursor);
    const { next, ...found } = await readOwn(database.longReads, params.userId, { ...query, after });
    return { ...found, next: numberCursor.write(next) };
  });
}
