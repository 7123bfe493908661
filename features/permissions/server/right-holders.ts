import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';

/** For a `with`: all known groups, scanned once however many words are searched for. */
export const knownGroups: RawBuilder<unknown> = sql`known_group as materialized (
  select distinct kind, name from person_group)`;

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

/**
 * A query of the people who have a role by a group of the identity provider. The order of the joins is fixed:
 * the few groups are joined with the mappings before their many members. Otherwise both engines compare every
 * membership with every prefix.
 *
 * @param gives the condition on a role
 */
export function peopleByMappedGroups(
  gives: (role: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<{ person_id: string }> {
  return sql`with giving as materialized (
      select distinct group_mapping.kind, group_mapping.match, group_mapping.name
      from group_mapping_role join group_mapping on group_mapping.id = group_mapping_role.mapping_id
      where ${gives(sql`group_mapping_role.role`)}),
    known as materialized (
      select distinct kind, name from person_group where exists (select 1 from giving where match = 'prefix')),
    meant as materialized (
      select kind, name from giving where match = 'exact'
      union select known.kind, known.name from known join giving on giving.match = 'prefix'
        and giving.kind = known.kind and substr(known.name, 1, length(giving.name)) = giving.name)
    select person_group.person_id from meant
    cross join person_group where person_group.kind = meant.kind and person_group.name = meant.name`;
}

/** A query of the roles that each of these people has by a group of the identity provider, once each. */
export function rolesByMappedGroups(
  personIds: readonly string[],
): RawBuilder<{ person_id: string; role: string }> {
  return sql`select person_group.person_id, group_mapping_role.role
    from person_group join group_mapping on group_mapping.kind = person_group.kind
      and (group_mapping.name = person_group.name or (group_mapping.match = 'prefix'
        and substr(person_group.name, 1, length(group_mapping.name)) = group_mapping.name))
    join group_mapping_role on group_mapping_role.mapping_id = group_mapping.id
    where person_group.person_id in (${sql.join(personIds)})
    group by person_group.person_id, group_mapping_role.role`;
}

/** A query of the people in one of the `knownGroups` whose name meets a condition. */
export function peopleInGroupsNamed(
  meets: (name: RawBuilder<string>) => RawBuilder<unknown>,
): RawBuilder<{ person_id: string }> {
  return sql`with meant as materialized (select kind, name from known_group where ${meets(sql.ref<string>('name'))})
    select person_group.person_id from meant
    cross join person_group where person_group.kind = meant.kind and person_group.name = meant.name`;
}
