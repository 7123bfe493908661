import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type FlagDocument,
  type FlagImport,
  type ImportedSegment,
  type Unmapped,
} from '#features/flags/contract/flag-exchange.ts';
import { createFlag, type Flag, type FlagRule, type FlagVersion } from '#features/flags/contract/flags.ts';
import { timingOf } from '#features/flags/contract/schedules.ts';
import { createSegment, type Segment } from '#features/flags/contract/segments.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { readProjects } from '#features/diagnostics/server/projects.store.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { changedMeanwhile, HttpProblem } from '#server/platform/http/http-problem.ts';
import { builtInFlags, insertFlag, readArchivedFlags, readFlags, replaceFlag } from './flags.store.ts';
import { readImport, type ImportRequest } from './import-document.ts';
import type { RecordFlag } from './record-flag.ts';
import { checkFlag, prerequisitesOf } from './rules.ts';
import {
  addSegment,
  checkedColumns,
  contentOf,
  editSegment,
  readSegments,
  storedSegments,
  type SegmentDraft,
} from './segments.store.ts';
import { groupsOf, namedIn } from './segments.ts';

type Written = FlagVersion['flag'] & { key: string };
type State = FlagImport['flags'][number]['state'];

/** The changes that an import makes when it is applied. */
export type ImportPlan = Omit<FlagImport, 'flags' | 'segments'> & {
  flags: { before: Flag | null; after: Written; state: State }[];
  segments: {
    before: Segment | null;
    after: SegmentDraft & Pick<Segment, 'id' | 'kind' | 'size'>;
    state: State;
  }[];
};

type Known = { flags: Flag[]; segments: Segment[]; archived: ReadonlySet<string> };

/** All flags and segments in the form that `readImport` reads; equal flags and segments give an equal text. */
export async function exportDocument(read: Reader): Promise<FlagDocument> {
  const segments = await readSegments(read);
  const flags = await readFlags(read);
  return {
    portico: 'flags',
    flags: flags.map((flag) => ({ key: flag.key, ...writtenOf(flag) })),
    segments: await Promise.all(
      segments
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(async ({ id, name, description, kind, attribute, numbers, condition }) => ({
          id,
          name,
          description,
          kind,
          attribute,
          numbers,
          ...(kind === 'list'
            ? { values: ((await contentOf(read, id)) as unknown[]).join('\n') }
            : { condition }),
        })),
    ),
  };
}

