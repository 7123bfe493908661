import {
  severities,
  type Severity,
  windowMode,
  type WindowMode,
} from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceWindow, planWindow } from '#features/maintenance/contract/windows.ts';
import type { BodyOf } from '#contract/route.ts';
import { textPhases, longestNotice } from '#features/maintenance/contract/texts.ts';
import { overlaps } from '../windows/phase-at.ts';
import { entryAt, momentOf, type ResolvedEntry, resolveEntry, type WallEntry } from './wall-time-field.tsx';
import { isTypedTexts, longestOf, type TypedTexts, typedTexts, writtenTexts } from './written-texts.ts';

const endBy = ['nobody', 'start', 'person'] as const;
type EndBy = (typeof endBy)[number];

/** The form as typed. */
export type WindowForm = {
  readonly title: string;
  /** One text for all phases and languages, of a window that was planned with one. */
  readonly text: string;
  readonly texts: TypedTexts;
  readonly severity: Severity;
  readonly mode: WindowMode;
  readonly timeZone: string;
  readonly start: WallEntry;
  readonly end: WallEntry;
  /** `nobody`: the end is that of the plan; `start`: it moved with the start; `person`: the person typed it. */
  readonly endBy: EndBy;
  /** Minutes, as digits. */
  readonly lead: string;
  readonly endsByItself: boolean;
};

export const fieldNames = ['title', 'text', ...textPhases, 'timeZone', 'start', 'end', 'lead'] as const;
export type FieldName = (typeof fieldNames)[number];

/** Why a field cannot be sent; the catalogues have a text for each. */
export const mistakeCodes = [
  'title_required',
  'title_too_long',
  'text_too_long',
  'characters',
  'unknown_zone',
  'time_required',
  'time_skipped',
  'time_doubled',
  'past',
  'end_past',
  'before_start',
  'too_long',
  'lead',
  'started',
  'refused',
] as const;
export type MistakeCode = (typeof mistakeCodes)[number];

export type Mistakes = Partial<Record<FieldName, MistakeCode>>;

export type WindowDraft = BodyOf<typeof planWindow>;

export const longestTitle = 120;
export const longestText = longestNotice;
export const longestLead = 10_080;
/** The suggested lead times, in minutes. */
export const usualLeads = [15, 60, 1_440] as const;

const minute = 60_000;
const hour = 60 * minute;

/**
 * The form of a new window: the next full hour after a full lead time in which nothing else is planned.
 *
 * @param others all windows that are not over
 */
export function newForm(
  now: number,
  timeZone: string,
  others: readonly { startsAt: number; endsAt: number }[],
): WindowForm {
  let startsAt = (Math.floor(now / hour) + 2) * hour;
  for (const other of others.toSorted((a, b) => a.startsAt - b.startsAt))
    if (overlaps(other, { startsAt, endsAt: startsAt + hour }))
      startsAt = Math.ceil(other.endsAt / hour) * hour;
  return {
    title: '',
    text: '',
    texts: typedTexts({}),
    severity: 'MEDIUM',
    mode: 'full',
    timeZone,
    start: entryAt(startsAt, timeZone),
    end: entryAt(startsAt + hour, timeZone),
    endBy: 'nobody',
    lead: '60',
    endsByItself: true,
  };
}

/** The form of an existing window, in the zone in which it was planned. */
export function formOf(window: MaintenanceWindow, ownZone: string): WindowForm {
  const timeZone = window.timeZone ?? ownZone;
  const { title, text, texts, severity, mode, endsByItself } = window;
  return {
    title,
    text,
    texts: typedTexts(texts),
    severity,
    mode,
    timeZone,
    start: entryAt(window.startsAt, timeZone),
    end: entryAt(window.endsAt, timeZone),
    endBy: 'nobody',
    lead: String(window.leadMinutes),
    endsByItself,
  };
}

/** Sets another start. An end that was not typed moves along, so that the window stays as long as it was. */
export function withStart(form: WindowForm, start: WallEntry): WindowForm {
  if (form.endBy === 'person') return { ...form, start };
  const [before, after, end] = [form.start, start, form.end].map((entry) =>
    approximateInstant(resolveEntry(entry, form.timeZone)),
  );
  if (before == null || after == null || end == null || end <= before || after === before)
    return { ...form, start };
  return { ...form, start, end: entryAt(after + end - before, form.timeZone), endBy: 'start' };
}

/** Sets another end, typed by the person. */
export function withEnd(form: WindowForm, end: WallEntry): WindowForm {
  return { ...form, end, endBy: 'person' };
}

/** The instant of a typed time. Where daylight saving skips or doubles it, one of the two possible instants. */
function approximateInstant(resolved: ResolvedEntry): number | null {
  switch (resolved.kind) {
    case 'one':
      return resolved.at;
    case 'skipped':
      return resolved.after;
    case 'doubled':
      return resolved.first;
    default:
      return null;
  }
}

