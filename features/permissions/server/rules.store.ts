import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';
import {
  type CatalogueRight,
  type GroupKind,
  type GroupMapping,
  type KnownGroup,
  type RoleDefinition,
} from '#features/permissions/contract/administration.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { containsInAnyCase, countRows, nextVersion } from '#server/platform/database/sql.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { Mapping, RuleSet } from './decide-rights.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Rights of the operators' own (RIGHT-2). */
    own_right: { right_name: string; area: string; label: string; description: string; version: number };
    /** Roles of the operators' own (RIGHT-3). */
    own_role: { role: string; name: string; description: string; version: number };
    own_role_right: { role: string; right_name: string };
    /** Which group of the provider gives roles. */
    group_mapping: {
      id: string;
      kind: string;
      match: string;
      name: string;
      created_at: number;
      created_by: string;
      created_by_id: string | null;
      version: number;
    };
    group_mapping_role: { mapping_id: string; role: string };
  }
}

/** What roles, groups and the catalogue give, as stored. */
export async function readRuleSet(read: Reader): Promise<RuleSet> {
  const rights = await read.selectFrom('own_right').select('right_name').orderBy('right_name').execute();
  const rolesWithRights = await read
    .selectFrom('own_role')
    .leftJoin('own_role_right', 'own_role_right.role', 'own_role.role')
    .select(['own_role.role', 'own_role_right.right_name'])
    .orderBy('own_role.role')
    .orderBy('own_role_right.right_name')
    .execute();
  const roles = new Map<string, string[]>();
  for (const { role, right_name } of rolesWithRights) {
    const known = roles.get(role) ?? [];
    if (right_name !== null) known.push(right_name);
    roles.set(role, known);
  }
  return {
    rights: rights.map(({ right_name }) => right_name),
    roles,
    mappings: await readMappings(read),
  };
}

// ---- the catalogue

const builtInRights: readonly CatalogueRight[] = rightCatalogue.map(({ right, area }) => ({
  right,
  area,
  builtIn: true,
  label: '',
  description: '',
  version: 1,
}));

/** The built-in rights, then the own ones by area and name. */
export async function readCatalogue(read: Reader): Promise<CatalogueRight[]> {
  const own = await read.selectFrom('own_right').selectAll().execute();
  return [
    ...builtInRights,
    ...own
      .map(catalogueRightOf)
      .toSorted((one, other) => compare(one.area, other.area) || compare(one.right, other.right)),
  ];
}

/** The labels of these rights, as far as they are the installation's own and have a label. */
export async function labelsOfRights(
  read: Reader,
  rights: readonly string[],
): Promise<Record<string, string>> {
  const own = rights.filter((right) => !builtInRights.some((one) => one.right === right));
  if (own.length === 0) return {};
  const rows = await read
    .selectFrom('own_right')
    .select(['right_name', 'label'])
    .where('right_name', 'in', own)
    .where('label', '!=', '')
    .execute();
  return Object.fromEntries(rows.map(({ right_name, label }) => [right_name, label]));
}

export async function readCatalogueRight(read: Reader, right: string): Promise<CatalogueRight | null> {
  const row = await read
    .selectFrom('own_right')
    .selectAll()
    .where('right_name', '=', right)
    .executeTakeFirst();
  return row === undefined
    ? (builtInRights.find((one) => one.right === right) ?? null)
    : catalogueRightOf(row);
}

export function countOwnCatalogue(read: Reader): Promise<number> {
  return countRows(read.selectFrom('own_right'));
}

export type RightTexts = { label: string; description: string; area: string };

export async function insertRight(change: Change, right: string, texts: RightTexts): Promise<void> {
  const { label, description, area } = texts;
  await change.tx
    .insertInto('own_right')
    .values({ right_name: right, label, description, area, version: 1 })
    .execute();
}

export async function updateRight(change: Change, right: string, texts: RightTexts): Promise<void> {
  const { label, description, area } = texts;
  await change.tx
    .updateTable('own_right')
    .set({ label, description, area, version: nextVersion })
    .where('right_name', '=', right)
    .execute();
}

