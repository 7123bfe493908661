import { sql } from 'kysely';
import { flagList, type Flag } from '#features/flags/contract/flags.ts';
import { mostValues, valuesIn, type Segment, type SegmentKind } from '#features/flags/contract/segments.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { HttpProblem, invalid, orNotFound, taken } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { checkCondition, createFindings } from './condition.ts';
import { checkEncoding, largestRules } from './rules.ts';
import {
  conditionsOf,
  groupsOf,
  namedIn,
  segmentUses,
  writtenBytes,
  type GroupSource,
  type Lists,
} from './segments.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    segment: {
      id: string;
      name: string;
      description: string;
      kind: string;
      attribute: string;
      numbers: number;
      /** JSON: the values of a list, or the condition. */
      content: string;
      size: number;
      created_at: number;
      changed_at: number;
      changed_by: string | null;
      changed_by_id: string | null;
      version: number;
    };
  }
}

/** The parts of a segment that an operator edits; `values` or `condition` stays unchanged if left out. */
export type SegmentDraft = {
  name: string;
  description: string;
  attribute: string;
  numbers: boolean;
  values?: string | undefined;
  condition?: unknown;
};

const mostSegments = 1_000;
const longestValue = 200;
const largestCondition = 65_536;
/** The limit for segments that are nested in each other. */
const deepestSegments = 10;

/** All segments by name, without the values of lists. */
export async function readSegments(read: Reader): Promise<Segment[]> {
  const rows = await read
    .selectFrom('segment')
    .select([
      ...(['id', 'name', 'description', 'kind', 'attribute', 'numbers', 'size'] as const),
      ...(['created_at', 'changed_at', 'version'] as const),
      authorOf('segment.changed_by').as('changedBy'),
      sql<string>`case kind when 'condition' then content else 'null' end`.as('condition'),
    ])
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, numbers, condition, created_at, changed_at, ...row }) => ({
    ...row,
    kind: kind as SegmentKind,
    numbers: numbers === 1,
    condition: JSON.parse(condition) as unknown,
    createdAt: created_at,
    changedAt: changed_at,
  }));
}

/** Throws NOT_FOUND. */
export async function findSegment(read: Reader, id: string): Promise<Segment> {
  const all = await readSegments(read);
  return orNotFound(
    all.find((one) => one.id === id),
    'There is no such segment.',
  );
}

/** The values of a list, or a condition. */
export async function contentOf(read: Reader, id: string): Promise<unknown> {
  const row = await read.selectFrom('segment').select('content').where('id', '=', id).executeTakeFirst();
  return JSON.parse(row?.content ?? '[]');
}

/** Reads the values of lists: once for each version of a list, as one array, so that only one set is made of it. */
export function createListReader() {
  let held = new Map<string, { of: string; values: Lists[string] }>();
  return async (read: Reader, segments: readonly Segment[]): Promise<Lists> => {
    const next: typeof held = new Map();
    for (const { id, kind, createdAt, version } of segments) {
      if (kind !== 'list') continue;
      const of = `${createdAt} ${version}`;
      const known = held.get(id);
      next.set(id, known?.of === of ? known : { of, values: (await contentOf(read, id)) as Lists[string] });
    }
    held = next;
    return Object.fromEntries([...next].map(([id, { values }]) => [id, values]));
  };
}

export const storedSegments = versionedRows({
  find: findSegment,
  // The values of a list can identify people, so the audit records only their number.
  audited: ({ name, description, kind, attribute, numbers, condition, size }) => ({
    name,
    description,
    kind,
    ...(kind === 'list' ? { attribute, numbers, size } : { condition }),
  }),
});

