import type { Reader } from '#server/platform/database/database.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import type { PersonFacts } from './decide-rights.ts';

/**
 * Replaces the ids of the people who gave roles and rights by their current name or address, where there is
 * one.
 */
export async function withGrantorNames(read: Reader, facts: PersonFacts): Promise<PersonFacts> {
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
