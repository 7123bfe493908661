import type { GroupKind, OwnEffect, OwnRight } from '#features/permissions/contract/administration.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { writtenBy } from '#features/directory/server/authors.ts';
import { countRows } from '#server/platform/database/sql.ts';
import { isNoted, noteOnce } from '#server/platform/database/setting.ts';
import { decideRights, isBuiltInRole, prepareRules, type PersonFacts } from './decide-rights.ts';
import { readRuleSet } from './rules.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Built-in and own roles; the giver is unknown for roles that were given before it was recorded */
    person_role: {
      person_id: string;
      role: string;
      given_at: number | null;
      given_by: string | null;
      given_by_id: string | null;
    };
    /** Single rights granted or denied to single people. */
    person_right: {
      person_id: string;
      right_name: string;
      effect: string;
      /** From then on it has no effect. */
      expires_at: number | null;
      /** Whether its end has been published. */
      expiry_told: number;
      reason: string;
      given_at: number;
      given_by: string;
      given_by_id: string | null;
    };
  }
}

/** Gives a person exactly these roles; repeats count once, and roles that they have stay as they were given. */
export async function setRolesOf(
  change: Change,
  personId: string,
  roles: readonly string[],
  givenBy: Actor | null = null,
): Promise<void> {
  const wanted = new Set(roles);
  const held = await change.tx
    .selectFrom('person_role')
    .select('role')
    .where('person_id', '=', personId)
    .execute();
  const lost = held.map(({ role }) => role).filter((role) => !wanted.has(role));
  if (lost.length > 0) {
    await change.tx
      .deleteFrom('person_role')
      .where('person_id', '=', personId)
      .where('role', 'in', lost)
      .execute();
  }
  const rows = [...wanted]
    .filter((role) => !held.some((one) => one.role === role))
    .map((role) => ({ person_id: personId, role, given_at: change.at, ...writtenBy('given_by', givenBy) }));
  if (rows.length > 0) await change.tx.insertInto('person_role').values(rows).execute();
  if (wanted.has('operator') && (await noteOnce(change, firstOperator))) change.publish('set-up');
  change.publish('rights', personId);
}

const firstOperator = 'first-operator';

/** Whether there has ever been an operator; it stays so, whatever becomes of them (START-6). */
export function wasSetUp(read: Reader): Promise<boolean> {
  return isNoted(read, firstOperator);
}

/** The names that no role has. */
export async function unknownRoles(read: Reader, names: readonly string[]): Promise<string[]> {
  const others = names.filter((name) => !isBuiltInRole(name));
  if (others.length === 0) return [];
  const known = await read.selectFrom('own_role').select('role').where('role', 'in', others).execute();
  return others.filter((name) => !known.some(({ role }) => role === name));
}

/** A grant or denial as stored, or null. */
export async function readOwnRight(
  read: Reader,
  personId: string,
  right: string,
  effect: OwnEffect,
): Promise<OwnRight | null> {
  const row = await read
    .selectFrom('person_right')
    .selectAll()
    .where('person_id', '=', personId)
    .where('right_name', '=', right)
    .where('effect', '=', effect)
    .executeTakeFirst();
  return row === undefined ? null : ownRightOf(row);
}

/** How many grants and denials a person has. */
export function countOwnRights(read: Reader, personId: string): Promise<number> {
  return countRows(read.selectFrom('person_right').where('person_id', '=', personId));
}

/** Stores a grant or a denial; replaces an earlier one with the same right and effect. */
export async function writeOwnRight(
  change: Change,
  personId: string,
  own: { right: string; effect: OwnEffect; expiresAt: number | null; reason: string; givenBy: Actor },
): Promise<void> {
  const facts = {
    expires_at: own.expiresAt,
    expiry_told: 0,
    reason: own.reason,
    given_at: change.at,
    ...writtenBy('given_by', own.givenBy),
  };
  await change.tx
    .insertInto('person_right')
    .values({ person_id: personId, right_name: own.right, effect: own.effect, ...facts })
    .onConflict((conflict) => conflict.columns(['person_id', 'right_name', 'effect']).doUpdateSet(facts))
    .execute();
  change.publish('rights', personId);
}