/** Adds a segment and answers its id. Throws CONFLICT for an id that is taken, INVALID_BODY. */
export async function addSegment(
  change: Change,
  { kind, id = `grp_${newId()}`, ...draft }: SegmentDraft & { kind: SegmentKind; id?: string | undefined },
  actor: Actor,
): Promise<string> {
  const all = await readSegments(change.tx);
  if (all.length >= mostSegments)
    throw new HttpProblem('CONFLICT', { detail: `There are ${mostSegments} segments already.` });
  if (all.some((one) => one.id === id)) throw taken('/id', `There is a segment ${id} already.`, 'is taken');
  const columns = checkedColumns({ id, kind }, draft, all, []);
  await change.tx
    .insertInto('segment')
    .values({
      ...columns,
      id,
      kind,
      created_at: change.at,
      changed_at: change.at,
      ...writtenBy('changed_by', actor),
      version: 1,
    })
    .execute();
  publish(change);
  return id;
}

/** Answers the segment before the change. Throws NOT_FOUND, VERSION_CONFLICT and INVALID_BODY. */
export async function editSegment(
  change: Change,
  id: string,
  { version, ...draft }: SegmentDraft & { version: number },
  flags: readonly Flag[],
  actor: Actor,
): Promise<Segment> {
  const before = await storedSegments.findAt(change, id, version);
  const { kind } = before;
  const sent = kind === 'list' ? draft.values : draft.condition;
  // The stored values are converted again, since a list may change from numbers to texts.
  const old = sent === undefined ? await contentOf(change.tx, id) : undefined;
  const content =
    kind === 'list' ? valuesOf(draft, draft.values ?? (old as unknown[]).join('\n')) : (sent ?? old);
  if (kind === 'condition')
    refuseCondition({ ...before, condition: content }, await readSegments(change.tx), flags);
  await change.tx
    .updateTable('segment')
    .set({
      ...columnsOf(kind, draft, content),
      changed_at: change.at,
      ...writtenBy('changed_by', actor),
      version: nextVersion,
    })
    .where('id', '=', id)
    .execute();
  publish(change);
  return before;
}

/** Answers the removed segment. Throws NOT_FOUND, VERSION_CONFLICT; CONFLICT while a flag or segment uses it. */
export async function removeSegment(
  change: Change,
  id: string,
  version: number,
  flags: readonly Flag[],
): Promise<Segment> {
  const segment = await storedSegments.findAt(change, id, version);
  const uses = segmentUses(id, flags, await readSegments(change.tx));
  if (uses.length > 0) {
    throw new HttpProblem('CONFLICT', {
      detail: `These use it: ${uses.map(({ name }) => name).join(', ')}. Change them first.`,
      errors: uses.map((use) => ({ pointer: '/usedBy', code: use.kind, message: use.id })),
    });
  }
  await change.tx.deleteFrom('segment').where('id', '=', id).execute();
  publish(change);
  return segment;
}

/**
 * Erases a person's id and addresses from all segments: removes them from lists, and replaces them with the
 * pseudonym in conditions.
 */
export async function erasePersonFromSegments(
  change: Change,
  { personId, emails, pseudonym }: { personId: string; emails: readonly string[]; pseudonym: string },
): Promise<void> {
  const own = new Set([personId, ...emails]);
  const isOwn = (value: unknown) =>
    typeof value === 'string' && (own.has(value) || own.has(value.toLowerCase()));
  const rows = await change.tx.selectFrom('segment').select(['id', 'kind', 'content']).execute();
  let found = 0;
  for (const { id, kind, content } of rows) {
    const written = JSON.parse(content, (_key, value: unknown) =>
      kind === 'condition' && isOwn(value) ? pseudonym : value,
    ) as unknown;
    const cleaned = kind === 'list' ? (written as unknown[]).filter((value) => !isOwn(value)) : written;
    const text = JSON.stringify(cleaned);
    if (text === content) continue;
    found += 1;
    await change.tx
      .updateTable('segment')
      .set({ content: text, size: kind === 'list' ? (cleaned as unknown[]).length : 0, version: nextVersion })
      .where('id', '=', id)
      .execute();
  }
  if (found > 0) publish(change);
}

