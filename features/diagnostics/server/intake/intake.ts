import type { Core } from '#server/core.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { earlyIntake } from './early-intake.ts';
import { createEventWriter, type OnGroups } from './event-writer.ts';
import { createForwarding } from './forwarding.ts';
import { createIntakeLimits } from './intake-limits.ts';
import { intakeRoutes } from './intake.routes.ts';
import { createPersonHash } from './person-hash.ts';
import { createSampleChoice } from './sample-choice.ts';
import type { StoreReport } from './process-envelope.ts';
import { makeOwnProject, readWorkingKeys } from './working-keys.ts';

/**
 * What SDKs send: checked by key, limited, grouped and written (DIAG-2).
 *
 * @param parts.storeReport stores feedback in the inbox
 * @param parts.onGroups called in the transaction that makes groups, or opens resolved ones again
 */
export async function createIntake(
  core: Core,
  { onGroups, storeReport }: { onGroups: OnGroups; storeReport: StoreReport },
) {
  const { database, feed, logger } = core;
  await makeOwnProject(database);
  const keys = await memoryOf({
    read: () => readWorkingKeys(database.read),
    feed,
    topics: ['diagnostics'],
    logger,
    failure: 'the keys of diagnostics could not be read; those in memory stay in force',
  });
  const personHash = await createPersonHash(database);
  const forwarding = createForwarding(core);
  const limits = createIntakeLimits(core);
  const writer = createEventWriter(core, { onGroups, limits });
  const { feedbackWithoutSignIn } = core.config;
  const samples = createSampleChoice();
  const taking = { limits, writer, storeReport, samples, personHash, feedbackWithoutSignIn };
  return {
    ownKey: () => keys.current().ownKey,
    /** Resolves when the keys are as they were when this was called. */
    caughtUp: keys.caughtUp,
    personHash,
    measured: writer.measured,
    routes(serve: Serve, callers: Pick<AccessControl, 'identify' | 'identifySession'>) {
      intakeRoutes(serve, { ...taking, keys: keys.current, callers, forwarding });
    },
    early: () =>
      earlyIntake({
        ...taking,
        keys: keys.current,
        trustProxy: core.config.trustProxy,
        headers: core.securityHeaders,
      }),
    async close() {
      keys.close();
      await writer.close();
      await forwarding.close();
    },
  };
}
