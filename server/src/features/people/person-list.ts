import type { Person, PersonState } from '@portico/contract/people';
import { role as builtInRole } from '@portico/contract/permissions';
import { sql } from 'kysely';
import type { Reader } from '../../platform/database.ts';
import { mixesScripts } from '../../platform/email-skeleton.ts';
import { contains, searchText } from '../../platform/search-text.ts';
import { state, withAccount } from './people.store.ts';
import { hasRole, holdsRight } from './right-holders.ts';

export type PeopleFilter = {
  /** Words that each stand somewhere in the name, the e-mail address or a group; empty: everybody. */
  search: string;
  state?: PersonState | undefined;
  role?: string | undefined;
  /** Held at this time, milliseconds. */
  right?: { name: string; at: number } | undefined;
  group?: string | undefined;
};

/** A place in the list: the person that was shown last. People who come or go meanwhile shift nothing. */
export type Place = { nameKey: string; personId: string };

export type PeoplePage = {
  people: Person[];
  /** How many the filter finds on all pages. */
  total: number;
  next: Place | null;
};

/** People in order of name, at most `limit` of those behind a place. */
export async function listPeople(
  read: Reader,
  filter: PeopleFilter,
  page: { after: Place | null; limit: number },
): Promise<PeoplePage> {
  const found = filtered(read, filter);
  const { total } = await found
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const { after } = page;
  const rows = await found
    .select(columns)
    .$if(after !== null, (query) =>
      query.where((row) =>
        row.or([
          row('profile.name_key', '>', after?.nameKey ?? ''),
          row.and([
            row('profile.name_key', '=', after?.nameKey ?? ''),
            row('person.id', '>', after?.personId ?? ''),
          ]),
        ]),
      ),
    )
    .orderBy('profile.name_key')
    .orderBy('person.id')
    .limit(page.limit + 1)
    .execute();
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return {
    people: await completed(read, shown),
    total,
    next: last === undefined ? null : { nameKey: last.name_key, personId: last.id },
  };
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
  'profile.name_key',
  state.as('state'),
] as const;

function withProfile(read: Reader) {
  return withAccount(read).innerJoin('profile', 'profile.person_id', 'person.id');
}

function filtered(read: Reader, filter: PeopleFilter) {
  let query = withProfile(read);
  for (const word of filter.search.split(/\s+/).filter((part) => part !== '')) {
    query = query.where((row) =>
      row.or([
        contains(row.ref('profile.name_key'), searchText(word)),
        contains(row.ref('person.email'), word.toLowerCase()),
        row(
          'person.id',
          'in',
          row
            .selectFrom('person_group')
            .select('person_group.person_id')
            .where((group) =>
              contains(sql<string>`lower(${group.ref('person_group.name')})`, word.toLowerCase()),
            ),
        ),
      ]),
    );
  }
  if (filter.state !== undefined) query = query.where(state, '=', filter.state);
  const { role, right, group } = filter;
  if (role !== undefined) query = query.where((row) => hasRole(row.ref('person.id'), role));
  if (right !== undefined) {
    query = query
      .where((row) => holdsRight(row.ref('person.id'), right.name, right.at))
      .where('person.blocked_at', 'is', null);
  }
  if (group !== undefined) {
    query = query.where((row) =>
      row(
        'person.id',
        'in',
        row
          .selectFrom('person_group')
          .select('person_group.person_id')
          .where('person_group.name', '=', group)
          .where('person_group.kind', 'in', ['group', 'role']),
      ),
    );
  }
  return query;
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
  state: PersonState;
};

async function completed(read: Reader, rows: readonly Row[]): Promise<Person[]> {
  if (rows.length === 0) return [];
  const roles = await rolesOf(
    read,
    rows.map(({ id }) => id),
  );
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
      state: row.state,
      roles: roles.get(row.id) ?? [],
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      version: row.version,
    };
  });
}

const builtInRoles: readonly string[] = builtInRole.options;

/** The built-in ones in the catalogue's order, then the own ones by name; without those that only a newer program knows. */
async function rolesOf(read: Reader, personIds: readonly string[]): Promise<Map<string, string[]>> {
  const held = await read
    .selectFrom('person_role')
    .leftJoin('own_role', 'own_role.role', 'person_role.role')
    .select(['person_role.person_id', 'person_role.role', 'own_role.name'])
    .where('person_role.person_id', 'in', personIds)
    .execute();
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
  return new Map(
    personIds.map((id) => [id, known.filter(({ person_id }) => person_id === id).map(({ role }) => role)]),
  );
}

const mostLookAlikes = 5;

/** Who else has an address that looks like each of these people's. */
async function lookAlikes(
  read: Reader,
  rows: readonly Row[],
): Promise<(row: Row) => { id: string; email: string }[]> {
  const skeletons = [...new Set(rows.flatMap(({ email_skeleton }) => email_skeleton ?? []))];
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
