import { most, type GroupMapping } from '@portico/contract/permissions/administration';
import type { Change } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { recordAudit, type Actor } from '../audit/audit.store.ts';
import { keepAnAdministrator } from './last-administrator.ts';
import { unknownRoles } from './permissions.store.ts';
import {
  deleteMapping,
  insertMapping,
  readMappings,
  updateMapping,
  type MappingDraft,
} from './rules.store.ts';
import { peopleInGroups, publishTouched } from './touched-people.ts';
import { invalid, notFound, refuseStale, taken } from '../../platform/http/refusals.ts';

type Versioned<T> = T & { version: number };

export async function addMapping(change: Change, actor: Actor, draft: MappingDraft): Promise<GroupMapping> {
  await refuseSameMapping(change, draft, null);
  if ((await readMappings(change.tx)).length >= most.mappings)
    throw new HttpProblem('CONFLICT', { detail: `There can be ${most.mappings} mappings at most.` });
  await refuseUnknownRoles(change, '/roles', draft.roles);
  const id = await insertMapping(change, draft, actor.name);
  await publishTouched(change, [peopleInGroups(draft)]);
  const after = await mapping(change, id);
  await recordAudit(change, actor, {
    action: 'group-mapping.create',
    subject: id,
    after: mappingTextsOf(after),
  });
  return after;
}

export async function changeMapping(
  change: Change,
  actor: Actor,
  mappingId: string,
  { version, ...draft }: Versioned<MappingDraft>,
): Promise<GroupMapping> {
  const before = await mapping(change, mappingId);
  refuseStale(before.version, version);
  await refuseSameMapping(change, draft, mappingId);
  await refuseUnknownRoles(change, '/roles', draft.roles);
  await publishTouched(change, [peopleInGroups(before), peopleInGroups(draft)]);
  await keepAnAdministrator(change, () => updateMapping(change, mappingId, draft));
  const after = await mapping(change, mappingId);
  await recordAudit(change, actor, {
    action: 'group-mapping.update',
    subject: mappingId,
    before: mappingTextsOf(before),
    after: mappingTextsOf(after),
  });
  return after;
}

export async function removeMapping(change: Change, actor: Actor, mappingId: string): Promise<void> {
  const before = await mapping(change, mappingId);
  await publishTouched(change, [peopleInGroups(before)]);
  await keepAnAdministrator(change, () => deleteMapping(change, mappingId));
  await recordAudit(change, actor, {
    action: 'group-mapping.delete',
    subject: mappingId,
    before: mappingTextsOf(before),
  });
}

async function mapping(change: Change, mappingId: string): Promise<GroupMapping> {
  const found = (await readMappings(change.tx)).find(({ id }) => id === mappingId);
  if (found === undefined) throw notFound('There is no such mapping.');
  return found;
}

async function refuseUnknownRoles(change: Change, pointer: string, roles: readonly string[]): Promise<void> {
  const [unknown] = await unknownRoles(change.tx, roles);
  if (unknown !== undefined) throw invalid(`${pointer}/${roles.indexOf(unknown)}`, 'unknown', 'is no role');
}

async function refuseSameMapping(
  change: Change,
  { kind, match, name }: MappingDraft,
  except: string | null,
): Promise<void> {
  const same = (await readMappings(change.tx)).some(
    (one) => one.id !== except && one.kind === kind && one.match === match && one.name === name,
  );
  if (same) throw taken('/name', 'This group gives roles already. Change that mapping instead.');
}

export function mappingTextsOf({ kind, match, name, roles }: GroupMapping): MappingDraft {
  return { kind, match, name, roles };
}
