import type { Database, Reader } from './database.ts';
import { readSetting, writeSetting } from './setting.ts';

/** Ways in for people who are not signed in, of which something is refused when too much has come. */
export const waysIn = ['reports', 'errors'] as const;
export type WayIn = (typeof waysIn)[number];

/** Refusals come in floods: of each way one is written in so long. */
const writeEveryMs = 600_000;
const nameOf = (way: WayIn): string => `refused-${way}`;

/** Per database, so that two apps in one process do not share them. */
const written = new WeakMap<Database, Map<WayIn, number>>();

/** Writes that something was refused, for the overview of operators. */
export async function noteRefused(database: Database, way: WayIn, at: number): Promise<void> {
  const times = written.get(database) ?? new Map<WayIn, number>();
  written.set(database, times);
  if (at - (times.get(way) ?? Number.NEGATIVE_INFINITY) < writeEveryMs) return;
  times.set(way, at);
  await database.transaction((tx) => writeSetting(tx, nameOf(way), String(at)));
}

/** What was refused since a time, and when it was last. */
export async function refusedSince(read: Reader, since: number): Promise<{ way: WayIn; at: number }[]> {
  const ways = await Promise.all(
    waysIn.map(async (way) => ({ way, at: Number((await readSetting(read, nameOf(way))) ?? -Infinity) })),
  );
  return ways.filter(({ at }) => at >= since);
}
