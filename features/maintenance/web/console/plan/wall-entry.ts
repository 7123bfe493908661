import type { Moment } from '#contract/wall-time.ts';
import { type ResolvedWallTime, resolveWallTime, wallTimeAt } from '#contract/rules/wall-time.ts';

/** A date and time as typed, in the zone that is chosen with it. */
export type WallEntry = {
  /** `2026-10-25T02:30`, empty, or `halfTyped`. */
  readonly local: string;
  /** Minutes east of UTC, chosen where the clocks go back and the time comes twice; null: not chosen. */
  readonly offset: number | null;
};

export type ResolvedEntry = ResolvedWallTime | { kind: 'empty' };

const minute = 60_000;

export function resolveEntry({ local, offset }: WallEntry, timeZone: string): ResolvedEntry {
  if (local === '') return { kind: 'empty' };
  return resolveWallTime({ local, timeZone, ...(offset === null ? {} : { offset }) });
}

/** An instant as the field holds it. Where its local time comes twice, `offset` gives which one is meant. */
export function entryAt(at: number, timeZone: string): WallEntry {
  const local = wallTimeAt(at, timeZone);
  if (local === null) return { local: '', offset: null };
  const doubled = resolveWallTime({ local, timeZone }).kind === 'doubled';
  return { local, offset: doubled ? offsetOf(local, at) : null };
}

/** The value that is sent: the server resolves it by its own time zone rules. */
export function momentOf({ local, offset }: WallEntry, timeZone: string): Moment {
  return { local, timeZone, ...(offset === null ? {} : { offset }) };
}

/** Minutes east of UTC of a clock that shows `local` at that time. */
export function offsetOf(local: string, at: number): number {
  return (Date.parse(`${local}Z`) - Math.floor(at / minute) * minute) / minute;
}
