import type { Person } from '#features/people/contract/people.ts';
import { expect, it } from 'vitest';
import { effectOf } from './bulk-effect.ts';

function person(id: string, change: Partial<Person> = {}): Person {
  return {
    id,
    email: `${id}@example.org`,
    emailDoubt: null,
    firstName: id,
    lastName: '',
    avatar: null,
    state: 'active',
    roles: ['member'],
    groupRoles: ['support'],
    createdAt: 1,
    lastSeenAt: null,
    version: 1,
    ...change,
  };
}

const people = [
  person('mia'),
  person('sam', { roles: ['member', 'support'] }),
  person('ben', { state: 'blocked' }),
  person('olga'),
];
const idsOf = (wanted: Parameters<typeof effectOf>[1]) => {
  const { changed, already, withoutYou } = effectOf(people, wanted, 'olga');
  return [changed.map(({ id }) => id), already.map(({ id }) => id), withoutYou];
};

it('CON-4: says before a change of many whom it changes, who is so already, and that operators do not block themselves', () => {
  // A role by a group is not a role that was given.
  expect(idsOf({ change: 'give-role', role: 'support' })).toEqual([['mia', 'ben', 'olga'], ['sam'], false]);
  expect(idsOf({ change: 'take-role', role: 'support' })).toEqual([['sam'], ['mia', 'ben', 'olga'], false]);
  expect(idsOf({ change: 'block' })).toEqual([['mia', 'sam'], ['ben'], true]);
  expect(idsOf({ change: 'unblock' })).toEqual([['ben'], ['mia', 'sam', 'olga'], false]);
  expect(idsOf({ change: 'sign-out' })).toEqual([['mia', 'sam', 'ben', 'olga'], [], false]);
});
