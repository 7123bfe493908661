import { builtInRoles, rightCatalogue } from '@portico/contract/permissions';
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

/**
 * Whether a person holds a right, as a condition on `person.id`: what `decideRights` says of one person, asked of all at once.
 * The block is not looked at.
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
      or ${inGroupsThatGive(personId, giving)}))`;
}

/** Whether a person was given a role or has it by a group, as a condition on `person.id`. */
export function hasRole(personId: Expression<string>, role: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${personId} in (select person_id from person_role where role = ${role})
    or ${inGroupsThatGive(personId, (given) => sql`${given} = ${role}`)})`;
}

function inGroupsThatGive(
  personId: Expression<string>,
  giving: (role: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${personId} in (
      select person_group.person_id from group_mapping_role
      join group_mapping on group_mapping.id = group_mapping_role.mapping_id
      join person_group on person_group.kind = group_mapping.kind and person_group.name = group_mapping.name
      where group_mapping.match = 'exact' and ${giving(sql`group_mapping_role.role`)})
    or ${personId} in (
      select person_group.person_id from group_mapping_role
      join group_mapping on group_mapping.id = group_mapping_role.mapping_id
      join person_group on person_group.kind = group_mapping.kind
        and substr(person_group.name, 1, length(group_mapping.name)) = group_mapping.name
      where group_mapping.match = 'prefix' and ${giving(sql`group_mapping_role.role`)}))`;
}
