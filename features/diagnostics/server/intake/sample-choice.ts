import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/platform/time/clock.ts';

/** Which events are stored whole. */
export type SampleChoice = {
  /** Whether to store this event of a group whole. Must be called once for each event. */
  wants(fingerprint: string): boolean;
};

/** Within this time, at most one event of each group is stored whole, milliseconds. */
const everyMs = 5_000;
const mostGroups = 20_000;

/**
 * Chooses the first event of a group, then one every few seconds: cleaning and compressing an event costs more than
 * all its rows, and operators look at no more than a few events of a flood.
 */
export function createSampleChoice(clock: Clock): SampleChoice {
  const last = new LRUCache<string, number>({ maxSize: mostGroups, sizeCalculation: () => 1 });
  return {
    wants(fingerprint) {
      const at = clock.now();
      // A clock that was set back must not stop samples from being stored.
      if (Math.abs(at - (last.get(fingerprint) ?? Number.NEGATIVE_INFINITY)) < everyMs) return false;
      last.set(fingerprint, at);
      return true;
    },
  };
}
