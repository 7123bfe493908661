import { normalizedAddress } from '#contract/email-address.ts';
import type { PeopleOrder, Person, PersonState } from '#features/people/contract/people.ts';
import { role as builtInRole } from '#features/permissions/contract/permissions.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';
import {
  knownGroups,
  peopleInGroupsNamed,
  rolesByMappedGroups,
  hasRole,
  holdsRight,
} from '#features/permissions/server/right-holders.ts';
import { contains, containsInAnyCase, searchText } from '#server/platform/database/sql.ts';
import { state, withAccount } from '#features/directory/server/people.store.ts';
import { mixesScripts } from '#server/platform/database/email-skeleton.ts';

export type PeopleFilter = {
  /** Each word has to occur in the name, the email address or a group; empty: all people. */
  search: string;
  state?: PersonState | undefined;
  role?: string | undefined;
  /** A right that people hold at this time, milliseconds. */
  right?: { name: string; at: number } | undefined;
  group?: string | undefined;
};

/**
 * A place in the list: the sort key and the id of the person that was shown last. People who are added or removed in
 * between do not shift it.
 */
export type Place = [key: string | number, personId: string];

export type PlaceInOrder = {
  after: Place | null;
  limit: number;
  order: PeopleOrder;
  direction: 'ascending' | 'descending';
};

export type PeoplePage = {
  people: Person[];
  /** How many people the filter finds on all pages. */
  total: number;
  next: Place | null;
};

/** People in order, at most `limit` of those behind a place. */
export async function listPeople(
  read: Reader,
  filter: PeopleFilter,
  page: PlaceInOrder,
): Promise<PeoplePage> {
  const { total, ids } = await foundIds(read, filter, { ...page, limit: page.limit + 1 });
  const people = await readPeople(read, ids.slice(0, page.limit));
  const last = ids.length > page.limit ? people.at(-1) : undefined;
  return {
    people: await completed(read, people),
    total,
    next: last === undefined ? null : [keyOf(page.order, last), last.id],
  };
}

/**
 * Ids in order, and their number. The filter is evaluated once for both; without a filter an index gives the page.
 * Everything else is read for the people of the page alone.
 */
async function foundIds(
  read: Reader,
  filter: PeopleFilter,
  { after, limit, order, direction }: PlaceInOrder,
): Promise<{ total: number; ids: string[] }> {
  const conditions = conditionsOf(filter);
  const [then, way] = direction === 'ascending' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const behind =
    after === null
      ? sql`1 = 1`
      : sql`(place ${then} ${after[0]} or (place = ${after[0]} and person_id ${then} ${after[1]}))`;
  const people = inOrder[order];
  const found =
    conditions.length === 0
      ? sql`found as not materialized (${people})`
      : sql`found as materialized (${people} where ${sql.join(conditions, sql` and `)})`;
  const counted = conditions.length === 0 ? sql`profile` : sql`found`;
  const { rows } = await sql<{ total: number; person_id: string | null }>`with ${knownGroups}, ${found}
    select counted.total, page.person_id from (select count(*) as total from ${counted}) as counted
    left join (
      select person_id, place from found where ${behind} order by place ${way}, person_id ${way} limit ${limit}
    ) as page on 1 = 1
    order by page.place ${way}, page.person_id ${way}`.execute(read);
  return {
    total: rows[0]?.total ?? 0,
    ids: rows.flatMap(({ person_id }) => person_id ?? []),
  };
}

const withPerson = sql`from person join profile on profile.person_id = person.id`;

/** For each order, all people with the value to compare, as an index has it; a person without a time comes first. */
const inOrder: Record<PeopleOrder, RawBuilder<unknown>> = {
  name: sql`select person_id, name_key as place from profile`,
  joined: sql`select person.id as person_id, person.created_at as place ${withPerson}`,
  seen: sql`select person.id as person_id, coalesce(person.last_seen_at, 0) as place ${withPerson}`,
};

function keyOf(order: PeopleOrder, row: Row): Place[0] {
  return order === 'name' ? row.name_key : order === 'joined' ? row.created_at : (row.last_seen_at ?? 0);
}

