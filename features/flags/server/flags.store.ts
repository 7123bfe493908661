import { countRows } from '#server/platform/database/sql.ts';
import { sql } from 'kysely';
import {
  flagList,
  flagType,
  type ArchivedFlag,
  type Flag,
  type FlagDraft,
  type FlagRule,
  type FlagUse,
  type RampAction,
} from '#features/flags/contract/flags.ts';
import { rampAfter } from '#features/flags/contract/schedules.ts';
import type { Segment } from '#features/flags/contract/segments.ts';
import type { FlagDefinition } from '#features/flags/contract/trials.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { maintenanceFlag, maintenanceTextFlag } from '#features/maintenance/contract/maintenance.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { HttpProblem, invalid, orNotFound, refuseStale, taken } from '#server/platform/http/http-problem.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { usesOf } from './flag-uses.ts';
import { checkFlag, prerequisitesOf, type CheckedFlag } from './rules.ts';
import { readSegments } from './segments.store.ts';
import { groupsOf } from './segments.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    flag: {
      key: string;
      type: string;
      description: string;
      default_value: string;
      enabled: number;
      for_signed_out: number;
      kill_switch: number;
      /** Null: the flag is not archived. */
      archived_at: number | null;
      rules: string;
      tags: string;
      created_at: number;
      changed_at: number;
      changed_by: string | null;
      changed_by_id: string | null;
      version: number;
    };
  }
}

/** Set on the Maintenance screen only (MAINT-1). */
export const builtInFlags: readonly string[] = [maintenanceFlag, maintenanceTextFlag];

/** Without archived ones. */
export async function readFlags(db: Reader): Promise<Flag[]> {
  const rows = await selectFlags(db).where('archived_at', 'is', null).execute();
  return rows.map(flagOf);
}

export async function readArchivedFlags(db: Reader): Promise<ArchivedFlag[]> {
  const rows = await selectFlags(db).where('archived_at', 'is not', null).execute();
  return rows.map((row) => ({ ...flagOf(row), archivedAt: Number(row.archived_at) }));
}

export function countArchivedFlags(db: Reader): Promise<number> {
  return countRows(db.selectFrom('flag').where('archived_at', 'is not', null));
}

function selectFlags(db: Reader) {
  return db.selectFrom('flag').selectAll().select(authorOf('flag.changed_by').as('changedBy')).orderBy('key');
}

function flagOf(row: Tables['flag'] & Pick<Flag, 'changedBy'>): Flag {
  return {
    key: row.key,
    type: flagType.parse(row.type),
    description: row.description,
    defaultValue: JSON.parse(row.default_value) as unknown,
    enabled: row.enabled === 1,
    forSignedOut: row.for_signed_out === 1,
    killSwitch: row.kill_switch === 1,
    rules: JSON.parse(row.rules) as FlagRule[],
    tags: JSON.parse(row.tags) as string[],
    createdAt: row.created_at,
    changedAt: row.changed_at,
    changedBy: row.changedBy,
    version: row.version,
  };
}

/** Adds a flag. Throws CONFLICT for a taken key, INVALID_BODY for mistakes and a reserved key. */
export async function addFlag(
  change: Change,
  flag: FlagDraft & { key: string; enabled: boolean },
  actor: Actor,
): Promise<Flag> {
  if (builtInFlags.includes(flag.key))
    throw invalid('/key', 'reserved', 'belongs to maintenance and is set there');
  const all = await readFlags(change.tx);
  const used = [...all, ...(await readArchivedFlags(change.tx))];
  if (used.some(({ key }) => key === flag.key))
    throw taken('/key', `There is a flag ${flag.key} already.`, 'is taken');
  refuseMistakes(flag.key, flag, all, await readSegments(change.tx));
  return insertFlag(change, flag, actor);
}

/** Adds a flag that the caller has checked. */
export async function insertFlag(
  change: Change,
  { forSignedOut = false, killSwitch = false, ...rest }: FlagDraft & { key: string; enabled: boolean },
  actor: Actor,
): Promise<Flag> {
  const added: Flag = {
    ...rest,
    forSignedOut,
    killSwitch,
    createdAt: change.at,
    changedAt: change.at,
    changedBy: actor.name,
    version: 1,
  };
  await change.tx
    .insertInto('flag')
    .values({ ...columnsOf(added, actor), key: added.key, created_at: added.createdAt })
    .execute();
  publishEffect(change, null, added);
  return added;
}

