import type { Person } from '@portico/contract/people';

/** How a person is called: the name, or the e-mail address where there is none. */
export function personName(person: Pick<Person, 'firstName' | 'lastName' | 'email'>): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email;
}
