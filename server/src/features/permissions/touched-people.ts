import { setImmediate as breathe } from 'node:timers/promises';
import type { Right } from '@portico/contract/permissions';
import type { Preview, ProposedChange, TouchedPerson } from '@portico/contract/permissions/administration';
import { sql, type RawBuilder } from 'kysely';
import type { Change, Reader } from '../../platform/database/database.ts';
import {
  heldRights,
  isInForce,
  prepareRules,
  rolesThatGive,
  type Mapping,
  type PersonFacts,
  type RuleSet,
} from './decide-rights.ts';
import { peopleByMappedGroups } from './group-members.ts';
import { fullName } from '../directory/people-names.ts';
import { readFacts } from './permissions.store.ts';
import { readRuleSet, type MappingDraft } from './rules.store.ts';

type Ids = RawBuilder<{ person_id: string }>;

/** People who were given one of these roles, or have it by a group. */
export function peopleWithRoles(roles: readonly string[]): Ids {
  if (roles.length === 0) return sql`select id as person_id from person where 1 = 0`;
  const among = sql.join(roles);
  return sql`select person_id from person_role where role in (${among})
    union select person_id from (${peopleByMappedGroups((role) => sql`${role} in (${among})`)}) as grouped`;
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

/**
 * Up to so many people are published one by one; for more, all browsers ask again, spread over some seconds.
 */
const mostPublished = 1_000;

/**
 * Publishes that the rules have changed, for those who hold rights in memory, and the people whom it may
 * affect.
 */
export async function publishTouched(change: Change, people: readonly Ids[]): Promise<void> {
  change.publish('right-rules');
  const { rows } = await sql<{ person_id: string }>`select distinct person_id from (${sql.join(
    people,
    sql` union `,
  )}) as touched limit ${mostPublished + 1}`.execute(change.tx);
  if (rows.length > mostPublished) change.publish('rights');
  else for (const { person_id } of rows) change.publish('rights', person_id);
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

const batch = 100;
/** How many are named, and with how many of their rights. */
const mostNamed = 50;
const mostRightsNamed = 50;
const managing: Right = 'PEOPLE_WRITE';

/**
 * What a change would do, and to whom (RIGHT-3). Nothing is changed. It looks at the people whom it can touch
 * one batch after the other, so that no other request waits meanwhile.
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
  const touched: Touched[] = [];
  const managersLeft = new Set(await managers());
  const wasManaged = managersLeft.size > 0;

  const ids = await inOrderOfName(read, people);
  for (let start = 0; start < ids.length; start += batch) {
    const facts = await readFacts(read, ids.slice(start, start + batch));
    for (const id of ids.slice(start, start + batch)) {
      const known = facts.get(id);
      if (known === undefined) continue;
      const person = { ...known, own: known.own.filter((one) => isInForce(one, now)) };
      const [before, then] = [heldRights(person, old), heldRights(person, next)];
      if (managersLeft.has(id) && !heldRights(lasting(person), next).has(managing)) managersLeft.delete(id);
      const gained = [...then].filter((right) => !before.has(right));
      const lost = [...before].filter((right) => !then.has(right));
      if (gained.length === 0 && lost.length === 0) continue;
      counts.touched += 1;
      if (gained.length > 0) counts.gaining += 1;
      if (lost.length > 0) counts.losing += 1;
      if (touched.length < mostNamed) touched.push({ id, gained: firstOf(gained), lost: firstOf(lost) });
    }
    await breathe();
  }
  return {
    ...counts,
    people: await named(read, touched),
    roles,
    mappings,
    lastAdministrator: wasManaged && managersLeft.size === 0,
  };
}

async function inOrderOfName(read: Reader, people: Ids): Promise<string[]> {
  const { rows } = await sql<{
    person_id: string;
  }>`select person_id from profile where person_id in (${people})
    order by name_key, person_id`.execute(read);
  return rows.map(({ person_id }) => person_id);
}

type Touched = Pick<TouchedPerson, 'id' | 'gained' | 'lost'>;

/** With their names; without those who were erased meanwhile. */
async function named(read: Reader, touched: readonly Touched[]): Promise<TouchedPerson[]> {
  if (touched.length === 0) return [];
  const rows = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
    .where(
      'person.id',
      'in',
      touched.map(({ id }) => id),
    )
    .execute();
  return touched.flatMap((one) => {
    const row = rows.find(({ id }) => id === one.id);
    if (row === undefined) return [];
    const name = fullName(row) || row.email;
    return [{ ...one, name, email: row.email }];
  });
}

function firstOf(rights: readonly string[]): string[] {
  return rights.toSorted().slice(0, mostRightsNamed);
}

/** Without the grants that end by themselves. */
function lasting(person: PersonFacts): PersonFacts {
  return {
    ...person,
    own: person.own.filter(({ effect, expiresAt }) => effect === 'denial' || expiresAt === null),
  };
}