/** Compares a document with the existing flags and segments. Throws INVALID_BODY if it cannot be read. */
export async function planImport(read: Reader, request: ImportRequest): Promise<ImportPlan> {
  const { format, environments, environment, mapped } = readImport(request);
  const known = await everything(read);
  const unmapped = [...mapped.unmapped];
  const segments = await planSegments(read, mapped.segments, known, unmapped);
  const all = new Map(known.segments.map((one) => [one.id, one]));
  for (const { before, after } of segments)
    all.set(after.id, { ...emptySegment, ...before, ...after, condition: after.condition ?? null });

  const ofKey = new Map(known.flags.map((flag) => [flag.key, flag]));
  const drafts = mapped.flags.flatMap((imported): Written[] => {
    const { key } = imported;
    const before = ofKey.get(key);
    const stays = before === undefined ? emptyFlag : writtenOf(before);
    const parsed = createFlag.body.safeParse({ ...stays, ...imported });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const place = issue?.path.join('/') ?? '';
      unmapped.push(invalid('flag', key, place, place === 'key' ? keyShape : (issue?.message ?? '')));
      return [];
    }
    const { forSignedOut = false, killSwitch = false } = parsed.data;
    return [{ ...parsed.data, forSignedOut, killSwitch }];
  });
  const unique = new Map<string, Written>();
  for (const draft of drafts) {
    const reason = builtInFlags.includes(draft.key)
      ? 'reserved'
      : known.archived.has(draft.key)
        ? 'archived'
        : unique.has(draft.key)
          ? 'duplicate'
          : null;
    if (reason === null) unique.set(draft.key, draft);
    else unmapped.push({ kind: 'flag', name: draft.key, reason, detail: '' });
  }
  const asked = new Map(
    [...known.flags, ...unique.values()].map(({ key, rules }) => [key, prerequisitesOf(rules)]),
  );
  // Flags without prerequisites do not matter to the check of other flags.
  const prerequisites = new Map([...asked].filter(([, keys]) => keys.length > 0));
  const surroundings = { prerequisites, savedGroups: groupsOf([...all.values()]) };
  const named = new Set(mapped.flags.map(({ key }) => key));
  const projects = await readProjects(read);
  const flags: ImportPlan['flags'] = [];
  for (const after of unique.values()) {
    const before = ofKey.get(after.key) ?? null;
    const isSame = before !== null && isDeepStrictEqual(writtenOf(before), writtenOf(after));
    const [problem] = isSame ? [] : checkFlag(after, surroundings).problems;
    // Checking thousands of flags must not block other requests.
    await setImmediate();
    if (problem === undefined) {
      flags.push({ before, after, state: stateOf(before, isSame) });
      for (const project of isSame ? [] : guardedBy(after.rules))
        unmapped.push({
          kind: 'flag',
          name: after.key,
          reason: 'guard',
          detail: projects.find(({ id }) => id === project)?.name ?? String(project),
        });
    } else unmapped.push(invalid('flag', after.key, problem.pointer.slice(1), problem.message));
  }
  return {
    format,
    environments,
    environment,
    flags,
    segments,
    unmapped,
    kept: known.flags.map(({ key }) => key).filter((key) => !named.has(key)),
    basis: basisOf(request, known),
  };
}

/** The projects whose errors the guards of ramps count; a number means a different project in each installation. */
function guardedBy(rules: readonly FlagRule[]): number[] {
  return rules.flatMap((rule) => timingOf(rule).ramp?.guard?.project ?? []);
}

/** Writes new and changed flags and segments. Throws VERSION_CONFLICT if flags or segments changed since the plan. */
export async function applyImport(
  change: Change,
  request: ImportRequest,
  plan: ImportPlan,
  actor: Actor,
  record: RecordFlag,
): Promise<{ created: number; changed: number }> {
  if (basisOf(request, await everything(change.tx)) !== plan.basis) throw stale();
  const count = { created: 0, changed: 0 };
  for (const { before, after, state } of plan.segments) {
    const subject = after.id;
    if (state === 'same') continue;
    if (before === null) await addSegment(change, after, actor);
    // No flags are passed: the plan has already checked the segment with the flags after the import.
    else await editSegment(change, subject, { ...after, version: before.version }, [], actor);
    const action = before === null ? 'segment.create' : 'segment.update';
    await storedSegments.recordWrite(change, actor, { action, subject, ...(before && { before }) });
  }
  for (const { before, after, state } of plan.flags) {
    if (state === 'same') continue;
    count[before === null ? 'created' : 'changed'] += 1;
    if (before === null)
      await record(change, actor, 'create', { after: await insertFlag(change, after, actor) });
    else
      await record(
        change,
        actor,
        'update',
        await replaceFlag(change, before, { ...before, ...after }, actor),
      );
  }
  return count;
}

/** The refusal for an import whose flags or segments have changed since the preview. */
export function stale(): HttpProblem {
  return new HttpProblem('VERSION_CONFLICT', { detail: changedMeanwhile });
}

async function everything(read: Reader): Promise<Known> {
  const archived = await readArchivedFlags(read);
  return {
    flags: await readFlags(read),
    segments: await readSegments(read),
    archived: new Set(archived.map(({ key }) => key)),
  };
}

