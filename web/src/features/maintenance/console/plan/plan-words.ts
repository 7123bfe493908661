import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import type { TFunction } from 'i18next';
import { catalogueKey } from '../../../../platform/i18n/catalogue-key.ts';
import { type FieldWords, type Problems, problemsOf } from '../../../../platform/forms/problems-of.ts';
import { windowCodes } from '../windows/step-words.ts';
import { type SpanWords, withUtc } from '../windows/window-times.ts';
import {
  type FieldName,
  longestLead,
  longestText,
  longestTitle,
  type Wrong,
  type WrongFields,
} from './plan-form.ts';

export type PlanProblems = Problems<FieldName>;

/** Field names by the names in the request's body. */
const fieldsOfBody: Readonly<Record<string, FieldName>> = {
  startsAt: 'start',
  endsAt: 'end',
  leadMinutes: 'lead',
};

const reasons: Readonly<Record<string, Wrong>> = {
  before_start: 'before_start',
  past: 'past',
  too_long: 'too_long',
  time_skipped: 'time_skipped',
  time_doubled: 'time_doubled',
  unknown_zone: 'unknown_zone',
  no_such_date: 'time_required',
  started: 'started',
  format: 'characters',
};

/** Texts for problems that the form has found. */
export function wrongInWords(
  t: TFunction,
  wrong: WrongFields,
  form: { title: string; text: string },
): PlanProblems {
  return Object.fromEntries(
    Object.entries(wrong).map(([field, reason]) => [field, wordsFor(t, field as FieldName, reason, form)]),
  );
}

function wordsFor(
  t: TFunction,
  field: FieldName,
  reason: Wrong,
  form: { title: string; text: string },
): string {
  const length = field === 'title' ? form.title.trim().length : form.text.trim().length;
  const most = field === 'title' ? longestTitle : field === 'text' ? longestText : longestLead;
  if (reason === 'title_too_long' || reason === 'text_too_long')
    return t('MAINTENANCE.CONSOLE.WRONG.LONG', { length, most });
  if (reason === 'past' && field === 'end') return t('MAINTENANCE.CONSOLE.WRONG.END_PAST');
  return t(`MAINTENANCE.CONSOLE.WRONG.${catalogueKey(reason)}`, { most });
}

/** Texts for refusals of the server. */
export function refusalInWords(
  t: TFunction,
  error: unknown,
  form: { title: string; text: string },
): PlanProblems {
  const words =
    (field: FieldName): FieldWords =>
    (_t, { code }) =>
      wordsFor(t, field, reasons[code] ?? 'refused', form);
  return problemsOf(t, error, {
    fields: {
      title: words('title'),
      text: words('text'),
      timeZone: words('timeZone'),
      start: words('start'),
      end: words('end'),
      lead: words('lead'),
    },
    fieldOf: (name, code) => (code === 'unknown_zone' ? 'timeZone' : (fieldsOfBody[name] ?? name)),
    codes: windowCodes,
  });
}

/** A window that overlaps, in words: which one, and when. */
export function overlapInWords(t: TFunction, other: MaintenanceWindow, times: SpanWords): string {
  return t('MAINTENANCE.CONSOLE.WRONG.OVERLAPS', {
    title: other.title,
    times: withUtc(t, times),
  });
}
