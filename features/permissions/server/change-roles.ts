import { most, type RoleDefinition } from '#features/permissions/contract/administration.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import {
  changedMeanwhile,
  HttpProblem,
  invalid,
  orNotFound,
  taken,
} from '#server/platform/http/http-problem.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { isBuiltInRole } from './decide-rights.ts';
import { requireGivable } from './given-by-token.ts';
import { requireAdministrator } from './last-administrator.ts';
import * as store from './rules.store.ts';
import { peopleWithRoles, publishAffected } from './affected-people.ts';
import { mappingTextsOf } from './change-mappings.ts';

type Versioned<T> = T & { version: number };

const ownRoles = versionedRows({ find: ownRole, audited: roleTextsOf, stale: changedMeanwhile });

export async function addRole(
  change: Change,
  actor: Actor,
  { role, ...texts }: store.RoleTexts & { role: string },
): Promise<RoleDefinition> {
  if (isBuiltInRole(role) || (await store.readRole(change.tx, role)) !== null)
    throw taken('/role', `There is a role ${role} already.`);
  await refuseSameName(change, role, texts.name);
  if ((await store.readRoles(change.tx)).length >= most.roles)
    throw new HttpProblem('CONFLICT', { detail: `There can be ${most.roles} roles at most.` });
  await refuseUnknownRights(change, texts.rights);
  await requireGivable(change, actor, () => texts.rights);
  await store.insertRole(change, role, texts);
  change.publish('right-rules');
  return ownRoles.recordWrite(change, actor, { action: 'role.create', subject: role });
}

export async function changeRole(
  change: Change,
  actor: Actor,
  role: string,
  { version, ...texts }: Versioned<store.RoleTexts>,
): Promise<RoleDefinition> {
  const before = await ownRoles.findAt(change, role, version);
  await refuseSameName(change, role, texts.name);
  await refuseUnknownRights(change, texts.rights);
  await requireGivable(change, actor, () => texts.rights.filter((right) => !before.rights.includes(right)));
  await publishAffected(change, [peopleWithRoles([role])]);
  await requireAdministrator(change, () => store.updateRole(change, role, texts));
  return ownRoles.recordWrite(change, actor, { action: 'role.update', subject: role, before });
}

export async function removeRole(change: Change, actor: Actor, role: string): Promise<void> {
  const before = await ownRole(change.tx, role);
  const holders = await change.tx
    .selectFrom('person_role')
    .select('person_id')
    .where('role', '=', role)
    .orderBy('person_id')
    .execute();
  const mappings = (await store.readMappings(change.tx)).filter(({ roles }) => roles.includes(role));
  await publishAffected(change, [peopleWithRoles([role])]);
  await requireAdministrator(change, () => store.deleteRole(change, role));
  await ownRoles.recordRemoval(change, actor, {
    action: 'role.delete',
    subject: role,
    before,
    lost: {
      people: holders.map(({ person_id }) => person_id),
      mappings: mappings.map(mappingTextsOf),
    },
  });
}

async function ownRole(read: Reader, role: string): Promise<RoleDefinition> {
  const found = orNotFound(await store.readRole(read, role), 'There is no such role.');
  if (found.builtIn) {
    throw new HttpProblem('CONFLICT', {
      detail: 'This role comes with Portico and cannot be changed. Make a copy of it and change that.',
    });
  }
  return found;
}

async function refuseUnknownRights(change: Change, rights: readonly string[]): Promise<void> {
  const [unknown] = await store.unknownRights(change.tx, rights);
  if (unknown !== undefined)
    throw invalid(`/rights/${rights.indexOf(unknown)}`, 'unknown', 'is no right of the catalogue');
}

/** Two roles of one name could not be distinguished where only names are shown. */
async function refuseSameName(change: Change, role: string, name: string): Promise<void> {
  const same = (await store.readRoles(change.tx)).some(
    (one) => one.role !== role && !one.builtIn && one.name.toLowerCase() === name.toLowerCase(),
  );
  if (same) throw taken('/name', 'Another role has this name.');
}

function roleTextsOf({ name, description, rights }: RoleDefinition): store.RoleTexts {
  return { name, description, rights };
}
