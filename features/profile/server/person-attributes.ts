import { presentTimeZone } from '#contract/time-zones.ts';
import type { Reader } from '#server/platform/database/database.ts';

/** What flag rules may ask about a person (FLAG-3). */
export type PersonAttributes = {
  id: string;
  email: string;
  /** The text after the last `@`, or empty. */
  emailDomain: string;
  roles: string[];
  /** The groups that an identity provider names; the embedded one has none. */
  groups: string[];
  locale: string | null;
  timeZone: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

/**
 * The attributes of a person as they are now, or null where there is no such person. They change with the
 * topics `person` and `rights`.
 */
export async function personAttributes(read: Reader, personId: string): Promise<PersonAttributes | null> {
  const people = await selectPeople(read).where('person.id', '=', personId).execute();
  return (await withRoles(read, people))[0] ?? null;
}

/** The attributes of the people who are not blocked, by their ids, from the one behind `after` on. */
export async function attributesOfPeople(
  read: Reader,
  { after, limit }: { after: string; limit: number },
): Promise<PersonAttributes[]> {
  const people = await selectPeople(read)
    .where('person.id', '>', after)
    .where('person.blocked_at', 'is', null)
    .orderBy('person.id')
    .limit(limit)
    .execute();
  return withRoles(read, people);
}

function selectPeople(read: Reader) {
  return read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'person.created_at', 'profile.locale', 'profile.time_zone']);
}

async function withRoles(
  read: Reader,
  people: Awaited<ReturnType<ReturnType<typeof selectPeople>['execute']>>,
): Promise<PersonAttributes[]> {
  if (people.length === 0) return [];
  const ids = people.map(({ id }) => id);
  const rows = await read
    .selectFrom('person_role')
    .select(['person_id', 'role'])
    .where('person_id', 'in', ids)
    .execute();
  const roles = Map.groupBy(rows, (row) => row.person_id);
  return people.map((person) => ({
    id: person.id,
    email: person.email,
    emailDomain: person.email.includes('@') ? person.email.slice(person.email.lastIndexOf('@') + 1) : '',
    roles: (roles.get(person.id) ?? []).map(({ role }) => role).toSorted(),
    groups: [],
    locale: person.locale,
    timeZone: person.time_zone === null ? null : presentTimeZone(person.time_zone),
    createdAt: person.created_at,
  }));
}
