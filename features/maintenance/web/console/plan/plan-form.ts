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
import { entryAt, momentOf, type ResolvedEntry, resolveEntry, type WallEntry } from './wall-entry.ts';
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
  /** Where the end comes from: as the plan had it (`nobody`), moved with the start (`start`), or typed (`person`). */
  readonly endBy: EndBy;
  /** Minutes, as digits. */
  readonly lead: string;
  readonly endsByItself: boolean;
};

export const fieldNames = ['title', 'text', ...textPhases, 'timeZone', 'start', 'end', 'lead'] as const;
export type FieldName = (typeof fieldNames)[number];

/** Why a field cannot be sent; the catalogues have the words. */
export const wrongs = [
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
export type Wrong = (typeof wrongs)[number];

export type WrongFields = Partial<Record<FieldName, Wrong>>;

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
    about(resolveEntry(entry, form.timeZone)),
  );
  if (before == null || after == null || end == null || end <= before) return { ...form, start };
  if (after === before) return { ...form, start };
  return { ...form, start, end: entryAt(after + end - before, form.timeZone), endBy: 'start' };
}

/** Sets another end, typed by the person. */
export function withEnd(form: WindowForm, end: WallEntry): WindowForm {
  return { ...form, end, endBy: 'person' };
}

/** The instant of a typed time; of a skipped or doubled time, one of the two that are possible. */
function about(resolved: ResolvedEntry): number | null {
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
): { draft: WindowDraft } | { wrong: WrongFields } {
  const wrong: WrongFields = {};
  const title = form.title.trim();
  const text = form.text.trim();
  const lead = leadOf(form);
  const started = window !== null && window.startsAt <= now;
  if (title === '') wrong.title = 'title_required';
  else if (title.length > longestTitle) wrong.title = 'title_too_long';
  if (text.length > longestText) wrong.text = 'text_too_long';
  for (const phase of textPhases)
    if (longestOf(form.texts[phase]) > longestText) wrong[phase] = 'text_too_long';
  if (lead === null && !started) wrong.lead = 'lead';

  const start = resolveEntry(form.start, form.timeZone);
  const end = resolveEntry(form.end, form.timeZone);
  if (start.kind === 'unknown-zone') wrong.timeZone = 'unknown_zone';
  else {
    const startWrong = started ? null : wrongTime(start);
    if (startWrong !== null) wrong.start = startWrong;
    else if (
      !started &&
      start.kind === 'one' &&
      start.at <= now &&
      !isUnchanged(form.start, window?.startsAt, form)
    )
      wrong.start = 'past';
    const endWrong = wrongTime(end);
    const startsAt = started ? window.startsAt : instantOf(start);
    if (endWrong !== null) wrong.end = endWrong;
    else if (end.kind === 'one' && startsAt !== null && end.at <= startsAt) wrong.end = 'before_start';
    else if (end.kind === 'one' && started && end.at <= now && !isUnchanged(form.end, window.endsAt, form))
      wrong.end = 'end_past';
  }
  if (Object.keys(wrong).length > 0) return { wrong };
  return {
    draft: {
      title,
      text,
      texts: writtenTexts(form.texts),
      severity: form.severity,
      mode: form.mode,
      leadMinutes: started ? window.leadMinutes : (lead ?? 0),
      endsByItself: form.endsByItself || form.mode === 'announce',
      startsAt: started ? window.startsAt : sent(form.start, window?.startsAt, form),
      endsAt: sent(form.end, window?.endsAt, form),
    },
  };
}

/** An unchanged time is sent to the millisecond; the field shows no seconds. */
function sent(entry: WallEntry, was: number | undefined, form: WindowForm): WindowDraft['startsAt'] {
  const resolved = resolveEntry(entry, form.timeZone);
  if (was === undefined || !isUnchanged(entry, was, form) || (resolved.kind === 'one' && resolved.at === was))
    return momentOf(entry, form.timeZone);
  return was;
}

function isUnchanged(entry: WallEntry, was: number | undefined, { timeZone }: WindowForm): boolean {
  if (was === undefined) return false;
  const original = entryAt(was, timeZone);
  return original.local === entry.local && original.offset === entry.offset;
}

function wrongTime(resolved: ResolvedEntry): Wrong | null {
  switch (resolved.kind) {
    case 'one':
    case 'unknown-zone':
      return null;
    case 'skipped':
      return 'time_skipped';
    case 'doubled':
      return 'time_doubled';
    case 'empty':
    case 'no-such-date':
      return 'time_required';
  }
}

export function sameForm(a: WindowForm, b: WindowForm): boolean {
  const [one, other] = [a, b].map((form) => JSON.stringify({ ...form, endBy: 'nobody' }));
  return one === other;
}

/** A stored form; null: another release has written it. */
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
