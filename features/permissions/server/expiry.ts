import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';

/**
 * How often the clock is checked. Timers of days are not used, since sleep and clock changes make them wrong.
 */
const lookMs = 250;
const retryMs = 1_000;
/** The most that are handled at once; the others follow in the next run. */
const batch = 1_000;

/**
 * Notifies people whose grants or denials end, so that their open windows follow. The end itself needs no
 * action: rights are decided by the time. Each end is published once, by whichever replica comes first; ends
 * while no process ran are published at the start.
 */
export async function followExpiry(
  parts: Pick<Core, 'database' | 'feed' | 'clock' | 'logger'>,
): Promise<{ close(): Promise<void> }> {
  const { database, clock, logger } = parts;
  let next = await nextExpiry(database.read);
  let known = true;
  let working: Promise<void> | null = null;
  let notBefore = 0;
  let inTrouble = false;

  parts.feed.on('rights', () => (known = false));
  parts.feed.on('right-rules', () => (known = false));

  function look(): void {
    if (working !== null || performance.now() < notBefore) return;
    if (known && (next === null || clock.now() < next)) return;
    working = work().finally(() => (working = null));
  }

  async function work(): Promise<void> {
    try {
      if (!known) {
        known = true;
        next = await nextExpiry(database.read);
      }
      if (next !== null && clock.now() >= next) {
        await database.change((change) => publishExpired(change, clock.now()));
        known = false;
      }
      inTrouble = false;
    } catch (error) {
      known = false;
      notBefore = performance.now() + retryMs;
      if (!inTrouble)
        logger.error(
          { err: error },
          'the end of rights cannot be published; they have ended, and it is tried again',
        );
      inTrouble = true;
    }
  }

  const timer = setInterval(look, lookMs);
  return {
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}

async function nextExpiry(read: Reader): Promise<number | null> {
  const row = await read
    .selectFrom('person_right')
    .select('expires_at')
    .where('expiry_told', '=', 0)
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst();
  return row?.expires_at ?? null;
}

async function publishExpired(change: Change, now: number): Promise<void> {
  const ended = await change.tx
    .selectFrom('person_right')
    .select(['person_id', 'right_name', 'effect'])
    .where('expiry_told', '=', 0)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(batch)
    .execute();
  for (const { person_id, right_name, effect } of ended) {
    await change.tx
      .updateTable('person_right')
      .set({ expiry_told: 1 })
      .where('person_id', '=', person_id)
      .where('right_name', '=', right_name)
      .where('effect', '=', effect)
      .execute();
    change.publish('rights', person_id);
  }
}
