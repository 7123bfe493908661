import { builtInRoles, rightCatalogue } from '#features/permissions/contract/permissions.ts';
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { peopleByMappedGroups } from './group-members.ts';

/**
 * Whether a person holds a right, as a condition on `person.id`: the same rule as `decideRights`, for all
 * people at once. It ignores whether a person is blocked.
 *
 * @param lasting counts only what does not end by itself
 */
export function holdsRight(
  personId: Expression<string>,
  right: string,
  now: number,
  { lasting = false }: { lasting?: boolean } = {},
): RawBuilder<SqlBool> {
  const builtIn = Object.entries(builtInRoles)
    .filter(([, rights]: [string, readonly string[]]) => rights.includes(right))
    .map(([role]) => role);
  const own = sql`select role from own_role_right where right_name = ${right}`;
  const giving = (role: RawBuilder<unknown>) =>
    builtIn.length === 0
      ? sql`${role} in (${own})`
      : sql`(${role} in (${sql.join(builtIn)}) or ${role} in (${own}))`;
  const inForce = lasting ? sql`expires_at is null` : sql`(expires_at is null or expires_at > ${now})`;
  const isKnown = rightCatalogue.some((entry) => entry.right === right)
    ? sql`1 = 1`
    : sql`exists (select 1 from own_right where right_name = ${right})`;
  return sql<SqlBool>`(${isKnown}
    and ${personId} not in (
      select person_id from person_right
      where right_name = ${right} and effect = 'denial' and (expires_at is null or expires_at > ${now}))
    and (${personId} in (select person_id from person_role where ${giving(sql`role`)})
      or ${personId} in (
        select person_id from person_right where right_name = ${right} and effect = 'grant' and ${inForce})
      or ${personId} in (${peopleByMappedGroups(giving)})))`;
}

/** Whether a person was given a role or has it by a group, as a condition on `person.id`. */
export function hasRole(personId: Expression<string>, role: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${personId} in (select person_id from person_role where role = ${role})
    or ${personId} in (${peopleByMappedGroups((given) => sql`${given} = ${role}`)}))`;
}
