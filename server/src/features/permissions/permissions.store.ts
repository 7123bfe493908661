import type { Right, Role } from '@portico/contract/permissions';
import type { Change, Reader } from '../../platform/database.ts';
import { decideRights } from './decide-rights.ts';

/** Gives a person exactly these roles; repeats count once. */
export async function setRolesOf(change: Change, personId: string, roles: readonly Role[]): Promise<void> {
  await change.tx.deleteFrom('person_role').where('person_id', '=', personId).execute();
  const rows = [...new Set(roles)].map((role) => ({ person_id: personId, role }));
  if (rows.length > 0) await change.tx.insertInto('person_role').values(rows).execute();
  change.tell('rights', personId);
}

/** The rights in force for a person now, or null where there is no such person. */
export async function readRights(read: Reader, personId: string): Promise<Right[] | null> {
  const rows = await read
    .selectFrom('person')
    .leftJoin('person_role', 'person_role.person_id', 'person.id')
    .select(['person.blocked_at', 'person_role.role'])
    .where('person.id', '=', personId)
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  return decideRights({
    roles: rows.flatMap(({ role }) => role ?? []),
    blocked: first.blocked_at !== null,
  });
}
