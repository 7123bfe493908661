import type { Reader } from '../../platform/database/database.ts';

/** Bytes of an event's row and its entries in the indexes, measured with a million of them. */
const rowBytes = 300;
const sampleBytes = 60;

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
