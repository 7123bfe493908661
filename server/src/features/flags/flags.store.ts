import { sql } from 'kysely';
import { flagType, type Flag, type FlagDraft, type FlagRule } from '@portico/contract/flags';
import { maintenanceFlag, maintenanceTextFlag } from '@portico/contract/maintenance';
import type { Change, Reader } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Tables } from '../../platform/schema.ts';
import { flagProblems, prerequisitesOf } from './rules.ts';

/** Set on the Maintenance screen only (MAINT-1). */
export const builtInFlags: readonly string[] = [maintenanceFlag, maintenanceTextFlag];

export async function readFlags(db: Reader): Promise<Flag[]> {
  const rows = await db.selectFrom('flag').selectAll().orderBy('key').execute();
  return rows.map(flagOf);
}

function flagOf(row: Tables['flag']): Flag {
  return {
    key: row.key,
    type: flagType.parse(row.type),
    description: row.description,
    defaultValue: JSON.parse(row.default_value) as unknown,
    enabled: row.enabled === 1,
    rules: JSON.parse(row.rules) as FlagRule[],
    tags: JSON.parse(row.tags) as string[],
    createdAt: row.created_at,
    changedAt: row.changed_at,
    changedBy: row.changed_by,
    version: row.version,
  };
}

/** Adds a flag. Throws CONFLICT for a taken key, INVALID_BODY for a reserved one and for values and rules that do not hold. */
export async function addFlag(
  change: Change,
  flag: FlagDraft & { key: string; enabled: boolean },
  changedBy: string,
): Promise<Flag> {
  if (builtInFlags.includes(flag.key)) {
    throw new HttpProblem('INVALID_BODY', {
      errors: [{ pointer: '/key', code: 'reserved', message: 'belongs to maintenance and is set there' }],
    });
  }
  const all = await readFlags(change.tx);
  if (all.some(({ key }) => key === flag.key)) {
    throw new HttpProblem('CONFLICT', {
      detail: `There is a flag ${flag.key} already.`,
      errors: [{ pointer: '/key', code: 'taken', message: 'is taken' }],
    });
  }
  refuseMistakes(flag.key, flag, all);
  const added: Flag = { ...flag, createdAt: change.at, changedAt: change.at, changedBy, version: 1 };
  await change.tx
    .insertInto('flag')
    .values({ ...columnsOf(added), key: added.key, created_at: added.createdAt })
    .execute();
  tellEffect(change, null, added);
  return added;
}

/** Replaces what an operator writes of a flag. Throws NOT_FOUND, VERSION_CONFLICT, INVALID_BODY. */
export async function editFlag(
  change: Change,
  key: string,
  draft: FlagDraft & { version: number },
  changedBy: string,
): Promise<{ before: Flag; after: Flag }> {
  const all = await readFlags(change.tx);
  const before = current(all, key, draft.version);
  refuseMistakes(key, draft, all);
  const { type, description, defaultValue, rules, tags } = draft;
  return replaceFlag(change, before, { ...before, type, description, defaultValue, rules, tags, changedBy });
}

/** Turns a flag on or off. Throws NOT_FOUND, VERSION_CONFLICT. */
export async function turnFlag(
  change: Change,
  key: string,
  { enabled, version }: { enabled: boolean; version: number },
  changedBy: string,
): Promise<{ before: Flag; after: Flag }> {
  const before = current(await readFlags(change.tx), key, version);
  return replaceFlag(change, before, { ...before, enabled, changedBy });
}

/** Deletes a flag. Throws NOT_FOUND, VERSION_CONFLICT, and CONFLICT while another flag's rules depend on it. */
export async function removeFlag(change: Change, key: string, version: number): Promise<Flag> {
  const all = await readFlags(change.tx);
  const flag = current(all, key, version);
  const dependants = all
    .filter(({ rules }) => prerequisitesOf(rules).includes(key))
    .map((other) => other.key);
  if (dependants.length > 0) {
    throw new HttpProblem('CONFLICT', { detail: `These flags depend on it: ${dependants.join(', ')}.` });
  }
  await change.tx.deleteFrom('flag').where('key', '=', key).execute();
  tellEffect(change, flag, null);
  return flag;
}

function current(all: readonly Flag[], key: string, version: number): Flag {
  const flag = all.find((one) => one.key === key);
  if (flag === undefined) throw new HttpProblem('NOT_FOUND', { detail: `There is no flag ${key}.` });
  if (flag.version !== version) throw new HttpProblem('VERSION_CONFLICT');
  return flag;
}

async function replaceFlag(
  change: Change,
  before: Flag,
  draft: Flag,
): Promise<{ before: Flag; after: Flag }> {
  const after: Flag = { ...draft, changedAt: change.at, version: before.version + 1 };
  await change.tx.updateTable('flag').set(columnsOf(after)).where('key', '=', after.key).execute();
  tellEffect(change, before, after);
  return { before, after };
}

function columnsOf(flag: Flag) {
  return {
    type: flag.type,
    description: flag.description,
    default_value: JSON.stringify(flag.defaultValue),
    enabled: flag.enabled ? 1 : 0,
    rules: JSON.stringify(flag.rules),
    tags: JSON.stringify(flag.tags),
    changed_at: flag.changedAt,
    changed_by: flag.changedBy,
    version: flag.version,
  };
}

// Clients are told of what they can see: a new description, or anything about a flag that is off, is no new version.
function tellEffect(change: Change, before: Flag | null, after: Flag | null): void {
  const seen = (flag: Flag | null) =>
    flag?.enabled === true ? JSON.stringify([flag.defaultValue, flag.rules]) : null;
  if (seen(before) !== seen(after)) change.tell('flags');
}

function refuseMistakes(key: string, draft: FlagDraft, all: readonly Flag[]): void {
  const prerequisites = new Map<string, readonly string[]>(builtInFlags.map((name) => [name, []]));
  for (const flag of all) if (flag.key !== key) prerequisites.set(flag.key, prerequisitesOf(flag.rules));
  const errors = flagProblems({ ...draft, key }, { prerequisites, savedGroups: new Set() });
  if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
}

/** When what clients can see last changed, milliseconds: the version of the payload; 0 where never. */
export async function lastChange(db: Reader): Promise<number> {
  const { at } = await db
    .selectFrom('changed')
    .select(sql<number | null>`max(at)`.as('at'))
    .where('topic', 'in', ['flags', 'maintenance'])
    .executeTakeFirstOrThrow();
  return at ?? 0;
}
