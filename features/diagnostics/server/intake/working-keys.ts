import { randomBytes } from 'node:crypto';
import { ownProject } from '#features/diagnostics/contract/projects.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';

/** The project of a valid key. */
export type WorkingProject = {
  id: number;
  /** The DSN of another host that gets every envelope too, or null. */
  forwardTo: string | null;
};

/** The project of each key that is not revoked. */
export type WorkingKeys = {
  byKey: ReadonlyMap<string, WorkingProject>;
  /** The oldest key of Portico's own project; null where all of them were revoked. */
  ownKey: string | null;
};

/** A new public key of a DSN: 32 hexadecimal digits. */
export function newProjectKey(): string {
  return randomBytes(16).toString('hex');
}

/** Creates Portico's own project and its key at the first start, only once even if two replicas start together. */
export async function makeOwnProject(database: Database): Promise<void> {
  if (await hasOwnProject(database.read)) return;
  await database.change(async (change) => {
    if (await hasOwnProject(change.tx)) return;
    const made = { created_at: change.at, created_by: null };
    await change.tx
      .insertInto('diagnostic_project')
      .values({ ...made, id: ownProject, name: 'Portico', forward_to: null, removed_at: null, version: 1 })
      .execute();
    await change.tx
      .insertInto('diagnostic_key')
      .values({
        ...made,
        key: newProjectKey(),
        project_id: ownProject,
        revoked_at: null,
        revoked_by: null,
      })
      .execute();
    change.publish('diagnostics');
  });
}

async function hasOwnProject(read: Reader): Promise<boolean> {
  const row = await read
    .selectFrom('diagnostic_project')
    .select('id')
    .where('id', '=', ownProject)
    .executeTakeFirst();
  return row !== undefined;
}

/** Every key that works, with its project. */
export async function readWorkingKeys(read: Reader): Promise<WorkingKeys> {
  const rows = await read
    .selectFrom('diagnostic_key')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'diagnostic_key.project_id')
    .select(['diagnostic_key.key', 'diagnostic_project.id', 'diagnostic_project.forward_to'])
    .where('diagnostic_key.revoked_at', 'is', null)
    .where('diagnostic_project.removed_at', 'is', null)
    .orderBy('diagnostic_key.created_at')
    .orderBy('diagnostic_key.key')
    .execute();
  return {
    byKey: new Map(rows.map(({ key, id, forward_to: forwardTo }) => [key, { id, forwardTo }])),
    ownKey: rows.find(({ id }) => id === ownProject)?.key ?? null,
  };
}
