import type { Reader } from '../../platform/database/database.ts';
import { namesOf } from '../directory/people-names.ts';
import type { PersonFacts } from './decide-rights.ts';

/** What is stored about a person, with the current names of givers: by name, by address, or still by id. */
export async function withGiversNamed(read: Reader, facts: PersonFacts): Promise<PersonFacts> {
  const names = await namesOf(
    read,
    [...facts.roles, ...facts.own].map(({ givenBy }) => givenBy),
  );
  const named = <Given extends { givenBy: string | null }>(given: Given): Given => ({
    ...given,
    givenBy: given.givenBy === null ? null : (names[given.givenBy] ?? given.givenBy),
  });
  return { ...facts, roles: facts.roles.map(named), own: facts.own.map(named) };
}
