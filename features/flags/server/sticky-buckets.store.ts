import type { StickyAssignmentsDocument } from '@growthbook/growthbook';
import type { Reader, Writer } from '#server/platform/database/database.ts';
import { dayStep } from './usage.store.ts';
import { removeSome } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The documents of GrowthBook's `StickyBucketService`. */
    sticky_bucket: {
      /** `attribute||value`. */
      key: string;
      /** Of the attribute, such as a person's id; as JSON where it is no text. */
      value: string;
      /** JSON: the key of the variation, by that of the experiment and its version (`key__0`). */
      assignments: string;
      /** To the day. */
      read_at: number;
    };
  }
}

// The only SQL of sticky buckets.

const unreadMs = 90 * dayStep;
/** Of one document; the newest stay. */
const mostAssignments = 500;

export function readDocuments(read: Reader, keys: readonly string[]) {
  return read.selectFrom('sticky_bucket').selectAll().where('key', 'in', keys).execute();
}

export async function writeDocuments(
  tx: Writer,
  documents: readonly (readonly [key: string, document: StickyAssignmentsDocument])[],
  now: number,
): Promise<void> {
  const rows = documents.map(([key, { attributeValue: value, assignments }]) => ({
    key,
    value,
    assignments: JSON.stringify(Object.fromEntries(Object.entries(assignments).slice(-mostAssignments))),
    read_at: now,
  }));
  await tx
    .insertInto('sticky_bucket')
    // In one order: two processes that write the same rows do not wait for each other in a circle.
    .values(rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        assignments: ref('excluded.assignments'),
        read_at: ref('excluded.read_at'),
      })),
    )
    .execute();
}

/** Removes up to `most` that nobody has read for 90 days; answers how many went. */
export async function removeUnread(tx: Writer, now: number, most: number): Promise<number> {
  return removeSome(tx, 'sticky_bucket', 'key', most, (rows) => rows.where('read_at', '<', now - unreadMs));
}

/** Removes what is kept under a person's id or addresses. */
export async function erasePersonFromStickyBuckets(
  tx: Writer,
  { personId, emails }: { personId: string; emails: readonly string[] },
): Promise<void> {
  const own = [personId, ...emails];
  await tx
    .deleteFrom('sticky_bucket')
    .where((row) => row.or([row('value', 'in', own), row(row.fn<string>('lower', ['value']), 'in', own)]))
    .execute();
}
