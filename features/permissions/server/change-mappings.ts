import { most, type GroupMapping } from '#features/permissions/contract/administration.ts';
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
import { requireRolesGivable } from './given-by-token.ts';
import { requireAdministrator } from './last-administrator.ts';
import { unknownRoles } from './permissions.store.ts';
import * as store from './rules.store.ts';
import { peopleInGroups, publishAffected } from './affected-people.ts';

type Versioned<T> = T & { version: number };

const mappings = versionedRows({ find: readMapping, audited: mappingTextsOf, stale: changedMeanwhile });

export async function addMapping(
  change: Change,
  actor: Actor,
  draft: store.MappingDraft,
): Promise<GroupMapping> {
  await refuseSameMapping(change, draft, null);
  if ((await store.readMappings(change.tx)).length >= most.mappings)
    throw new HttpProblem('CONFLICT', { detail: `There can be ${most.mappings} mappings at most.` });
  await refuseUnknownRoles(change, '/roles', draft.roles);
  await requireRolesGivable(change, actor, draft.roles);
  const id = await store.insertMapping(change, draft, actor);
  await publishAffected(change, [peopleInGroups(draft)]);
  return mappings.recordWrite(change, actor, { action: 'group-mapping.create', subject: id });
}

export async function changeMapping(
  change: Change,
  actor: Actor,
  mappingId: string,
  { version, ...draft }: Versioned<store.MappingDraft>,
): Promise<GroupMapping> {
  const before = await mappings.findAt(change, mappingId, version);
  await refuseSameMapping(change, draft, mappingId);
  await refuseUnknownRoles(change, '/roles', draft.roles);
  const sameGroups = before.kind === draft.kind && before.match === draft.match && before.name === draft.name;
  await requireRolesGivable(change, actor, draft.roles, sameGroups ? before.roles : []);
  await publishAffected(change, [peopleInGroups(before), peopleInGroups(draft)]);
  await requireAdministrator(change, () => store.updateMapping(change, mappingId, draft));
  return mappings.recordWrite(change, actor, { action: 'group-mapping.update', subject: mappingId, before });
}

export async function removeMapping(change: Change, actor: Actor, mappingId: string): Promise<void> {
  const before = await readMapping(change.tx, mappingId);
  await publishAffected(change, [peopleInGroups(before)]);
  await requireAdministrator(change, () => store.deleteMapping(change, mappingId));
  await mappings.recordRemoval(change, actor, { action: 'group-mapping.delete', subject: mappingId, before });
}

async function readMapping(read: Reader, mappingId: string): Promise<GroupMapping> {
  const all = await store.readMappings(read);
  return orNotFound(
    all.find(({ id }) => id === mappingId),
    'There is no such mapping.',
  );
}

async function refuseUnknownRoles(change: Change, pointer: string, roles: readonly string[]): Promise<void> {
  const [unknown] = await unknownRoles(change.tx, roles);
  if (unknown !== undefined) throw invalid(`${pointer}/${roles.indexOf(unknown)}`, 'unknown', 'is no role');
}

async function refuseSameMapping(
  change: Change,
  { kind, match, name }: store.MappingDraft,
  except: string | null,
): Promise<void> {
  const same = (await store.readMappings(change.tx)).some(
    (one) => one.id !== except && one.kind === kind && one.match === match && one.name === name,
  );
  if (same) throw taken('/name', 'This group gives roles already. Change that mapping instead.');
}

export function mappingTextsOf({ kind, match, name, roles }: GroupMapping): store.MappingDraft {
  return { kind, match, name, roles };
}
