import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/platform/time/clock.ts';

/** Which events are stored whole. */
export type SampleChoice = {
  /** Asked once for each event of a group. */
  wants(fingerprint: string): boolean;
};

/** So often at most one event of each group is stored whole, milliseconds. */
const everyMs = 5_000;
const mostGroups = 20_000;

/**
 * The first event of a group and then one each few seconds: cleaning and compressing an event costs more than all
 * its rows, and of a flood no more than a few are ever looked at.
 */
export function createSampleChoice(clock: Clock): SampleChoice {
  const last = new LRUCache<string, number>({ maxSize: mostGroups, sizeCalculation: () => 1 });
  return {
    wants(fingerprint) {
      const at = clock.now();
      // A clock that was set back must not end it.
      if (Math.abs(at - (last.get(fingerprint) ?? Number.NEGATIVE_INFINITY)) < everyMs) return false;
      last.set(fingerprint, at);
      return true;
    },
  };
}