/**
 * Replaces the parts of a flag that an operator edits. Throws NOT_FOUND, VERSION_CONFLICT, INVALID_BODY;
 * FLAG_IN_USE if a flag that is on gets another type and `affected` does not name every affected flag.
 */
export async function editFlag(
  change: Change,
  key: string,
  draft: FlagDraft & { version: number; affected?: readonly string[] | undefined },
  actor: Actor,
): Promise<{ before: Flag; after: Flag }> {
  const all = await readFlags(change.tx);
  const before = current(all, key, draft.version);
  return replaceFlag(change, before, await draftedFlag(change, before, all, draft), actor);
}

/** Answers the flag with a draft applied. Throws INVALID_BODY and FLAG_IN_USE like `editFlag`. */
export async function draftedFlag(
  change: Change,
  before: Flag,
  all: readonly Flag[],
  draft: FlagDraft & { affected?: readonly string[] | undefined },
): Promise<Flag> {
  refuseMistakes(before.key, draft, all, await readSegments(change.tx));
  const { type, description, defaultValue, rules, tags } = draft;
  const { forSignedOut = before.forSignedOut, killSwitch = before.killSwitch } = draft;
  if (before.enabled && type !== before.type) {
    const uses = unknownUses(before.key, all, draft.affected);
    if (uses.length > 0 || draft.affected === undefined)
      throw inUse(`Clients, and the rules of other flags, expect the type ${before.type}`, uses);
  }
  return { ...before, type, description, defaultValue, forSignedOut, killSwitch, rules, tags };
}

/** Turns a flag on or off. Throws NOT_FOUND, VERSION_CONFLICT; FLAG_IN_USE if `affected` misses an affected flag. */
export async function setFlagEnabled(
  change: Change,
  key: string,
  {
    enabled,
    version,
    affected,
  }: { enabled: boolean; version: number; affected?: readonly string[] | undefined },
  actor: Actor,
): Promise<{ before: Flag; after: Flag }> {
  const all = await readFlags(change.tx);
  const before = current(all, key, version);
  if (before.enabled && !enabled) {
    const uses = unknownUses(key, all, affected);
    if (uses.length > 0) throw inUse('Other flags depend on it, and change with it', uses);
  }
  return replaceFlag(change, before, { ...before, enabled }, actor);
}

/** Pauses, resumes or ends a ramp. Throws NOT_FOUND, VERSION_CONFLICT; CONFLICT if the action is not possible now. */
export async function steerRampOf(
  change: Change,
  key: string,
  { rule: place, action, version }: { rule: number; action: RampAction; version: number },
  actor: Actor,
): Promise<{ before: Flag; after: Flag }> {
  const before = current(await readFlags(change.tx), key, version);
  const rule = before.rules[place] ?? {};
  const ramp = rampAfter(rule, action, change.at);
  if (ramp === null)
    throw new HttpProblem('CONFLICT', { detail: `Rule ${place + 1} has no ramp, or none to ${action} now.` });
  return replaceFlag(
    change,
    before,
    { ...before, rules: before.rules.with(place, { ...rule, ramp }) },
    actor,
  );
}

/** The flags that a change of this flag affects; none if the caller names each of them. */
function unknownUses(key: string, all: readonly Flag[], named: readonly string[] = []): FlagUse[] {
  const uses = usesOf(key, all).filter(({ enabled }) => enabled);
  return uses.every((use) => named.includes(use.key)) ? [] : uses;
}

function inUse(why: string, uses: readonly FlagUse[]): HttpProblem {
  return new HttpProblem('FLAG_IN_USE', {
    detail: `${why}. To change it all the same, send the keys in \`errors\` as \`affected\`.`,
    errors: errorsOf('/affected', uses),
  });
}

/** One problem for each flag, with its key as the message; screens make their text from `usedBy` of `getFlag`. */
function errorsOf(pointer: string, uses: readonly FlagUse[]): FieldProblem[] {
  return uses.map(({ key }) => ({ pointer, code: 'flag', message: key }));
}

/** Turns a flag off and archives it. Throws NOT_FOUND, VERSION_CONFLICT; FLAG_IN_USE while rules ask for it. */
export async function archiveFlag(
  change: Change,
  key: string,
  version: number,
  actor: Actor,
): Promise<{ before: Flag; after: Flag }> {
  const all = await readFlags(change.tx);
  const flag = current(all, key, version);
  const uses = usesOf(key, all).filter(({ conditions }) => conditions.length > 0);
  if (uses.length > 0) {
    throw new HttpProblem('FLAG_IN_USE', {
      detail: `The rules of these flags ask for it: ${uses.map((use) => use.key).join(', ')}. Change these first.`,
      errors: errorsOf('/usedBy', uses),
    });
  }
  await change.tx.updateTable('flag').set({ archived_at: change.at }).where('key', '=', key).execute();
  return replaceFlag(change, flag, { ...flag, enabled: false }, actor);
}

