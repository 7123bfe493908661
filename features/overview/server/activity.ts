import { activityRetention } from '#features/overview/contract/overview.ts';
import type { Core } from '#server/core.ts';
import { clientsIn, type ConnectedClients } from '#features/flags/server/live-flags.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { bucketOf, minuteBit } from './activity-figures.ts';
import { removeActivity, writeActivity, type ActivityRow } from './activity.store.ts';

const everyMs = 60_000;

export type Counted = {
  presence: { count(): Promise<{ people: number }> };
  flags: { clients(): ConnectedClients; readonly usage: { readonly evaluations: number } };
};

/**
 * Writes down each minute how many people and SDKs are connected and how many evaluations there were: one row
 * of this process for each five minutes, written again each minute. A process that is killed loses the minute
 * since its last write (CON-2).
 */
export function createActivity(core: Core, { presence, flags }: Counted) {
  const { database, clock, logger } = core;
  const processId = newId();
  let row: ActivityRow | null = null;
  let counted = 0;
  let writing: Promise<void> | null = null;

  async function write(clients: ConnectedClients): Promise<void> {
    const sdks = clientsIn(clients);
    const now = clock.now();
    // A reading counts for the minute before it.
    const middle = Math.max(0, now - everyMs / 2);
    const { people } = await presence.count();
    const at = bucketOf(middle);
    const bit = minuteBit(middle);
    const before = row?.at === at ? row : null;
    const isNew = ((before?.minutes ?? 0) & bit) === 0;
    const evaluations = flags.usage.evaluations;
    const next: ActivityRow = {
      at,
      process_id: processId,
      people: Math.max(before?.people ?? 0, people),
      sdks,
      sdk_keys: JSON.stringify(clients),
      sdk_minutes: (before?.sdk_minutes ?? 0) + (isNew ? sdks : 0),
      minutes: (before?.minutes ?? 0) | bit,
      evaluations: (before?.evaluations ?? 0) + evaluations - counted,
      seen_at: now,
    };
    // The figures of a write that fails go with the next one.
    [row, counted] = [next, evaluations];
    await database.transaction((tx) => writeActivity(tx, next));
  }

  /** @param clients connected to this process */
  function look(clients: ConnectedClients): Promise<void> {
    writing ??= write(clients)
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the figures of the overview could not be written; it is tried again');
      })
      .finally(() => (writing = null));
    return writing;
  }

  const timer = setInterval(() => void look(flags.clients()), everyMs);
  timer.unref();

  return {
    processId,
    sweep: core.sweeping((tx, now, most) => removeActivity(tx, now - activityRetention, most)),
    /** Writes the last figures; nothing is connected any more. */
    async close() {
      clearInterval(timer);
      await writing;
      await look({});
    },
  };
}
