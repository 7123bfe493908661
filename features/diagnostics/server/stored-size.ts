import { countRows } from '#server/platform/database/sql.ts';
import type { Reader } from '#server/platform/database/database.ts';

/** Bytes of a row with its index entries; events and samples were measured with a million rows. */
const rowBytes = { event: 320, sample: 70, group: 1_500, person: 150, count: 80, facet: 150 } as const;

/** Estimated bytes of events. `sizes` are the sizes of their samples, null for an event without a sample. */
export function bytesOfEvents(sizes: readonly (number | null)[]): number {
  return sizes.reduce<number>(
    (sum, size) => sum + rowBytes.event + (size === null ? 0 : size + rowBytes.sample),
    0,
  );
}

/** Estimated bytes, at least, of an error that has no events left. */
export function bytesOfGroup({ people }: { people: number }): number {
  return rowBytes.group + people * rowBytes.person;
}

/** The number of stored events, and the estimated bytes of all errors. Uses long reads. */
export async function storedSize(longReads: Reader): Promise<{ events: number; bytes: number }> {
  const countOf = (table: 'error_event' | 'error_group' | 'error_count' | 'error_facet' | 'error_person') =>
    countRows(longReads.selectFrom(table));
  const samples = await longReads
    .selectFrom('error_sample')
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number | string | null>('size').as('bytes')])
    .executeTakeFirstOrThrow();
  const events = await countOf('error_event');
  const bytes =
    events * rowBytes.event +
    samples.n * rowBytes.sample +
    Number(samples.bytes ?? 0) +
    (await countOf('error_group')) * rowBytes.group +
    (await countOf('error_person')) * rowBytes.person +
    (await countOf('error_count')) * rowBytes.count +
    (await countOf('error_facet')) * rowBytes.facet;
  return { events, bytes };
}