/** Removes a right from the catalogue, every role and every person. */
export async function deleteRight(change: Change, right: string): Promise<void> {
  await change.tx.deleteFrom('own_role_right').where('right_name', '=', right).execute();
  await change.tx.deleteFrom('person_right').where('right_name', '=', right).execute();
  await change.tx.deleteFrom('own_right').where('right_name', '=', right).execute();
}

/** The names that no right of the catalogue has. */
export async function unknownRights(read: Reader, names: readonly string[]): Promise<string[]> {
  const others = names.filter((name) => !builtInRights.some(({ right }) => right === name));
  if (others.length === 0) return [];
  const known = new Set(
    (await read.selectFrom('own_right').select('right_name').execute()).map(({ right_name }) => right_name),
  );
  return others.filter((name) => !known.has(name));
}

function catalogueRightOf(row: RightTexts & { right_name: string; version: number }): CatalogueRight {
  const { right_name: right, area, label, description, version } = row;
  return { right, builtIn: false, area, label, description, version };
}

// ---- roles

/** The built-in roles, then the own ones by name. */
export async function readRoles(read: Reader): Promise<RoleDefinition[]> {
  const counted = await read
    .selectFrom('person_role')
    .select(['role', (row) => row.fn.countAll<number>().as('people')])
    .groupBy('role')
    .execute();
  const peopleWith = (role: string) => counted.find((one) => one.role === role)?.people ?? 0;
  const own = await read.selectFrom('own_role').selectAll().execute();
  const { roles: rightsOf } = await readRuleSet(read);
  return [
    ...Object.entries(builtInRoles).map(([role, rights]) => ({
      role,
      builtIn: true,
      name: '',
      description: '',
      rights: [...rights],
      people: peopleWith(role),
      version: 1,
    })),
    ...own
      .map(({ role, name, description, version }) => ({
        role,
        builtIn: false,
        name,
        description,
        rights: [...(rightsOf.get(role) ?? [])],
        people: peopleWith(role),
        version,
      }))
      .toSorted((one, other) => compare(one.name, other.name) || compare(one.role, other.role)),
  ];
}

export async function readRole(read: Reader, role: string): Promise<RoleDefinition | null> {
  return (await readRoles(read)).find((one) => one.role === role) ?? null;
}

/** The names of these own roles of the operators, by role. */
export async function roleNamesOf(read: Reader, roles: readonly string[]): Promise<Record<string, string>> {
  if (roles.length === 0) return {};
  const rows = await read
    .selectFrom('own_role')
    .select(['role', 'name'])
    .where('role', 'in', roles)
    .execute();
  return Object.fromEntries(rows.map(({ role, name }) => [role, name]));
}

export type RoleTexts = { name: string; description: string; rights: readonly string[] };

export async function insertRole(change: Change, role: string, texts: RoleTexts): Promise<void> {
  const { name, description, rights } = texts;
  await change.tx.insertInto('own_role').values({ role, name, description, version: 1 }).execute();
  await insertRoleRights(change, role, rights);
}

export async function updateRole(change: Change, role: string, texts: RoleTexts): Promise<void> {
  const { name, description, rights } = texts;
  await change.tx
    .updateTable('own_role')
    .set({ name, description, version: nextVersion })
    .where('role', '=', role)
    .execute();
  await change.tx.deleteFrom('own_role_right').where('role', '=', role).execute();
  await insertRoleRights(change, role, rights);
}

const batch = 1_000;

async function insertRoleRights(change: Change, role: string, rights: readonly string[]): Promise<void> {
  const rows = [...new Set(rights)].map((right) => ({ role, right_name: right }));
  for (let start = 0; start < rows.length; start += batch) {
    await change.tx
      .insertInto('own_role_right')
      .values(rows.slice(start, start + batch))
      .execute();
  }
}