/** What is shown of people, in the order of their ids. */
async function readPeople(read: Reader, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await withProfile(read).select(columns).where('person.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** One person, or null. */
export async function readPerson(read: Reader, personId: string): Promise<Person | null> {
  const row = await withProfile(read).select(columns).where('person.id', '=', personId).executeTakeFirst();
  if (row === undefined) return null;
  const [person] = await completed(read, [row]);
  return person ?? null;
}

const columns = [
  'person.id',
  'person.email',
  'person.email_skeleton',
  'person.created_at',
  'person.last_seen_at',
  'person.version',
  'profile.first_name',
  'profile.last_name',
  'profile.avatar',
  'profile.name_key',
  state.as('state'),
] as const;

function withProfile(read: Reader) {
  return withAccount(read).innerJoin('profile', 'profile.person_id', 'person.id');
}

/** The filter as conditions on `profile`, each a set of people that is worked out once. */
function conditionsOf(filter: PeopleFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  const personId = sql.ref<string>('profile.person_id');
  for (const word of filter.search.split(/\s+/).filter((part) => part !== '')) {
    conditions.push(sql`(${contains(sql.ref<string>('profile.name_key'), searchText(word))}
      or ${personId} in (select id from person where ${contains(sql.ref<string>('email'), normalizedAddress(word))})
      or ${personId} in (${peopleInGroupsNamed((name) => containsInAnyCase(name, word))}))`);
  }
  const { state: wanted, role, right, group } = filter;
  if (wanted !== undefined) {
    // Most people are active: the others are the shorter list.
    const [among, is] = wanted === 'active' ? [sql`not in`, sql`<>`] : [sql`in`, sql`=`];
    conditions.push(sql`${personId} ${among} (
      select person.id from person left join account on account.id = person.subject where ${state} ${is} ${wanted})`);
  }
  if (role !== undefined) conditions.push(hasRole(personId, role));
  if (right !== undefined) {
    conditions.push(
      holdsRight(personId, right.name, right.at),
      sql`${personId} not in (select id from person where blocked_at is not null)`,
    );
  }
  if (group !== undefined) {
    conditions.push(
      sql`${personId} in (select person_id from person_group where kind in ('group', 'role') and name = ${group})`,
    );
  }
  return conditions;
}

type Row = {
  id: string;
  email: string;
  email_skeleton: string | null;
  created_at: number;
  last_seen_at: number | null;
  version: number;
  first_name: string;
  last_name: string;
  avatar: string | null;
  name_key: string;
  state: PersonState;
};

async function completed(read: Reader, rows: readonly Row[]): Promise<Person[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const roles = await rolesOf(read, ids);
  const groupRoles = await groupRolesOf(read, ids);
  const alike = await lookAlikes(read, rows);
  return rows.map((row) => {
    const mixedScripts = mixesScripts(row.email);
    const others = alike(row);
    return {
      id: row.id,
      email: row.email,
      emailDoubt: mixedScripts || others.length > 0 ? { mixedScripts, lookAlikes: others } : null,
      firstName: row.first_name,
      lastName: row.last_name,
      avatar: row.avatar,
      state: row.state,
      roles: roles.get(row.id) ?? [],
      groupRoles: (groupRoles.get(row.id) ?? []).filter((role) => !roles.get(row.id)?.includes(role)),
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      version: row.version,
    };
  });
}

const builtInRoles: readonly string[] = builtInRole.options;

type EffectiveRole = { person_id: string; role: string; name: string | null };

async function rolesOf(read: Reader, personIds: readonly string[]): Promise<Map<string, string[]>> {
  const held = await read
    .selectFrom('person_role')
    .leftJoin('own_role', 'own_role.role', 'person_role.role')
    .select(['person_role.person_id', 'person_role.role', 'own_role.name'])
    .where('person_role.person_id', 'in', personIds)
    .execute();
  return rolesByPerson(held);
}

async function groupRolesOf(read: Reader, personIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<EffectiveRole>`select had.person_id, had.role, own_role.name
    from (${rolesByMappedGroups(personIds)}) as had left join own_role on own_role.role = had.role`.execute(
    read,
  );
  return rolesByPerson(rows);
}

/** Built-in roles in the catalogue's order, then own roles by name; without the built-in roles of a newer program. */
function rolesByPerson(held: readonly EffectiveRole[]): Map<string, string[]> {
  const place = (role: string) => {
    const index = builtInRoles.indexOf(role);
    return index === -1 ? builtInRoles.length : index;
  };
  const known = held
    .filter(({ role, name }) => name !== null || builtInRoles.includes(role))
    .toSorted(
      (one, other) =>
        place(one.role) - place(other.role) ||
        ((one.name ?? '') < (other.name ?? '') ? -1 : (one.name ?? '') > (other.name ?? '') ? 1 : 0),
    );
  const byPerson = new Map<string, string[]>();
  for (const { person_id, role } of known)
    byPerson.set(person_id, [...(byPerson.get(person_id) ?? []), role]);
  return byPerson;
}

const mostLookAlikes = 5;

/** Other people whose address looks like one of these people's. */
async function lookAlikes(
  read: Reader,
  rows: readonly Row[],
): Promise<(row: Row) => { id: string; email: string }[]> {
  // A person without an address resembles no one.
  const skeletons = [...new Set(rows.flatMap(({ email_skeleton }) => email_skeleton || []))];
  if (skeletons.length === 0) return () => [];
  const found = await read
    .selectFrom('person')
    .select(['id', 'email', 'email_skeleton'])
    .where('email_skeleton', 'in', skeletons)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const bySkeleton = new Map<string | null, { id: string; email: string }[]>();
  for (const { id, email, email_skeleton } of found)
    bySkeleton.set(email_skeleton, [...(bySkeleton.get(email_skeleton) ?? []), { id, email }]);
  return (row) =>
    (bySkeleton.get(row.email_skeleton) ?? []).filter(({ id }) => id !== row.id).slice(0, mostLookAlikes);
}