/** The columns to store for a segment whose values or condition are sent. Throws INVALID_BODY. */
export function checkedColumns(
  { id, kind }: { id: string; kind: SegmentKind },
  draft: SegmentDraft,
  all: readonly Segment[],
  flags: readonly Pick<Flag, 'key' | 'rules'>[],
) {
  const content = kind === 'list' ? valuesOf(draft, draft.values ?? '') : (draft.condition ?? {});
  const columns = columnsOf(kind, draft, content);
  if (kind === 'condition')
    refuseCondition({ id, name: draft.name, kind, attribute: '', condition: content }, all, flags);
  return columns;
}

function columnsOf(kind: SegmentKind, draft: SegmentDraft, content: unknown) {
  const { name, description, attribute, numbers } = draft;
  const isList = kind === 'list';
  if (isList && attribute === '') throw invalid('/attribute', 'required', 'is missing');
  return {
    name,
    description,
    attribute: isList ? attribute : '',
    numbers: isList && numbers ? 1 : 0,
    content: JSON.stringify(content),
    size: isList ? (content as unknown[]).length : 0,
  };
}

/** Publishes a change of segments; only the rebuild of the payload finds out whether flags change. */
function publish(change: Change): void {
  change.publish('flags');
  publishList(change, flagList);
}

/** Throws INVALID_BODY. */
function valuesOf({ numbers }: SegmentDraft, text: string): (string | number)[] {
  const values = valuesIn(text);
  const refuse = (code: string, message: string) => invalid('/values', code, message);
  if (values.length > mostValues)
    throw refuse('too_big', `must be at most ${mostValues} values, and are ${values.length}`);
  const long = values.find((each) => each.length > longestValue);
  if (long !== undefined)
    throw refuse('too_long', `must have at most ${longestValue} characters each: ${long.slice(0, 40)}…`);
  if (!text.isWellFormed()) throw refuse('invalid', 'hold half of a character');
  if (!numbers) return values;
  const other = values.find((each) => String(Number(each)) !== each || !Number.isFinite(Number(each)));
  if (other !== undefined) throw refuse('type', `must be numbers, and one is ${other}`);
  return values.map(Number);
}

/** Throws INVALID_BODY for a condition that is refused, by itself or when written into the rules of flags. */
function refuseCondition(
  segment: GroupSource,
  all: readonly Segment[],
  flags: readonly Pick<Flag, 'key' | 'rules'>[],
): void {
  const findings = createFindings();
  const path = ['condition'];
  const others = all.filter(({ id }) => id !== segment.id);
  const segments = [...others, segment];
  const groups = groupsOf(segments);
  checkCondition(segment.condition, path, groups, findings);
  if (findings.found.length === 0) checkEncoding(segment.condition, path, findings);
  if (findings.found.length === 0) {
    const circle = circleFrom(segment, segments);
    const { bytes = 0, levels = 0 } = groups.get(segment.id) ?? {};
    if (circle !== null)
      findings.add(path, 'cycle', `segments would contain each other: ${circle.join(' → ')}`);
    else if (bytes > largestCondition || levels > deepestSegments)
      findings.add(
        path,
        'too_big',
        `must have at most ${largestCondition} bytes and ${deepestSegments} segments in each other`,
      );
    else
      for (const { key, rules } of flags) {
        const added = writtenBytes(conditionsOf(rules), groups);
        if (added > 0 && Buffer.byteLength(JSON.stringify(rules)) + added > largestRules)
          findings.add(path, 'too_big', `makes the rules of ${key} too large`);
      }
  }
  if (findings.found.length > 0) throw new HttpProblem('INVALID_BODY', { errors: findings.found });
}

/** The names of the segments through which a segment refers back to itself, or null. */
function circleFrom(start: GroupSource, segments: readonly GroupSource[]): string[] | null {
  const open: GroupSource[][] = [[start]];
  const seen = new Set<string>();
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    for (const id of namedIn(way.at(-1)?.condition)) {
      if (id === start.id) return [...way, start].map(({ name }) => name);
      const next = segments.find((one) => one.id === id);
      if (next === undefined || seen.has(id)) continue;
      seen.add(id);
      open.push([...way, next]);
    }
  }
  return null;
}