function basisOf({ document, environment }: ImportRequest, { flags, segments }: Known): string {
  const versions = [...flags, ...segments].map(({ createdAt, changedAt, version, ...one }) => [
    'key' in one ? one.key : one.id,
    createdAt,
    changedAt,
    version,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([document, environment ?? null, versions]))
    .digest('base64url');
}

const keyShape = 'must be 1 to 100 of A–Z a–z 0–9 _ . : | -';
const emptyFlag = {
  description: '',
  tags: [],
  rules: [],
  enabled: true,
  forSignedOut: false,
  killSwitch: false,
};
const emptySegment = { createdAt: 0, changedAt: 0, changedBy: null, version: 0 };

/** The members of a flag that an export contains. */
function writtenOf(flag: FlagVersion['flag']): FlagVersion['flag'] {
  const { type, description, defaultValue, enabled, forSignedOut, killSwitch, rules, tags } = flag;
  return { type, description, defaultValue, enabled, forSignedOut, killSwitch, rules, tags };
}

function stateOf(before: object | null, isSame: boolean): State {
  if (before === null) return 'new';
  return isSame ? 'same' : 'changed';
}

function invalid(kind: Unmapped['kind'], name: string, place: string, message: string): Unmapped {
  return { kind, name, reason: 'invalid', detail: `${place}: ${message}` };
}

async function planSegments(
  read: Reader,
  imported: readonly ImportedSegment[],
  known: Known,
  unmapped: Unmapped[],
): Promise<ImportPlan['segments']> {
  const all = new Map(known.segments.map((one) => [one.id, one]));
  const plan: ImportPlan['segments'] = [];
  const seen = new Set<string>();
  for (const one of namedFirst(imported)) {
    const before = known.segments.find(({ id }) => id === one.id) ?? null;
    const { id, name = before?.name ?? one.id, description = before?.description ?? '' } = one;
    const numbers = one.numbers ?? false;
    const parsed = createSegment.body.safeParse({ ...one, name, description, numbers });
    const reason = seen.has(id) ? 'duplicate' : null;
    seen.add(id);
    const [issue] = parsed.error?.issues ?? [];
    if (!parsed.success)
      unmapped.push(invalid('segment', name, issue?.path.join('/') ?? '', issue?.message ?? ''));
    else if (reason !== null) unmapped.push({ kind: 'segment', name, reason, detail: '' });
    else if (before !== null && before.kind !== parsed.data.kind)
      unmapped.push(invalid('segment', name, 'kind', `is ${before.kind} here`));
    else
      try {
        const { kind } = parsed.data;
        const draft = { ...parsed.data, id };
        const { content, size } = checkedColumns({ id, kind }, draft, [...all.values()], known.flags);
        const isSame =
          before !== null &&
          isDeepStrictEqual(
            [before.name, before.description, before.attribute, before.numbers],
            [name, description, draft.attribute, numbers],
          ) &&
          isDeepStrictEqual(JSON.parse(content), await contentOf(read, id));
        const after = { ...draft, size };
        plan.push({ before, after, state: stateOf(before, isSame) });
        const condition: unknown = kind === 'condition' ? JSON.parse(content) : null;
        all.set(id, { ...emptySegment, ...before, ...after, condition });
      } catch (error) {
        if (!(error instanceof HttpProblem)) throw error;
        const [problem] = error.details.errors ?? [];
        unmapped.push(
          invalid('segment', name, problem?.pointer.slice(1) ?? '', problem?.message ?? error.message),
        );
      }
  }
  return plan;
}

/** Sorts segments so that each one comes after the segments that its condition names. */
function namedFirst(segments: readonly ImportedSegment[]): ImportedSegment[] {
  const left = new Set(segments);
  const ordered: ImportedSegment[] = [];
  for (let before = -1; before !== ordered.length;) {
    before = ordered.length;
    const missing = new Set([...left].map(({ id }) => id));
    for (const one of left) {
      if (namedIn(one.condition).some((id) => id !== one.id && missing.has(id))) continue;
      ordered.push(one);
      left.delete(one);
    }
  }
  return [...ordered, ...left];
}
