import * as z from 'zod/mini';
import type { Clock } from '#web/platform/time/clock.ts';

const staleAfter = 60_000;
const longestUse = 4 * 3_600_000;
const most = 10;
/** Of GrowthBook's SDK, whose format it is. */
const storageKey = 'gbFeaturesCache';

const entries = z.array(
  z.tuple([
    z.string(),
    z.object({ data: z.record(z.string(), z.unknown()), version: z.string(), staleAt: z.string() }),
  ]),
);

/** The payloads that earlier visits have loaded, for the time until the flag host answers. */
export function createPayloadCache(key: string, clock: Clock) {
  /** The oldest first. */
  function all(): z.infer<typeof entries> {
    try {
      return entries
        .parse(JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
        .toSorted(([, a], [, b]) => Date.parse(a.staleAt) - Date.parse(b.staleAt))
        .slice(-most);
    } catch {
      return [];
    }
  }

  return {
    read(): Record<string, unknown> | null {
      const entry = all().find(([other]) => other === key)?.[1];
      const usedUntil = Date.parse(entry?.staleAt ?? '') - staleAfter + longestUse;
      return entry !== undefined && clock.now() < usedUntil ? entry.data : null;
    },
    write(data: Record<string, unknown>, version: string): void {
      const entry = { data, version, staleAt: new Date(clock.now() + staleAfter).toISOString() };
      const others = all().filter(([other]) => other !== key);
      try {
        localStorage.setItem(storageKey, JSON.stringify([...others.slice(1 - most), [key, entry]]));
      } catch {
        // The browser stores nothing, or no more.
      }
    },
  };
}