/**
 * Takes a flag back from the archive. Throws NOT_FOUND, VERSION_CONFLICT; INVALID_BODY if its rules name flags
 * or segments that no longer exist.
 */
export async function takeFromArchive(
  change: Change,
  key: string,
  version: number,
  actor: Actor,
): Promise<{ before: Flag; after: Flag }> {
  const { archivedAt: _archivedAt, ...flag } = orNotFound(
    (await readArchivedFlags(change.tx)).find((one) => one.key === key),
    `There is no archived flag ${key}.`,
  );
  refuseStale(flag, version);
  refuseMistakes(key, flag, await readFlags(change.tx), await readSegments(change.tx));
  await change.tx.updateTable('flag').set({ archived_at: null }).where('key', '=', key).execute();
  return replaceFlag(change, flag, flag, actor);
}

/** Throws NOT_FOUND. */
export function flagIn(all: readonly Flag[], key: string): Flag {
  return orNotFound(
    all.find((one) => one.key === key),
    `There is no flag ${key}.`,
  );
}

function current(all: readonly Flag[], key: string, version: number): Flag {
  const flag = flagIn(all, key);
  refuseStale(flag, version);
  return flag;
}

/** Replaces a flag by `draft`, which the caller has checked. */
export async function replaceFlag(
  change: Change,
  before: Flag,
  draft: Flag,
  actor: Actor,
): Promise<{ before: Flag; after: Flag }> {
  const changed = { changedAt: change.at, changedBy: actor.name, version: before.version + 1 };
  const after: Flag = { ...draft, ...changed };
  await change.tx.updateTable('flag').set(columnsOf(after, actor)).where('key', '=', after.key).execute();
  publishEffect(change, before, after);
  return { before, after };
}

function columnsOf(flag: Flag, actor: Actor) {
  return {
    type: flag.type,
    description: flag.description,
    default_value: JSON.stringify(flag.defaultValue),
    enabled: flag.enabled ? 1 : 0,
    for_signed_out: flag.forSignedOut ? 1 : 0,
    kill_switch: flag.killSwitch ? 1 : 0,
    rules: JSON.stringify(flag.rules),
    tags: JSON.stringify(flag.tags),
    changed_at: flag.changedAt,
    ...writtenBy('changed_by', actor),
    version: flag.version,
  };
}

// Operators see each change. For clients, a new description, or a change of a flag that is off, is not a new
// version.
function publishEffect(change: Change, before: Flag | null, after: Flag | null): void {
  if (seenByClients(before) !== seenByClients(after)) change.publish('flags');
  publishList(change, flagList);
}

/** The parts of a flag that clients see, as a text; null if the flag is off. */
export function seenByClients(flag: Flag | null): string | null {
  return flag?.enabled === true ? JSON.stringify([flag.defaultValue, flag.rules, flag.forSignedOut]) : null;
}

/** The warnings of a draft. Throws INVALID_BODY for values and rules that are refused. */
export function refuseMistakes(
  key: string,
  draft: FlagDefinition,
  all: readonly Flag[],
  segments: readonly Segment[],
): CheckedFlag['warnings'] {
  const { problems, warnings } = checkAmong({ ...draft, key }, all, segments);
  if (problems.length > 0) throw new HttpProblem('INVALID_BODY', { errors: problems });
  return warnings;
}

/** Checks a flag against the other flags and the existing segments. */
export function checkAmong(
  flag: Pick<Flag, 'key' | 'type' | 'defaultValue' | 'rules'>,
  all: readonly Flag[],
  segments: readonly Segment[],
): CheckedFlag {
  const prerequisites = new Map<string, readonly string[]>(builtInFlags.map((name) => [name, []]));
  for (const { key, rules } of all) if (key !== flag.key) prerequisites.set(key, prerequisitesOf(rules));
  return checkFlag(flag, { prerequisites, savedGroups: groupsOf(segments) });
}

/** When data that clients see last changed (milliseconds), which is the payload's version; 0 if it never changed. */
export async function lastChange(db: Reader): Promise<number> {
  const { at } = await db
    .selectFrom('changed')
    .select(sql<number | null>`max(at)`.as('at'))
    .where('topic', 'in', ['flags', 'maintenance'])
    .executeTakeFirstOrThrow();
  return at ?? 0;
}
