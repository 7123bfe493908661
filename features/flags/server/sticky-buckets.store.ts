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
      /** The attribute's value, such as a person's id; as JSON if it is not a text. */
      value: string;
      /** JSON: the key of the variation for each experiment, by the experiment's key and version (`key__0`). */
      assignments: string;
      /** To the day. */
      read_at: number;
    };
  }
}

// The only SQL of sticky buckets.

const unreadMs = 90 * dayStep;
/** The limit for assignments in one document; the newest stay. */
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
    // All processes write rows in the same order, so that two of them cannot deadlock on the same rows.
    .values(rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        assignments: ref('excluded.assignments'),
        read_at: ref('excluded.read_at'),
      })),
    )
    .execute();
}

/** Removes up to `most` documents that were not read for 90 days; answers how many were removed. */
export async function removeUnread(tx: Writer, now: number, most: number): Promise<number> {
  return removeSome(tx, 'sticky_bucket', 'key', most, (rows) => rows.where('read_at', '<', now - unreadMs));
}

/** Removes the documents stored under a person's id or addresses. */
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
