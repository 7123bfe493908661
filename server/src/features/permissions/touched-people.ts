import { setImmediate as breathe } from 'node:timers/promises';
import type { Right } from '@portico/contract/permissions';
import type { Preview, ProposedChange, TouchedPerson } from '@portico/contract/rights-administration';
import { sql, type RawBuilder } from 'kysely';
import type { Change, Reader } from '../../platform/database.ts';
import {
  decideRights,
  prepareRules,
  rolesThatGive,
  type Mapping,
  type PersonFacts,
  type RuleSet,
} from './decide-rights.ts';
import { readFacts } from './permissions.store.ts';
import { readRuleSet, type MappingDraft } from './rules.store.ts';

type Ids = RawBuilder<{ person_id: string }>;

/** People who were given one of these roles, or have it by a group. */
export function peopleWithRoles(roles: readonly string[]): Ids {
  if (roles.length === 0) return sql`select id as person_id from person where 1 = 0`;
  const among = sql.join(roles);
  return sql`select person_id from person_role where role in (${among})
    union select person_group.person_id from group_mapping_role
    join group_mapping on group_mapping.id = group_mapping_role.mapping_id
    join person_group on person_group.kind = group_mapping.kind and person_group.name = group_mapping.name
    where group_mapping.match = 'exact' and group_mapping_role.role in (${among})
    union select person_group.person_id from group_mapping_role
    join group_mapping on group_mapping.id = group_mapping_role.mapping_id
    join person_group on person_group.kind = group_mapping.kind
      and substr(person_group.name, 1, length(group_mapping.name)) = group_mapping.name
    where group_mapping.match = 'prefix' and group_mapping_role.role in (${among})`;
}

/** People in the groups that a mapping means. */
export function peopleInGroups({ kind, match, name }: Pick<MappingDraft, 'kind' | 'match' | 'name'>): Ids {
  return match === 'exact'
    ? sql`select person_id from person_group where kind = ${kind} and name = ${name}`
    : sql`select person_id from person_group
        where kind = ${kind} and substr(name, 1, ${Array.from(name).length}) = ${name}`;
}

/** People who may have a right by whatever way, or were denied it. */
export function peopleWithRight(right: string, rules: Pick<RuleSet, 'roles'>): Ids {
  return sql`select person_id from person_right where right_name = ${right}
    union ${peopleWithRoles(rolesThatGive(right, rules))}`;
}

/** How many people are told one by one; where it is more of them everybody asks, spread over some seconds. */
const mostTold = 1_000;

/** Tells whoever keeps rights in memory that the rules have changed, and the people whom it may touch. */
export async function tellTouched(change: Change, people: readonly Ids[]): Promise<void> {
  change.tell('right-rules');
  const { rows } = await sql<{ person_id: string }>`select distinct person_id from (${sql.join(
    people,
    sql` union `,
  )}) as touched limit ${mostTold + 1}`.execute(change.tx);
  if (rows.length > mostTold) change.tell('rights');
  else for (const { person_id } of rows) change.tell('rights', person_id);
}

/** A proposed change: the rules as they would be, and whom it can touch. */
function proposed(
  rules: RuleSet,
  draft: ProposedChange,
): { after: RuleSet; people: Ids; roles: string[]; mappings: number } {
  switch (draft.change) {
    case 'remove-right':
      return {
        after: { ...rules, rights: rules.rights.filter((right) => right !== draft.right) },
        people: peopleWithRight(draft.right, rules),
        roles: rolesThatGive(draft.right, rules),
        mappings: 0,
      };
    case 'set-role':
    case 'remove-role': {
      const roles = new Map(rules.roles);
      if (draft.change === 'set-role') roles.set(draft.role, draft.rights);
      else roles.delete(draft.role);
      const mappings = rules.mappings.filter((mapping) => mapping.roles.includes(draft.role)).length;
      return { after: { ...rules, roles }, people: peopleWithRoles([draft.role]), roles: [], mappings };
    }
    case 'add-mapping':
    case 'set-mapping':
    case 'remove-mapping': {
      const mappingId = draft.change === 'add-mapping' ? null : draft.mappingId;
      const old = rules.mappings.find(({ id }) => id === mappingId);
      const added: Mapping[] =
        draft.change === 'remove-mapping' ? [] : [{ id: mappingId ?? 'proposed', ...draft.mapping }];
      const meant = [...(old === undefined ? [] : [old]), ...added].map(peopleInGroups);
      return {
        after: { ...rules, mappings: [...rules.mappings.filter(({ id }) => id !== mappingId), ...added] },
        people: meant.length === 0 ? peopleWithRoles([]) : sql`${sql.join(meant, sql` union `)}`,
        roles: [],
        mappings: 0,
      };
    }
  }
}

