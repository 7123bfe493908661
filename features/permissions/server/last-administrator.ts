import type { Right } from '#features/permissions/contract/permissions.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { state, withAccount } from '#features/directory/server/people.store.ts';
import { holdsRight } from './right-holders.ts';

const managing: Right = 'PEOPLE_WRITE';

/** Active people who can manage people, whether by a role, a group or a grant. */
function managers(read: Reader, now: number, { lasting }: { lasting: boolean }) {
  return withAccount(read)
    .select('person.id')
    .where((row) => holdsRight(row.ref('person.id'), managing, now, { lasting }))
    .where(state, '=', 'active');
}

/** The ids of up to `limit` people who can manage people without an end date. */
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
 * Runs a write that may remove the right to manage people. Refuses it if no person would have that right
 * without an end date (RIGHT-3). Every such write goes through here: roles, role definitions, group mappings,
 * grants, denials, blocking, erasure. Changes are serialized over all replicas,
 * so two of them cannot each rely on the person whom the other one removes.
 *
 * @throws LAST_ADMINISTRATOR; the transaction of the change must then be rolled back
 */
export async function requireAdministrator<T>(change: Change, write: () => Promise<T>): Promise<T> {
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