/** Removes a role from all people and mappings, and a mapping that then gives nothing. */
export async function deleteRole(change: Change, role: string): Promise<void> {
  await change.tx.deleteFrom('person_role').where('role', '=', role).execute();
  await change.tx.deleteFrom('group_mapping_role').where('role', '=', role).execute();
  await change.tx
    .deleteFrom('group_mapping')
    .where('id', 'not in', (row) => row.selectFrom('group_mapping_role').select('mapping_id'))
    .execute();
  await change.tx.deleteFrom('own_role_right').where('role', '=', role).execute();
  await change.tx.deleteFrom('own_role').where('role', '=', role).execute();
}

// ---- groups

/** By name. */
export async function readMappings(read: Reader): Promise<GroupMapping[]> {
  const rows = await read
    .selectFrom('group_mapping')
    .selectAll()
    .select(authorOf('group_mapping.created_by').as('createdBy'))
    .execute();
  const roles = await read
    .selectFrom('group_mapping_role')
    .select(['mapping_id', 'role'])
    .orderBy('role')
    .execute();
  const rolesOf = new Map<string, string[]>();
  for (const { mapping_id, role } of roles)
    rolesOf.set(mapping_id, [...(rolesOf.get(mapping_id) ?? []), role]);
  return rows
    .map(({ id, kind, match, name, created_at, createdBy, version }) => ({
      id,
      kind: kind as GroupKind,
      match: match as Mapping['match'],
      name,
      roles: rolesOf.get(id) ?? [],
      createdAt: created_at,
      createdBy,
      version,
    }))
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.id, other.id));
}

export type MappingDraft = Omit<Mapping, 'id'>;

export async function insertMapping(
  change: Change,
  { kind, match, name, roles }: MappingDraft,
  actor: Actor,
): Promise<string> {
  const id = newId();
  await change.tx
    .insertInto('group_mapping')
    .values({
      id,
      kind,
      match,
      name,
      created_at: change.at,
      ...writtenBy('created_by', actor),
      version: 1,
    })
    .execute();
  await insertMappingRoles(change, id, roles);
  return id;
}

export async function updateMapping(
  change: Change,
  id: string,
  { kind, match, name, roles }: MappingDraft,
): Promise<void> {
  await change.tx
    .updateTable('group_mapping')
    .set({ kind, match, name, version: nextVersion })
    .where('id', '=', id)
    .execute();
  await change.tx.deleteFrom('group_mapping_role').where('mapping_id', '=', id).execute();
  await insertMappingRoles(change, id, roles);
}

async function insertMappingRoles(change: Change, id: string, roles: readonly string[]): Promise<void> {
  const rows = [...new Set(roles)].map((role) => ({ mapping_id: id, role }));
  if (rows.length > 0) await change.tx.insertInto('group_mapping_role').values(rows).execute();
}

export async function deleteMapping(change: Change, id: string): Promise<void> {
  await change.tx.deleteFrom('group_mapping_role').where('mapping_id', '=', id).execute();
  await change.tx.deleteFrom('group_mapping').where('id', '=', id).execute();
}

/** Groups whose name contains a text, by name, at most `limit`. */
export async function readGroups(
  read: Reader,
  filter: { search: string; kind?: GroupKind | undefined },
  limit: number,
): Promise<KnownGroup[]> {
  // Groups are counted before the search: `upper` is expensive, and there are far fewer groups than members.
  let query = read
    .with(
      (named) => named('known').materialized(),
      (db) =>
        db
          .selectFrom('person_group')
          .select(['kind', 'name', (row) => row.fn.countAll<number>().as('people')])
          .groupBy(['kind', 'name']),
    )
    .selectFrom('known')
    .selectAll()
    .orderBy('name')
    .orderBy('kind')
    .limit(limit);
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.search !== '') query = query.where((row) => containsInAnyCase(row.ref('name'), filter.search));
  return (await query.execute()).map(({ kind, name, people }) => ({ kind: kind as GroupKind, name, people }));
}

// Compares here, since each database engine orders letters in its own way.
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
