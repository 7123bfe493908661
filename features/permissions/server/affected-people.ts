import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Right } from '#features/permissions/contract/permissions.ts';
import type {
  Preview,
  ProposedChange,
  AffectedPerson,
} from '#features/permissions/contract/administration.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Change, Reader } from '#server/platform/database/database.ts';
import {
  effectiveRights,
  isInForce,
  prepareRules,
  rolesThatGive,
  type Mapping,
  type PersonFacts,
  type RuleSet,
} from './decide-rights.ts';
import { peopleByMappedGroups } from './right-holders.ts';
import { fullName } from '#features/directory/server/people-names.ts';
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

/** People in the groups that a mapping matches. */
export function peopleInGroups({ kind, match, name }: Pick<MappingDraft, 'kind' | 'match' | 'name'>): Ids {
  return match === 'exact'
    ? sql`select person_id from person_group where kind = ${kind} and name = ${name}`
    : sql`select person_id from person_group
        where kind = ${kind} and substr(name, 1, ${Array.from(name).length}) = ${name}`;
}

/** People who may have a right, from a role, a group or a grant, or were denied it. */
export function peopleWithRight(right: string, rules: Pick<RuleSet, 'roles'>): Ids {
  return sql`select person_id from person_right where right_name = ${right}
    union ${peopleWithRoles(rolesThatGive(right, rules))}`;
}

/** Up to this many people are published one by one. For more, all browsers reload, spread over seconds. */
const mostPublished = 1_000;

/**
 * Publishes that the rules have changed, for processes that cache rights, and the people who may be affected.
 */
export async function publishAffected(change: Change, people: readonly Ids[]): Promise<void> {
  change.publish('right-rules');
  const { rows } = await sql<{ person_id: string }>`select distinct person_id from (${sql.join(
    people,
    sql` union `,
  )}) as affected limit ${mostPublished + 1}`.execute(change.tx);
  if (rows.length > mostPublished) change.publish('rights');
  else for (const { person_id } of rows) change.publish('rights', person_id);
}

/** The rules after a proposed change, and the people whom it may affect. */
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
/** How many people the preview names, and how many rights of each. */
const mostNamed = 50;
const mostRightsNamed = 50;
const managing: Right = 'PEOPLE_WRITE';

/**
 * The effect of a proposed change on people (RIGHT-3). Nothing is written. People are read in batches, so
 * that other requests do not wait for it.
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
  const affected: Affected[] = [];
  const managersLeft = new Set(await managers());
  const wasManaged = managersLeft.size > 0;

  const ids = await inOrderOfName(read, people);
  for (let start = 0; start < ids.length; start += batch) {
    const facts = await readFacts(read, ids.slice(start, start + batch));
    for (const id of ids.slice(start, start + batch)) {
      const known = facts.get(id);
      if (known === undefined) continue;
      const person = { ...known, own: known.own.filter((one) => isInForce(one, now)) };
      const [before, then] = [effectiveRights(person, old), effectiveRights(person, next)];
      if (managersLeft.has(id) && !effectiveRights(lasting(person), next).has(managing))
        managersLeft.delete(id);
      const gained = [...then].filter((right) => !before.has(right));
      const lost = [...before].filter((right) => !then.has(right));
      if (gained.length === 0 && lost.length === 0) continue;
      counts.touched += 1;
      if (gained.length > 0) counts.gaining += 1;
      if (lost.length > 0) counts.losing += 1;
      if (affected.length < mostNamed) affected.push({ id, gained: firstOf(gained), lost: firstOf(lost) });
    }
    await yieldToEventLoop();
  }
  return {
    ...counts,
    people: await named(read, affected),
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

type Affected = Pick<AffectedPerson, 'id' | 'gained' | 'lost'>;

/** Adds names; leaves out people who were erased since. */
async function named(read: Reader, affected: readonly Affected[]): Promise<AffectedPerson[]> {
  if (affected.length === 0) return [];
  const ids = affected.map(({ id }) => id);
  const rows = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
    .where('person.id', 'in', ids)
    .execute();
  return affected.flatMap((one) => {
    const row = rows.find(({ id }) => id === one.id);
    if (row === undefined) return [];
    const name = fullName(row) || row.email;
    return [{ ...one, name, email: row.email }];
  });
}

function firstOf(rights: readonly string[]): string[] {
  return rights.toSorted().slice(0, mostRightsNamed);
}

/** The facts of a person without the grants that expire. */
function lasting(person: PersonFacts): PersonFacts {
  return {
    ...person,
    own: person.own.filter(({ effect, expiresAt }) => effect === 'denial' || expiresAt === null),
  };
}
