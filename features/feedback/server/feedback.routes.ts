import { feedbackLimits, getReportForm, saveFeedback } from '#features/feedback/contract/feedback.ts';
import { setReportForm } from '#features/feedback/contract/inbox.ts';
import { unpack } from '#server/platform/http/packed-body.ts';
import { networkOf } from '#server/platform/http/network.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { createBodyBudget } from './body-budget.ts';
import { changeReportForm, readReportForm, refusalOfEmpty } from './report-form.ts';
import { storeReport, type StoreReportParts } from './store-report.ts';

type FeedbackRoutesOptions = StoreReportParts & {
  /** Whose pages may send reports (BUG-4). */
  origins: readonly string[];
  /** Whether reports are taken from people who are not signed in (BUG-6). */
  withoutSignIn: boolean;
  /** By person or token, and by address. */
  limits: { sender: RateLimit; address: RateLimit };
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

  serve(
    saveFeedback,
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
        const announced = Number(headers['content-length'] ?? feedbackLimits.bodyBytes);
        await options.quota.admit(database.read, { id: caller?.id ?? null, address: ip }, announced);
        const place = bodies.enter(caller?.id ?? networkOf(ip).network, announced);
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
}
