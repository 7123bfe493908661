import { severity, windowMode } from '#features/maintenance/contract/maintenance.ts';
import { windowTexts } from '#features/maintenance/contract/texts.ts';
import { windowPhase, type MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { presentTimeZone } from '#contract/time-zones.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Planned windows (MAINT-5). */
    maintenance_window: {
      id: string;
      title: string;
      text: string;
      /** JSON: texts by phase and language. */
      texts: string;
      severity: string;
      mode: string;
      starts_at: number;
      ends_at: number;
      lead_minutes: number;
      ends_by_itself: number;
      time_zone: string | null;
      /** The last phase that was recorded in the history and sent to webhooks. */
      phase: string;
      /** When the window ended or was cancelled. */
      over_at: number | null;
      created_at: number;
      created_by: string;
      created_by_id: string | null;
      changed_at: number;
      changed_by: string;
      changed_by_id: string | null;
      version: number;
    };
  }
}

/** A window as stored; its phase is the last one that was recorded. */
export type StoredWindow = MaintenanceWindow;

/** A position in a list that is sorted by time, then by id. */
export type Place = [at: number, id: string];

type Row = Tables['maintenance_window'];
type Authors = 'created_by' | 'created_by_id' | 'changed_by' | 'changed_by_id';

const authors = [
  authorOf('maintenance_window.created_by').as('createdBy'),
  authorOf('maintenance_window.changed_by').as('changedBy'),
] as const;

/** The windows that are not over, the next first. */
export async function openWindows(db: Reader): Promise<StoredWindow[]> {
  const rows = await db
    .selectFrom('maintenance_window')
    .selectAll()
    .select(authors)
    .where('over_at', 'is', null)
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
  return rows.map(windowIn);
}

/**
 * The last windows that have ended. People read the text of an ended window for a while, and the end of that while
 * goes into `changedAt`, however long ago it was.
 */
export async function finishedWindows(db: Reader): Promise<StoredWindow[]> {
  const rows = await db
    .selectFrom('maintenance_window')
    .selectAll()
    .select(authors)
    .where('phase', '=', 'ended')
    .orderBy('over_at', 'desc')
    .limit(10)
    .execute();
  return rows.map(windowIn);
}

export async function findWindow(db: Reader, id: string): Promise<StoredWindow | null> {
  const row = await db
    .selectFrom('maintenance_window')
    .selectAll()
    .select(authors)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : windowIn(row);
}

/** A page of the windows that are not over, the next first, or of those that are over, the last first. */
export async function windowPage(
  db: Reader,
  { over, after, limit }: { over: boolean; after: Place | null; limit: number },
): Promise<StoredWindow[]> {
  const column = over ? 'over_at' : 'starts_at';
  const direction = over ? 'desc' : 'asc';
  const beyond = over ? '<' : '>';
  const rows = await db
    .selectFrom('maintenance_window')
    .selectAll()
    .select(authors)
    .where('over_at', over ? 'is not' : 'is', null)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple(column, 'id'), beyond, tuple(after?.[0] ?? 0, after?.[1] ?? '')),
      ),
    )
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute();
  return rows.map(windowIn);
}

/** The position of a window in its list. */
export function placeOf({ overAt, startsAt, id }: StoredWindow): Place {
  return [overAt ?? startsAt, id];
}

export async function addWindow({ tx }: Change, window: StoredWindow, actor: Actor): Promise<void> {
  const by = { ...writtenBy('created_by', actor), ...writtenBy('changed_by', actor) };
  await tx
    .insertInto('maintenance_window')
    .values({ ...rowOf(window), ...by })
    .execute();
}

/** @param by the author of the change; left out: a phase change by time */
export async function writeWindow(
  { tx }: Change,
  window: StoredWindow,
  by: Partial<Pick<Row, Authors>> = {},
): Promise<void> {
  const { id, ...rest } = rowOf(window);
  await tx
    .updateTable('maintenance_window')
    .set({ ...rest, ...by })
    .where('id', '=', id)
    .execute();
}

function windowIn(row: Row & Pick<StoredWindow, 'createdBy' | 'changedBy'>): StoredWindow {
  return {
    id: row.id,
    title: row.title,
    text: row.text,
    texts: windowTexts.parse(JSON.parse(row.texts)),
    severity: severity.parse(row.severity),
    mode: windowMode.parse(row.mode),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    leadMinutes: row.lead_minutes,
    endsByItself: row.ends_by_itself === 1,
    timeZone: row.time_zone === null ? null : presentTimeZone(row.time_zone),
    phase: windowPhase.parse(row.phase),
    overAt: row.over_at,
    createdAt: row.created_at,
    createdBy: row.createdBy,
    changedAt: row.changed_at,
    changedBy: row.changedBy,
    version: row.version,
  };
}

function rowOf(window: StoredWindow): Omit<Row, Authors> {
  return {
    id: window.id,
    title: window.title,
    text: window.text,
    texts: JSON.stringify(window.texts),
    severity: window.severity,
    mode: window.mode,
    starts_at: window.startsAt,
    ends_at: window.endsAt,
    lead_minutes: window.leadMinutes,
    ends_by_itself: window.endsByItself ? 1 : 0,
    time_zone: window.timeZone,
    phase: window.phase,
    over_at: window.overAt,
    created_at: window.createdAt,
    changed_at: window.changedAt,
    version: window.version,
  };
}
