import type { Reader } from '../../platform/database/database.ts';

/** Bytes of an event's row and of a sample's, with their entries in the indexes, measured with a million. */
const rowBytes = 320;
const sampleBytes = 70;

/** What events take, estimated: `sizes` are those of their samples, null where one has none. */
export function bytesOfEvents(sizes: readonly (number | null)[]): number {
  return sizes.reduce<number>((sum, size) => sum + rowBytes + (size === null ? 0 : size + sampleBytes), 0);
}

/** How many events are stored, and how much room they take, estimated. For the long reads. */
export async function storedSize(longReads: Reader): Promise<{ events: number; bytes: number }> {
  const { events } = await longReads
    .selectFrom('error_event')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .executeTakeFirstOrThrow();
  const samples = await longReads
    .selectFrom('error_sample')
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number | string | null>('size').as('bytes')])
    .executeTakeFirstOrThrow();
  return { events, bytes: events * rowBytes + samples.n * sampleBytes + Number(samples.bytes ?? 0) };
}
