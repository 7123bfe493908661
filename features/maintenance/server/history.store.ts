import {
  maintenanceAction,
  maintenanceHistoryEntry,
  type MaintenanceAction,
  type MaintenanceHistoryEntry,
} from '#features/maintenance/contract/windows.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { countRows } from '#server/platform/database/sql.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import type { Place } from './windows.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Append-only; `facts` is JSON. */
    maintenance_history: {
      id: string;
      at: number;
      deed: string;
      window_id: string | null;
      title: string | null;
      by: string | null;
      by_id: string | null;
      facts: string;
    };
  }
}

/** The state after the action: the fields that the action concerns. */
export type Facts = Partial<
  Pick<MaintenanceHistoryEntry, 'phase' | 'mode' | 'text' | 'severity' | 'startsAt' | 'endsAt' | 'before'>
> & {
  /** When a phase was due; it is recorded later than that where no process was running. */
  due?: number | null;
};

export type HistoryEntry = {
  action: MaintenanceAction;
  window?: { id: string; title: string };
  by: Actor | null;
  facts: Facts;
};

/** Adds an entry to the history. Entries of one change stay in the order in which they were added. */
export async function writeHistory({ tx, revision, at }: Change, entry: HistoryEntry): Promise<void> {
  const written = await countRows(tx.selectFrom('maintenance_history').where('at', '=', at));
  await tx
    .insertInto('maintenance_history')
    .values({
      // Ids sort in the order of the entries, for lists where several have the same time.
      id: `${String(revision).padStart(14, '0')}-${String(written).padStart(4, '0')}`,
      at,
      deed: entry.action,
      window_id: entry.window?.id ?? null,
      title: entry.window?.title ?? null,
      ...writtenBy('by', entry.by),
      facts: JSON.stringify(entry.facts),
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
    .select(['id', 'at', 'deed', 'window_id', 'title', 'facts'])
    .select(authorOf('maintenance_history.by').as('by'))
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
 * The author of the current notice, if the notice was written when maintenance was started by hand or after
 * that; null if the notice was written before, or the author is unknown.
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

/** Whether the break-glass file was there, by its last entry in the history. */
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

function entryIn(row: Omit<Tables['maintenance_history'], 'by_id'>): MaintenanceHistoryEntry {
  return maintenanceHistoryEntry.parse({
    id: row.id,
    at: row.at,
    deed: maintenanceAction.parse(row.deed),
    windowId: row.window_id,
    title: row.title,
    by: row.by,
    ...noFacts,
    ...(JSON.parse(row.facts) as Facts),
  });
}
