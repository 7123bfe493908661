import { activityStep } from '#features/overview/contract/overview.ts';
import type { ConnectedClients } from '#features/flags/server/live-flags.ts';
import type { Reader, Writer } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';

const minutesOfStep = activityStep / 60_000;
/** Longer than a process that runs leaves between two writes of its row. */
const runsFor = 150_000;

/** A list of figures with one for each bucket; null where no process ran. */
export type Figures = (number | null)[];

/** The beginning of the bucket of a time. */
export function bucketOf(at: number, step = activityStep): number {
  return Math.floor(at / step) * step;
}

/** The bit in `minutes` for the minute of the bucket in which a time is. */
export function minuteBit(at: number): number {
  return 1 << (Math.floor(at / 60_000) % minutesOfStep);
}

/**
 * Combines the rows of all processes. Each process counts people over all processes, so the largest figure is
 * used; SDKs and evaluations are added up, on average over the minutes in which any process ran.
 *
 * @param from the beginning of the first bucket
 * @param until a time in the last one
 * @param step the length of a bucket, milliseconds: a multiple of `activityStep`
 */
export function figuresOf(rows: readonly ActivityRow[], from: number, until: number, step = activityStep) {
  const length = Math.floor((until - from) / step) + 1;
  const byBucket = Map.groupBy(rows, ({ at }) => Math.floor((at - from) / step));
  const put = (of: (ofBucket: readonly ActivityRow[]) => number): Figures =>
    Array.from({ length }, (_, index) => {
      const ofBucket = byBucket.get(index) ?? [];
      return ofBucket.length === 0 ? null : of(ofBucket);
    });
  const average = (column: 'sdk_minutes' | 'evaluations') => (ofBucket: readonly ActivityRow[]) =>
    Math.round(sumOf(ofBucket, column) / Math.max(1, minutesIn(ofBucket)));
  return {
    people: put((ofBucket) => Math.max(...ofBucket.map(({ people }) => people))),
    sdks: put(average('sdk_minutes')),
    evaluations: put(average('evaluations')),
  };
}

/** Evaluations a minute, over the rows of the last buckets; 0 where there are none. */
export function evaluationsAMinute(rows: readonly ActivityRow[]): number {
  const minutes = minutesIn(rows);
  return minutes === 0 ? 0 : Math.round(sumOf(rows, 'evaluations') / minutes);
}

/** SDKs connected to the other processes that run, by client key, as of their last rows. */
export function sdksElsewhere(rows: readonly ActivityRow[], own: string, now: number): ConnectedClients[] {
  const last = new Map<string, ActivityRow>();
  for (const row of rows) {
    if (row.process_id !== own && row.seen_at >= now - runsFor) last.set(row.process_id, row);
  }
  return [...last.values()].map(({ sdk_keys: keys }) => JSON.parse(keys) as ConnectedClients);
}

/** The sum of the clients of several processes. */
export function sumOfClients(each: readonly ConnectedClients[]): ConnectedClients {
  const sum: Record<string, number> = {};
  for (const [key, clients] of each.flatMap((one) => Object.entries(one)))
    sum[key] = (sum[key] ?? 0) + clients;
  return sum;
}

function sumOf(rows: readonly ActivityRow[], column: 'sdk_minutes' | 'evaluations'): number {
  return rows.reduce((sum, row) => sum + row[column], 0);
}

/** In how many minutes any process ran. */
function minutesIn(rows: readonly ActivityRow[]): number {
  const masks = new Map<number, number>();
  for (const { at, minutes } of rows) masks.set(at, (masks.get(at) ?? 0) | minutes);
  let count = 0;
  for (const mask of masks.values()) for (let rest = mask; rest !== 0; rest >>= 1) count += rest & 1;
  return count;
}

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /**
     * Figures of five minutes, of one process; how they are put together is in `activity-figures.ts`
     */
    activity: {
      /** The beginning of the five minutes. */
      at: number;
      process_id: string;
      /** The most people at a time, over all processes. */
      people: number;
      /** SDKs connected to this process at the last look. */
      sdks: number;
      /** `sdks` by client key, as JSON. */
      sdk_keys: string;
      /** The sum of `sdks` over the minutes of `minutes`. */
      sdk_minutes: number;
      /** The minutes that were counted, one bit each; the first minute is bit 0. */
      minutes: number;
      evaluations: number;
      seen_at: number;
    };
  }
}

// The only SQL that writes activity.

/** What one process knows of five minutes. */
export type ActivityRow = Tables['activity'];

/** Replaces the row of a process, so that a write of unknown outcome can be repeated. */
export async function writeActivity(tx: Writer, row: ActivityRow): Promise<void> {
  const { at: _at, process_id: _process, ...figures } = row;
  await tx
    .insertInto('activity')
    .values(row)
    .onConflict((conflict) => conflict.columns(['at', 'process_id']).doUpdateSet(figures))
    .execute();
}

/** The rows of all processes from a time on, in order of time. */
export function readActivity(read: Reader, from: number): Promise<ActivityRow[]> {
  return read.selectFrom('activity').selectAll().where('at', '>=', from).orderBy('at').execute();
}

/** Removes up to `most` rows from before a time; answers how many went. */
export async function removeActivity(tx: Writer, before: number, most: number): Promise<number> {
  const old = await tx
    .selectFrom('activity')
    .select(['at', 'process_id'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(most)
    .execute();
  const last = old.at(-1);
  if (last === undefined) return 0;
  // Removes whole buckets, also those rows of the last bucket that are beyond `most`.
  await tx.deleteFrom('activity').where('at', '<=', last.at).execute();
  return old.length;
}