export async function deleteOwnRight(
  change: Change,
  personId: string,
  right: string,
  effect: OwnEffect,
): Promise<void> {
  await change.tx
    .deleteFrom('person_right')
    .where('person_id', '=', personId)
    .where('right_name', '=', right)
    .where('effect', '=', effect)
    .execute();
  change.publish('rights', personId);
}

/** Removes all denials of a person, to restore access. */
export async function deleteDenialsOf(change: Change, personId: string): Promise<void> {
  await change.tx
    .deleteFrom('person_right')
    .where('person_id', '=', personId)
    .where('effect', '=', 'denial')
    .execute();
  change.publish('rights', personId);
}

/** Removes all roles, grants and denials of a person who is erased. */
export async function deleteRightsOf(change: Change, personId: string): Promise<void> {
  await change.tx.deleteFrom('person_role').where('person_id', '=', personId).execute();
  await change.tx.deleteFrom('person_right').where('person_id', '=', personId).execute();
  change.publish('rights', personId);
}

/** The stored facts about people, by id; missing people are left out. */
export async function readFacts(
  read: Reader,
  personIds: readonly string[],
): Promise<Map<string, PersonFacts>> {
  if (personIds.length === 0) return new Map();
  const people = await read
    .selectFrom('person')
    .select(['id', 'blocked_at'])
    .where('id', 'in', personIds)
    .execute();
  const roles = await read
    .selectFrom('person_role')
    .select(['person_id', 'role', 'given_at', 'given_by', 'given_by_id'])
    .where('person_id', 'in', personIds)
    .orderBy('role')
    .execute();
  const own = await read
    .selectFrom('person_right')
    .selectAll()
    .where('person_id', 'in', personIds)
    .orderBy('right_name')
    .orderBy('effect')
    .execute();
  const groups = await read
    .selectFrom('person_group')
    .select(['person_id', 'kind', 'name'])
    .where('person_id', 'in', personIds)
    .orderBy('kind')
    .orderBy('name')
    .execute();
  const facts = new Map(
    people.map(({ id, blocked_at }) => [
      id,
      {
        blocked: blocked_at !== null,
        roles: [] as { role: string; givenAt: number | null; givenBy: string | null }[],
        own: [] as OwnRight[],
        groups: [] as { kind: GroupKind; name: string }[],
      },
    ]),
  );
  for (const { person_id, role, given_at, ...by } of roles)
    facts.get(person_id)?.roles.push({ role, givenAt: given_at, givenBy: grantorOf(by) });
  for (const row of own) facts.get(row.person_id)?.own.push(ownRightOf(row));
  for (const { person_id, kind, name } of groups)
    facts.get(person_id)?.groups.push({ kind: kind as GroupKind, name });
  return facts;
}

/** The rights in force for a person at a time, or null where there is no such person. */
export async function readRights(read: Reader, personId: string, now: number): Promise<string[] | null> {
  const facts = (await readFacts(read, [personId])).get(personId);
  if (facts === undefined) return null;
  return decideRights(facts, prepareRules(await readRuleSet(read)), now).rights;
}

function ownRightOf(row: {
  right_name: string;
  effect: string;
  expires_at: number | null;
  reason: string;
  given_at: number;
  given_by: string;
  given_by_id: string | null;
}): OwnRight {
  return {
    right: row.right_name,
    effect: row.effect as OwnEffect,
    expiresAt: row.expires_at,
    reason: row.reason,
    givenAt: row.given_at,
    givenBy: grantorOf(row),
  };
}

/** The author as `namesOf` takes them: facts are read to decide rights, without joining names. */
function grantorOf<Name extends string | null>(row: {
  given_by: Name;
  given_by_id: string | null;
}): Name | string {
  return row.given_by_id === null ? row.given_by : `person ${row.given_by_id}`;
}
