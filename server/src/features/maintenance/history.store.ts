import {
  maintenanceDeed,
  maintenanceHistoryEntry,
  type MaintenanceDeed,
  type MaintenanceHistoryEntry,
} from '@portico/contract/maintenance/windows';
import type { Change, Reader } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/count-rows.ts';
import type { Tables } from '../../platform/database/schema.ts';
import type { Place } from './windows.store.ts';

/** How it was afterwards, as far as it matters for the deed. */
export type Facts = Partial<
  Pick<MaintenanceHistoryEntry, 'phase' | 'mode' | 'text' | 'severity' | 'startsAt' | 'endsAt' | 'before'>
> & {
  /** When a phase was due; later it was recorded by a process that had been down. */
  due?: number | null;
};

export type Deed = {
  deed: MaintenanceDeed;
  window?: { id: string; title: string };
  by: string | null;
  facts: Facts;
};

/** Writes down what happened; what is written in one change stands in the order in which it was written. */
export async function writeHistory({ tx, revision, at }: Change, deed: Deed): Promise<void> {
  const written = await countRows(tx.selectFrom('maintenance_history').where('at', '=', at));
  await tx
    .insertInto('maintenance_history')
    .values({
      // In the order of what happened, so that a list can go by it where the time is the same.
      id: `${String(revision).padStart(14, '0')}-${String(written).padStart(4, '0')}`,
      at,
      deed: deed.deed,
      window_id: deed.window?.id ?? null,
      title: deed.window?.title ?? null,
      by: deed.by,
      facts: JSON.stringify(deed.facts),
    })
    .execute();
}

export async function historyPage(
  db: Reader,
  page: { windowId: string | undefined; after: Place | null; limit: number },
): Promise<MaintenanceHistoryEntry[]> {
  const { windowId, after } = page;
  const rows = await db
    .selectFrom('maintenance_history')
    .selectAll()
    .$if(windowId !== undefined, (query) => query.where('window_id', '=', windowId ?? ''))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), '<', tuple(after?.[0] ?? 0, after?.[1] ?? '')),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
  return rows.map(entryIn);
}

/**
 * Who wrote the notice that stands, where that was after maintenance was started by hand, or with it; null
 * where it stood before, or is unknown.
 */
export async function noticeWrittenWhileClosedBy(db: Reader, text: string): Promise<string | null> {
  const rows = await db
    .selectFrom('maintenance_history')
    .selectAll()
    .where('deed', 'in', ['switched', 'notice'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  let writer: string | null = null;
  for (const entry of rows.map(entryIn)) {
    if (entry.text !== text) return writer;
    if (entry.mode === 'off') return null;
    writer = entry.by;
  }
  // Before the first entry there was no notice.
  return rows.length < 100 && text !== '' ? writer : null;
}

/** Whether the break-glass file was there when that was last written down. */
export async function wasHeldOpen(db: Reader): Promise<boolean> {
  const last = await db
    .selectFrom('maintenance_history')
    .select('deed')
    .where('deed', 'in', ['held-open', 'let-go'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.deed === 'held-open';
}

const noFacts = {
  phase: null,
  mode: null,
  text: null,
  severity: null,
  startsAt: null,
  endsAt: null,
  before: null,
};

function entryIn(row: Tables['maintenance_history']): MaintenanceHistoryEntry {
  return maintenanceHistoryEntry.parse({
    id: row.id,
    at: row.at,
    deed: maintenanceDeed.parse(row.deed),
    windowId: row.window_id,
    title: row.title,
    by: row.by,
    ...noFacts,
    ...(JSON.parse(row.facts) as Facts),
  });
}
