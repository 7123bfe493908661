import type { Core } from '#server/core.ts';
import { followFlagHost } from './flag-host.ts';
import { createLiveMaintenance } from './live-maintenance.ts';
import { createOperations } from './operations.ts';

/** Maintenance: the manual switch, planned windows, and the gate. */
export async function createMaintenance(core: Core) {
  const { flagsHost, dataDir } = core.config;
  const operations = createOperations(core.clock);
  let browsers = (): number => 0;
  const maintenance = await createLiveMaintenance({
    ...core,
    followed: flagsHost === null ? null : followFlagHost({ ...core, source: flagsHost }),
    operations,
    dataDir,
    browsers: () => browsers(),
  });
  return {
    ...maintenance,
    /**
     * @param count how many browsers are connected to this process: it decides over how long they spread their
     *   return
     */
    countsBrowsersBy(count: () => number) {
      browsers = count;
    },
    operations,
  };
}
