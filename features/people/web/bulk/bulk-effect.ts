import type { ChangeOfPeople, Person } from '#features/people/contract/people.ts';

export type BulkTask = ChangeOfPeople['change'];

export type BulkEffect = {
  /** The people who change. */
  changed: readonly Person[];
  /** The people who need no change. */
  already: readonly Person[];
  /** Whether the operator is among them and is left out: no one can block themselves. */
  withoutYou: boolean;
};

/** What a change of the selected people will do, before it is made. */
export function effectOf(people: readonly Person[], wanted: ChangeOfPeople, me: string | null): BulkEffect {
  const meant = wanted.change === 'block' ? people.filter(({ id }) => id !== me) : people;
  const changed = meant.filter((person) => changes(person, wanted));
  return {
    changed,
    already: meant.filter((person) => !changes(person, wanted)),
    withoutYou: meant.length < people.length,
  };
}

function changes({ roles, state }: Person, wanted: ChangeOfPeople): boolean {
  switch (wanted.change) {
    case 'give-role':
      return !roles.includes(wanted.role);
    case 'take-role':
      return roles.includes(wanted.role);
    case 'block':
      return state !== 'blocked';
    case 'unblock':
      return state === 'blocked';
    case 'sign-out':
      return true;
  }
}
