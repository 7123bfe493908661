import { countRows } from '#server/platform/database/sql.ts';
import type { Reader } from '#server/platform/database/database.ts';

/** Bytes of rows with their entries in the indexes; those of events and samples measured with a million. */
const rowBytes = { event: 320, sample: 70, group: 1_500, person: 150, count: 80, facet: 150 } as const;

/** What events take, estimated: `sizes` are those of their samples, null where one has none. */
export function bytesOfEvents(sizes: readonly (number | null)[]): number {
  return sizes.reduce<number>(
    (sum, size) => sum + rowBytes.event + (size === null ? 0 : size + rowBytes.sample),
    0,
  );
}

/** What an error takes that has no events any more, estimated, at least. */
export function bytesOfGroup({ people }: { people: number }): number {
  return rowBytes.group + people * rowBytes.person;
}

/** How many events are stored, and how much room all of the errors takes, estimated. For the long reads. */
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
