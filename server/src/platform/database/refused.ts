import type { Database, Reader } from './database.ts';
import { readSetting, writeSetting } from './setting.ts';

/** Entry points for people who are not signed in; each refuses requests when too many have come. */
export const waysIn = ['reports', 'errors'] as const;
export type WayIn = (typeof waysIn)[number];

/** Refusals come in floods, so of each entry point at most one is written in this time. */
const writeEveryMs = 600_000;
const nameOf = (way: WayIn): string => `refused-${way}`;

/** The time of the last written refusal, per database: two apps in one process do not share it. */
const written = new WeakMap<Database, Map<WayIn, number>>();

/** Writes that something was refused, for the overview of operators. */
export async function noteRefused(database: Database, way: WayIn, at: number): Promise<void> {
  const times = written.get(database) ?? new Map<WayIn, number>();
  written.set(database, times);
  if (at - (times.get(way) ?? Number.NEGATIVE_INFINITY) < writeEveryMs) return;
  times.set(way, at);
  await database.transaction((tx) => writeSetting(tx, nameOf(way), String(at)));
}

/** The entry points that have refused requests since a time, and when they did so last. */
export async function refusedSince(read: Reader, since: number): Promise<{ way: WayIn; at: number }[]> {
  const ways = await Promise.all(
    waysIn.map(async (way) => ({ way, at: Number((await readSetting(read, nameOf(way))) ?? -Infinity) })),
  );
  return ways.filter(({ at }) => at >= since);
}
