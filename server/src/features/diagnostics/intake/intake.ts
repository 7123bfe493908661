import type { Core } from '../../../core.ts';
import { memoryOf } from '../../../platform/database/memory.ts';
import type { Serve } from '../../../platform/http/serve.ts';
import { makeOwnProject, readWorkingKeys } from './working-keys.ts';

/** What SDKs send: checked by key, limited, grouped and written (DIAG-2). */
export async function createIntake({ database, feed, logger }: Core) {
  await makeOwnProject(database);
  const keys = await memoryOf({
    read: () => readWorkingKeys(database.read),
    feed,
    topics: ['diagnostics'],
    logger,
    failure: 'the keys of diagnostics could not be read; those in memory stay in force',
  });
  return {
    ownKey: () => keys.current().ownKey,
    /** Resolves when the keys are as they were when this was called. */
    caughtUp: keys.caughtUp,
    routes(_serve: Serve) {
      return undefined;
    },
    close() {
      keys.close();
    },
  };
}
