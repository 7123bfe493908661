import type { Right } from '@portico/contract/permissions';
import type { Change, Reader } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { state, withAccount } from '../directory/people.store.ts';
import { holdsRight } from './right-holders.ts';

const managing: Right = 'PEOPLE_WRITE';

/** Who can manage people, by whatever way: the active, not the invited and the blocked. */
function managers(read: Reader, now: number, { lasting }: { lasting: boolean }) {
  return withAccount(read)
    .select('person.id')
    .where((row) => holdsRight(row.ref('person.id'), managing, now, { lasting }))
    .where(state, '=', 'active');
}

/** The ids of some who can manage people for good, at most so many. */
export async function lastingManagers(read: Reader, now: number, limit: number): Promise<string[]> {
  return (await managers(read, now, { lasting: true }).limit(limit).execute()).map(({ id }) => id);
}

/** 2: at least one person can manage people for good; 1: for a while; 0: no one can. */
async function howManaged(read: Reader, now: number): Promise<0 | 1 | 2> {
  const [lasting] = await lastingManagers(read, now, 1);
  if (lasting !== undefined) return 2;
  const manager = await managers(read, now, { lasting: false }).limit(1).executeTakeFirst();
  return manager === undefined ? 0 : 1;
}

/**
 * Makes a write that could take the right to manage people from a person, unless no one would be left who has
 * it for good (RIGHT-3). Every such write goes through here: roles, what roles and groups give, grants and
 * denials, the block, erasure. Changes run one after the other on every replica, so no two of them can each
 * count on the other's person.
 *
 * @throws LAST_ADMINISTRATOR; the transaction of the change must then be rolled back
 */
export async function keepAnAdministrator<T>(change: Change, write: () => Promise<T>): Promise<T> {
  const before = await howManaged(change.tx, change.at);
  const result = await write();
  if ((await howManaged(change.tx, change.at)) < before) {
    throw new HttpProblem('LAST_ADMINISTRATOR', {
      detail:
        'Nobody would be left who can manage people for good. Give an active person the right without an end first.',
    });
  }
  return result;
}
