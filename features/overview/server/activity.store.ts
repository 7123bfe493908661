import type { Reader, Writer } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';

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