/** Start and end in milliseconds since the epoch; null: the typed time is not exactly one instant. */
export function spanOf(form: WindowForm): { startsAt: number | null; endsAt: number | null } {
  return {
    startsAt: instantOf(resolveEntry(form.start, form.timeZone)),
    endsAt: instantOf(resolveEntry(form.end, form.timeZone)),
  };
}

function instantOf(resolved: ResolvedEntry): number | null {
  return resolved.kind === 'one' ? resolved.at : null;
}

/** Minutes before the start; null if that is not a valid number. */
export function leadOf(form: WindowForm): number | null {
  if (!/^\d{1,6}$/.test(form.lead.trim())) return null;
  const minutes = Number(form.lead);
  return minutes <= longestLead ? minutes : null;
}

/**
 * Reads the form, or returns the mistake of each field before anything is sent.
 *
 * @param now milliseconds since the epoch by the server
 * @param window the window before the change; once it has started, its start and lead time stay
 */
export function readForm(
  form: WindowForm,
  now: number,
  window: MaintenanceWindow | null,
): { draft: WindowDraft } | { mistakes: Mistakes } {
  const mistakes: Mistakes = {};
  const title = form.title.trim();
  const text = form.text.trim();
  const lead = leadOf(form);
  const started = window !== null && window.startsAt <= now;
  if (title === '') mistakes.title = 'title_required';
  else if (title.length > longestTitle) mistakes.title = 'title_too_long';
  if (text.length > longestText) mistakes.text = 'text_too_long';
  for (const phase of textPhases)
    if (longestOf(form.texts[phase]) > longestText) mistakes[phase] = 'text_too_long';
  if (lead === null && !started) mistakes.lead = 'lead';

  const start = resolveEntry(form.start, form.timeZone);
  const end = resolveEntry(form.end, form.timeZone);
  const isNewlyPast = (entry: WallEntry, at: number | null, before: number | undefined) =>
    at !== null && at <= now && !isUnchanged(entry, before, form);
  if (start.kind === 'unknown-zone') mistakes.timeZone = 'unknown_zone';
  else {
    const startsAt = started ? window.startsAt : instantOf(start);
    const endsAt = instantOf(end);
    const startMistake = started ? null : timeMistakes[start.kind];
    const endMistake = timeMistakes[end.kind];
    if (startMistake !== null) mistakes.start = startMistake;
    else if (!started && isNewlyPast(form.start, startsAt, window?.startsAt)) mistakes.start = 'past';
    if (endMistake !== null) mistakes.end = endMistake;
    else if (endsAt !== null && startsAt !== null && endsAt <= startsAt) mistakes.end = 'before_start';
    else if (started && isNewlyPast(form.end, endsAt, window.endsAt)) mistakes.end = 'end_past';
  }
  if (Object.keys(mistakes).length > 0) return { mistakes };
  return {
    draft: {
      title,
      text,
      texts: writtenTexts(form.texts),
      severity: form.severity,
      mode: form.mode,
      leadMinutes: started ? window.leadMinutes : (lead ?? 0),
      endsByItself: form.endsByItself || form.mode === 'announce',
      startsAt: started ? window.startsAt : timeToSend(form.start, window?.startsAt, form),
      endsAt: timeToSend(form.end, window?.endsAt, form),
    },
  };
}

/** The time to send. The field shows no seconds, so an unchanged time that has seconds is sent as it was. */
function timeToSend(entry: WallEntry, before: number | undefined, form: WindowForm): WindowDraft['startsAt'] {
  const isRounded = instantOf(resolveEntry(entry, form.timeZone)) !== before;
  return before !== undefined && isRounded && isUnchanged(entry, before, form)
    ? before
    : momentOf(entry, form.timeZone);
}

function isUnchanged(entry: WallEntry, before: number | undefined, { timeZone }: WindowForm): boolean {
  if (before === undefined) return false;
  const original = entryAt(before, timeZone);
  return original.local === entry.local && original.offset === entry.offset;
}

const timeMistakes: Record<ResolvedEntry['kind'], MistakeCode | null> = {
  one: null,
  'unknown-zone': null,
  skipped: 'time_skipped',
  doubled: 'time_doubled',
  empty: 'time_required',
  'no-such-date': 'time_required',
};

export function sameForm(a: WindowForm, b: WindowForm): boolean {
  const [one, other] = [a, b].map((form) => JSON.stringify({ ...form, endBy: 'nobody' }));
  return one === other;
}

/** Returns a stored form; null if its values are not those of this release. */
export function readStoredForm(form: WindowForm): WindowForm | null {
  const known =
    severities.includes(form.severity) &&
    windowMode.options.includes(form.mode) &&
    endBy.includes(form.endBy) &&
    isTypedTexts(form.texts) &&
    isEntry(form.start) &&
    isEntry(form.end);
  return known ? form : null;
}

/** Whether a stored value is an entry of a time. */
export function isEntry(entry: WallEntry): boolean {
  return typeof entry.local === 'string' && (entry.offset === null || typeof entry.offset === 'number');
}
