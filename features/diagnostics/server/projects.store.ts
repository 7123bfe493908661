import {
  ownProject,
  projectLimits,
  projectList,
  type Project,
  type ProjectKey,
} from '#features/diagnostics/contract/projects.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import { newProjectKey } from './intake/working-keys.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** An application whose SDKs report errors; 1 is Portico itself (DIAG-1). */
    diagnostic_project: {
      id: number;
      name: string;
      /** The DSN of another host that gets every envelope too; null: none. */
      forward_to: string | null;
      created_at: number;
      /** Null: made at the first start. */
      created_by: string | null;
      created_by_id: string | null;
      /** When an operator removed it: its errors are being deleted, and nothing shows it any more. */
      removed_at: number | null;
      version: number;
    };
    /** The public key in a project's DSN. */
    diagnostic_key: {
      /** 32 hexadecimal digits. */
      key: string;
      project_id: number;
      created_at: number;
      created_by: string | null;
      created_by_id: string | null;
      revoked_at: number | null;
      revoked_by: string | null;
    };
  }
}

/** A project without what depends on the installation's address. */
export type StoredProject = Omit<Project, 'keys'> & { keys: Omit<ProjectKey, 'dsn'>[] };

/** The projects that are not removed, Portico's own first. */
export async function readProjects(read: Reader): Promise<StoredProject[]> {
  const projects = await read
    .selectFrom('diagnostic_project')
    .selectAll()
    .select(authorOf('diagnostic_project.created_by').as('createdBy'))
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  const keys = await read
    .selectFrom('diagnostic_key')
    .select(['key', 'project_id', 'created_at', authorOf('diagnostic_key.created_by').as('createdBy')])
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('key')
    .execute();
  return projects.map((row) => ({
    id: row.id,
    name: row.name,
    forwardTo: row.forward_to,
    createdAt: row.created_at,
    createdBy: row.createdBy,
    version: row.version,
    keys: keys
      .filter(({ project_id: id }) => id === row.id)
      .map(({ key, created_at: createdAt, createdBy }) => ({ key, createdAt, createdBy })),
  }));
}

/** Throws NOT_FOUND. */
export async function readProject(read: Reader, id: number): Promise<StoredProject> {
  const projects = await readProjects(read);
  return orNotFound(
    projects.find((each) => each.id === id),
    'There is no such project.',
  );
}

/** Adds a project with a first key; answers its number. Throws CONFLICT where there are too many. */
export async function insertProject(change: Change, name: string, actor: Actor): Promise<number> {
  const { tx, at } = change;
  const projects = await readProjects(tx);
  if (projects.length >= projectLimits.projects) {
    throw new HttpProblem('CONFLICT', {
      detail: `There may be ${projectLimits.projects} projects. Remove one first.`,
    });
  }
  // Removed projects count too: envelopes to their numbers must not reach another project.
  const { last } = await tx
    .selectFrom('diagnostic_project')
    .select(({ fn }) => fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  const id = (last ?? ownProject) + 1;
  await tx
    .insertInto('diagnostic_project')
    .values({
      id,
      name,
      forward_to: null,
      created_at: at,
      ...writtenBy('created_by', actor),
      removed_at: null,
      version: 1,
    })
    .execute();
  await insertKey(change, id, actor);
  return id;
}

export async function updateProject(
  change: Change,
  id: number,
  { name, forwardTo }: { name: string; forwardTo: string | null },
): Promise<void> {
  await change.tx
    .updateTable('diagnostic_project')
    .set({ name, forward_to: forwardTo, version: nextVersion })
    .where('id', '=', id)
    .execute();
  published(change);
}

/** Hides a project and removes its keys, its errors later. Its row stays, so that its number is not reused. */
export async function hideProject(change: Change, id: number): Promise<void> {
  await change.tx.deleteFrom('diagnostic_key').where('project_id', '=', id).execute();
  await change.tx
    .updateTable('diagnostic_project')
    .set({ removed_at: change.at, version: nextVersion })
    .where('id', '=', id)
    .execute();
  published(change);
}

/** Adds a key to a project; returns the key. */
export async function insertKey(change: Change, projectId: number, actor: Actor): Promise<string> {
  const key = newProjectKey();
  await change.tx
    .insertInto('diagnostic_key')
    .values({
      key,
      project_id: projectId,
      created_at: change.at,
      ...writtenBy('created_by', actor),
      revoked_at: null,
      revoked_by: null,
    })
    .execute();
  published(change);
  return key;
}

export async function markRevoked(change: Change, key: string, revokedBy: string): Promise<void> {
  await change.tx
    .updateTable('diagnostic_key')
    .set({ revoked_at: change.at, revoked_by: revokedBy })
    .where('key', '=', key)
    .execute();
  published(change);
}

/** Makes the intake read its keys again, and the settings screens their projects. */
function published(change: Change): void {
  change.publish('diagnostics');
  publishList(change, projectList);
}
