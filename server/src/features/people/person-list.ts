import type { Person, PersonState } from '@portico/contract/people';
import { role, type Role } from '@portico/contract/permissions';
import type { Reader } from '../../platform/database.ts';
import { contains, searchText } from '../../platform/search-text.ts';
import { state, withAccount } from './people.store.ts';

export type PeopleFilter = {
  /** Words that each stand somewhere in the name or the e-mail address; empty: everybody. */
  search: string;
  state?: PersonState | undefined;
  role?: Role | undefined;
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
    people: await withRoles(read, shown),
    total,
    next: last === undefined ? null : { nameKey: last.name_key, personId: last.id },
  };
}

/** One person, or null. */
export async function readPerson(read: Reader, personId: string): Promise<Person | null> {
  const row = await withProfile(read).select(columns).where('person.id', '=', personId).executeTakeFirst();
  if (row === undefined) return null;
  const [person] = await withRoles(read, [row]);
  return person ?? null;
}

const columns = [
  'person.id',
  'person.email',
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
      ]),
    );
  }
  if (filter.state !== undefined) query = query.where(state, '=', filter.state);
  if (filter.role !== undefined) {
    const { role: wanted } = filter;
    query = query.where((row) =>
      row.exists(
        row
          .selectFrom('person_role')
          .select('person_role.role')
          .whereRef('person_role.person_id', '=', 'person.id')
          .where('person_role.role', '=', wanted),
      ),
    );
  }
  return query;
}

type Row = {
  id: string;
  email: string;
  created_at: number;
  last_seen_at: number | null;
  version: number;
  first_name: string;
  last_name: string;
  state: PersonState;
};

async function withRoles(read: Reader, rows: readonly Row[]): Promise<Person[]> {
  if (rows.length === 0) return [];
  const held = await read
    .selectFrom('person_role')
    .select(['person_id', 'role'])
    .where(
      'person_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    state: row.state,
    // In the catalogue's order, and without roles that only a newer program knows.
    roles: role.options.filter((name) => held.some((one) => one.person_id === row.id && one.role === name)),
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    version: row.version,
  }));
}
