import type { Reader } from '../../platform/database.ts';
import type { PersonFacts } from './decide-rights.ts';

/** How a session calls a person without an address; it is kept like that with what they give. */
const nameless = /^person (\S+)$/;

/** What is kept about a person, with givers who had no address called as they are now: by name, by address, or still by id. */
export async function withGiversNamed(read: Reader, facts: PersonFacts): Promise<PersonFacts> {
  const givers = [...facts.roles, ...facts.own].flatMap(
    ({ givenBy }) => nameless.exec(givenBy ?? '')?.[1] ?? [],
  );
  if (givers.length === 0) return facts;
  const rows = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
    .where('person.id', 'in', [...new Set(givers)])
    .execute();
  const names = new Map(
    rows.map((row) => [`person ${row.id}`, `${row.first_name} ${row.last_name}`.trim() || row.email]),
  );
  const named = <Given extends { givenBy: string | null }>(given: Given): Given => ({
    ...given,
    givenBy: names.get(given.givenBy ?? '') || given.givenBy,
  });
  return { ...facts, roles: facts.roles.map(named), own: facts.own.map(named) };
}
