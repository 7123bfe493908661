import type { Person } from '@portico/contract/people';
import type { TFunction } from 'i18next';
import { namedPerson } from '../../platform/named-person.ts';

/** The displayed name of a person; never empty. */
export function personName(
  t: TFunction,
  { id, firstName, lastName, email }: Pick<Person, 'id' | 'firstName' | 'lastName' | 'email'>,
): string {
  return namedPerson(t, { id, name: `${firstName} ${lastName}`, email });
}
