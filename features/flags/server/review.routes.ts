import * as contract from '#features/flags/contract/review.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { FlagsRoutesOptions } from './flags.routes.ts';
import * as store from './review.store.ts';

type ReviewRoutesOptions = Pick<FlagsRoutesOptions, 'database' | 'clock' | 'flags' | 'record'> & {
  publicUrl: string;
};

/** The routes of changes that another person must approve before clients see them (FLAG-22). */
export function reviewRoutes(serve: Serve, options: ReviewRoutesOptions): void {
  const { database, clock, flags, record, publicUrl } = options;

  const publish = (change: Change, key: string, status: 'waiting' | 'approved' | 'declined', by: string) =>
    publishToWebhooks(change, clock, 'flag.proposal', {
      key,
      status,
      by,
      link: `${publicUrl}/flags/${encodeURIComponent(key)}`,
    });

  serve(contract.getFlagReview, () => store.readReview(database.read));

  serve(contract.setFlagReview, ({ body, caller }) =>
    database.change((change) => store.changeReview(change, body, caller)),
  );

  serve(contract.proposeFlag, ({ params: { flagKey }, body, caller }) =>
    database.change(async (change) => {
      const stored = await store.proposeChange(change, flagKey, body, caller);
      await publish(change, flagKey, 'waiting', caller.name);
      return stored;
    }),
  );

  serve(contract.reviewFlag, ({ params: { flagKey }, body, caller }) =>
    database.change(async (change) => {
      const stored = await store.reviewProposal(change, flagKey, body, caller);
      await publish(change, flagKey, body.approved ? 'approved' : 'declined', caller.name);
      return stored;
    }),
  );

  serve(contract.publishFlag, async ({ params: { flagKey }, body, caller }) => {
    await database.change(async (change) => {
      const { actor, note, approvedBy, ...flag } = await store.publishProposal(
        change,
        flagKey,
        body.version,
        caller,
      );
      await record(change, actor, 'update', flag, { note, approvedBy });
    });
    await flags.caughtUp();
  });

  serve(contract.withdrawFlag, ({ params: { flagKey }, query, caller }) =>
    database.change((change) => store.withdrawProposal(change, flagKey, query.version, caller)),
  );
}
