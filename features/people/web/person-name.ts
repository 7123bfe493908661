import type { Person } from '#features/people/contract/people.ts';
import type { TFunction } from 'i18next';
import { namedPerson } from '#web/platform/named-person.ts';

/** The displayed name of a person; never empty. */
export function personName(
  t: TFunction,
  { id, firstName, lastName, email }: Pick<Person, 'id' | 'firstName' | 'lastName' | 'email'>,
): string {
  return namedPerson(t, { id, name: `${firstName} ${lastName}`, email });
}