const batch = 500;
/** How many are named, and with how many of their rights. */
const mostNamed = 50;
const mostRightsNamed = 50;
const managing: Right = 'PEOPLE_WRITE';

/**
 * What a change would do, and to whom (RIGHT-3). Nothing is changed. It looks at the people whom it can touch one batch after the
 * other, so that nobody waits meanwhile.
 *
 * @param managers ids of people who can manage people for good
 */
export async function previewOf(
  read: Reader,
  draft: ProposedChange,
  now: number,
  managers: () => Promise<string[]>,
): Promise<Preview> {
  const rules = await readRuleSet(read);
  const { after, people, roles, mappings } = proposed(rules, draft);
  const [old, next] = [prepareRules(rules), prepareRules(after)];
  const counts = { touched: 0, gaining: 0, losing: 0 };
  const named: TouchedPerson[] = [];
  const managersLeft = new Set(await managers());
  const wasManaged = managersLeft.size > 0;

  for (let place: { key: string; id: string } | null = null; ;) {
    const some: Named[] = await nextPeople(read, people, place);
    const facts = await readFacts(
      read,
      some.map(({ id }) => id),
    );
    for (const { id, name_key: _key, ...person } of some) {
      const known = facts.get(id);
      if (known === undefined) continue;
      const { gained, lost } = difference(known, old, next, now);
      if (!decideRights(lasting(known, now), next, now).rights.includes(managing)) managersLeft.delete(id);
      if (gained.length === 0 && lost.length === 0) continue;
      counts.touched += 1;
      if (gained.length > 0) counts.gaining += 1;
      if (lost.length > 0) counts.losing += 1;
      if (named.length < mostNamed) {
        const name = `${person.first_name} ${person.last_name}`.trim() || person.email;
        named.push({
          id,
          name,
          email: person.email,
          gained: gained.slice(0, mostRightsNamed),
          lost: lost.slice(0, mostRightsNamed),
        });
      }
    }
    const last = some.at(-1);
    if (some.length < batch || last === undefined) break;
    place = { key: last.name_key, id: last.id };
    await breathe();
  }
  return {
    ...counts,
    people: named,
    roles,
    mappings,
    lastAdministrator: wasManaged && managersLeft.size === 0,
  };
}

type Named = { id: string; email: string; first_name: string; last_name: string; name_key: string };

function nextPeople(read: Reader, people: Ids, after: { key: string; id: string } | null): Promise<Named[]> {
  return read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name', 'profile.name_key'])
    .where((row) => sql<boolean>`${row.ref('person.id')} in (${people})`)
    .$if(after !== null, (query) =>
      query.where((row) =>
        row.or([
          row('profile.name_key', '>', after?.key ?? ''),
          row.and([row('profile.name_key', '=', after?.key ?? ''), row('person.id', '>', after?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('profile.name_key')
    .orderBy('person.id')
    .limit(batch)
    .execute();
}

type Prepared = ReturnType<typeof prepareRules>;

function difference(
  person: PersonFacts,
  old: Prepared,
  next: Prepared,
  now: number,
): { gained: string[]; lost: string[] } {
  const before = new Set(decideRights(person, old, now).rights);
  const after = new Set(decideRights(person, next, now).rights);
  return {
    gained: [...after].filter((right) => !before.has(right)),
    lost: [...before].filter((right) => !after.has(right)),
  };
}

/** Without the grants that end by themselves. */
function lasting(person: PersonFacts, now: number): PersonFacts {
  return {
    ...person,
    own: person.own.filter(
      ({ effect, expiresAt }) => effect === 'denial' || expiresAt === null || now >= expiresAt,
    ),
  };
}
