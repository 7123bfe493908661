import {
  getFlagReview,
  proposeFlag,
  publishFlag,
  reviewFlag,
  setFlagReview,
  withdrawFlag,
} from '#features/flags/contract/review.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { FlagsRoutesOptions } from './flags.routes.ts';
import {
  changeReview,
  proposeChange,
  publishProposal,
  readReview,
  reviewProposal,
  withdrawProposal,
} from './review.store.ts';

type ReviewRoutesOptions = Pick<FlagsRoutesOptions, 'database' | 'clock' | 'flags' | 'record'> & {
  publicUrl: string;
};

/** Changes that another person approves before clients see them (FLAG-22). */
export function reviewRoutes(serve: Serve, options: ReviewRoutesOptions): void {
  const { database, clock, flags, record, publicUrl } = options;

  const tell = (change: Change, key: string, status: 'waiting' | 'approved' | 'declined', by: string) =>
    publishToWebhooks(change, clock, 'flag.proposal', {
      key,
      status,
      by,
      link: `${publicUrl}/flags/${encodeURIComponent(key)}`,
    });

  serve(getFlagReview, () => readReview(database.read));

  serve(setFlagReview, ({ body, caller }) => database.change((change) => changeReview(change, body, caller)));

  serve(proposeFlag, ({ params: { flagKey }, body, caller }) =>
    database.change(async (change) => {
      const stored = await proposeChange(change, flagKey, body, caller);
      await tell(change, flagKey, 'waiting', caller.name);
      return stored;
    }),
  );

  serve(reviewFlag, ({ params: { flagKey }, body, caller }) =>
    database.change(async (change) => {
      const stored = await reviewProposal(change, flagKey, body, caller);
      await tell(change, flagKey, body.approved ? 'approved' : 'declined', caller.name);
      return stored;
    }),
  );

  serve(publishFlag, async ({ params: { flagKey }, body, caller }) => {
    await database.change(async (change) => {
      const { actor, note, approvedBy, ...flag } = await publishProposal(
        change,
        flagKey,
        body.version,
        caller,
      );
      await record(change, actor, 'update', flag, { note, approvedBy });
    });
    await flags.caughtUp();
  });

  serve(withdrawFlag, ({ params: { flagKey }, query, caller }) =>
    database.change((change) => withdrawProposal(change, flagKey, query.version, caller)),
  );
}
