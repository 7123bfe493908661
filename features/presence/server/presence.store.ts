import { sql } from 'kysely';
import type { Presence, PresenceOfBrowser } from '#features/presence/contract/presence.ts';
import type { Reader } from '#server/platform/database/database.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The processes that hold streams; used where there can be several. */
    presence_process: { id: string; seen_at: number };
    /**
     * The browsers connected to these processes; `person_hash` distinguishes people without naming them.
     */
    presence: {
      connection_id: string;
      process_id: string;
      person_hash: string;
      tabs: number;
      unsaved: number;
    };
  }
}

// The only SQL that writes presence and presence_process. It uses the clock of PostgreSQL, since those of the
// replicas differ.

export type BrowserRow = { connectionId: string; personHash: string } & PresenceOfBrowser;

/** A process counts while its last heartbeat is younger than this, and is removed after twice as long. */
const countedForMs = 30_000;

const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Records a heartbeat. False if the process had no row: its browsers must be added again. */
export async function recordHeartbeat(db: Reader, processId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('presence_process')
    .set({ seen_at: now })
    .where('id', '=', processId)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) > 0) return true;
  await db
    .insertInto('presence_process')
    .values({ id: processId, seen_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return false;
}

/** Deletes processes without a recent heartbeat, and the browsers of processes that no longer exist. */
export async function sweepPresence(db: Reader): Promise<void> {
  await db
    .deleteFrom('presence_process')
    .where('seen_at', '<', sql<number>`${now} - ${sql.lit(2 * countedForMs)}`)
    .execute();
  await db
    .deleteFrom('presence')
    .where('process_id', 'not in', (query) => query.selectFrom('presence_process').select('id'))
    .execute();
}

/** Adds browsers; rows that already exist stay unchanged. */
export async function addBrowsers(db: Reader, processId: string, rows: readonly BrowserRow[]): Promise<void> {
  await sql`insert into presence (connection_id, process_id, person_hash, tabs, unsaved)
    select id, ${processId}, hash, tabs, unsaved from ${columns(rows)}
    on conflict do nothing`.execute(db);
}

/** Updates the rows of browsers, whichever process holds them; answers the rows that were found. */
export async function changeBrowsers(db: Reader, rows: readonly BrowserRow[]): Promise<Set<BrowserRow>> {
  const { rows: found } = await sql<{ id: string; hash: string }>`update presence
    set tabs = given.tabs, unsaved = given.unsaved
    from ${columns(rows)}
    where connection_id = given.id and person_hash = given.hash
    returning connection_id as id, person_hash as hash`.execute(db);
  const known = new Set(found.map(({ id, hash }) => `${id} ${hash}`));
  return new Set(rows.filter((row) => known.has(`${row.connectionId} ${row.personHash}`)));
}

export async function removeBrowsers(db: Reader, connectionIds: readonly string[]): Promise<void> {
  await sql`delete from presence where connection_id = any(${[...connectionIds]}::text[])`.execute(db);
}

/** Deletes a process and its browsers. */
export async function removeProcess(db: Reader, processId: string): Promise<void> {
  await db.deleteFrom('presence').where('process_id', '=', processId).execute();
  await db.deleteFrom('presence_process').where('id', '=', processId).execute();
}

export async function countBrowsers(db: Reader): Promise<Presence> {
  return connected(db)
    .select((row) => [
      row.fn.count<number>('person_hash').distinct().as('people'),
      row.fn.coalesce(row.fn.sum<number>('tabs'), sql.lit(0)).as('tabs'),
      row.fn.coalesce(row.fn.sum<number>('unsaved'), sql.lit(0)).as('unsaved'),
    ])
    .executeTakeFirstOrThrow();
}

/** The hashes of the people who are connected, to any process. */
export async function hashesConnected(db: Reader): Promise<string[]> {
  const rows = await connected(db).select('person_hash').distinct().execute();
  return rows.map((row) => row.person_hash);
}

/** The ids of people who have a session, in order, starting after the id `behind`. */
export async function peopleWithSessions(db: Reader, behind: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('session')
    .select('person_id')
    .distinct()
    .where('person_id', '>', behind)
    .orderBy('person_id')
    .limit(most)
    .execute();
  return rows.map((row) => row.person_id);
}

/** The browsers of all processes with a recent heartbeat. */
function connected(db: Reader) {
  return db
    .selectFrom('presence')
    .innerJoin('presence_process', 'presence_process.id', 'presence.process_id')
    .where('seen_at', '>=', sql<number>`${now} - ${sql.lit(countedForMs)}`);
}

// Uses four query parameters, whatever the number of rows.
function columns(rows: readonly BrowserRow[]) {
  return sql`unnest(${rows.map((row) => row.connectionId)}::text[], ${rows.map((row) => row.personHash)}::text[],
    ${rows.map((row) => row.tabs)}::int[], ${rows.map((row) => row.unsaved)}::int[]) as given(id, hash, tabs, unsaved)`;
}
