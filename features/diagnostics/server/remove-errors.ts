import { setTimeout as pause } from 'node:timers/promises';
import type { Core } from '#server/core.ts';
import type { Reader, Writer } from '#server/platform/database/database.ts';
import { removeMaps } from './source-maps/source-maps.store.ts';

/** Rows that one transaction removes: a write of SQLite blocks the whole process. */
const atOnce = 50;
/** Pause between two such transactions, in which other work runs, milliseconds. */
const pauseMs = 5;

/**
 * Removes deleted errors and removed projects, some rows at a time. After `begin` it runs to the end by itself;
 * after a restart the next sweep continues.
 *
 * @param stopping ends the removal between two transactions; the rest is removed after the next start
 */
export function createRemoval(
  { database, logger }: Pick<Core, 'database' | 'logger'>,
  stopping: AbortSignal,
) {
  let underWay: Promise<void> | null = null;
  const state = { again: false };

  async function removeAll(): Promise<void> {
    do {
      state.again = false;
      while (!stopping.aborted) {
        const group = await nextGroup(database.read);
        if (group === null) break;
        await removeGroup(group);
      }
      for (const project of await removedProjects(database.read)) await removeRest(project);
    } while (state.again && !stopping.aborted);
  }

  async function removeGroup(groupId: string): Promise<void> {
    for (let more = true; more && !stopping.aborted;) {
      more = await database.transaction((tx) => removeBatch(tx, groupId));
      await pause(pauseMs);
    }
  }

  /** Removes maps, counts and releases of a removed project. Its row stays, so that its number is not reused. */
  async function removeRest(project: number): Promise<void> {
    for (let gone = atOnce; gone === atOnce && !stopping.aborted;)
      gone = await database.transaction((tx) => removeMaps(tx, { project_id: project }, atOnce));
    await database.transaction(async (tx) => {
      await tx.deleteFrom('project_count').where('project_id', '=', project).execute();
      await tx.deleteFrom('project_release').where('project_id', '=', project).execute();
    });
  }

  function run(): Promise<void> {
    state.again = true;
    underWay ??= removeAll().finally(() => (underWay = null));
    return underWay;
  }

  return {
    /** Removes everything that is due; joins a run that is under way. */
    run,
    /** Waits for the transaction under way. */
    async close(): Promise<void> {
      await underWay?.catch(() => undefined);
    },
    /** As `run`, but the request that deleted something does not wait. */
    begin(): void {
      run().catch((error: unknown) =>
        logger.error({ err: error }, 'deleted errors could not be removed; it is tried again later'),
      );
    },
  };
}

async function removedProjects(read: Reader): Promise<number[]> {
  const rows = await read
    .selectFrom('diagnostic_project')
    .select('id')
    .where('removed_at', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

async function nextGroup(read: Reader): Promise<string | null> {
  const deleted = await read
    .selectFrom('error_group')
    .select('id')
    .where('status', '=', 'deleted')
    .limit(1)
    .executeTakeFirst();
  if (deleted !== undefined) return deleted.id;
  const projects = await removedProjects(read);
  return projects.length === 0 ? null : groupIn(read, projects);
}

async function groupIn(read: Reader, projects: readonly number[]): Promise<string | null> {
  const row = await read
    .selectFrom('error_group')
    .select('id')
    .where('project_id', 'in', projects)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Removes some rows of an error, and with the last rows the error itself; returns whether more is left. */
async function removeBatch(tx: Writer, groupId: string): Promise<boolean> {
  const events = await tx
    .deleteFrom('error_event')
    .where('n', 'in', (row) =>
      row.selectFrom('error_event').select('n').where('group_id', '=', groupId).orderBy('n').limit(atOnce),
    )
    .executeTakeFirst();
  if (events.numDeletedRows > 0n) return true;
  return removeCounts(tx, groupId);
}

/** As `removeBatch`, for an error that has no events left. */
export async function removeCounts(tx: Writer, groupId: string): Promise<boolean> {
  const people = await tx
    .deleteFrom('error_person')
    .where('group_id', '=', groupId)
    .where('person_hash', 'in', (row) =>
      row.selectFrom('error_person').select('person_hash').where('group_id', '=', groupId).limit(atOnce),
    )
    .executeTakeFirst();
  if (people.numDeletedRows > 0n) return true;
  const hours = await tx
    .deleteFrom('error_count')
    .where('group_id', '=', groupId)
    .where('hour', 'in', (row) =>
      row
        .selectFrom('error_count')
        .select('hour')
        .where('group_id', '=', groupId)
        .limit(10 * atOnce),
    )
    .executeTakeFirst();
  if (hours.numDeletedRows > 0n) return true;
  await tx.deleteFrom('error_comment').where('group_id', '=', groupId).execute();
  await tx.deleteFrom('error_alert').where('group_id', '=', groupId).execute();
  await tx.deleteFrom('error_facet').where('group_id', '=', groupId).execute();
  await tx.deleteFrom('error_group').where('id', '=', groupId).execute();
  return false;
}
