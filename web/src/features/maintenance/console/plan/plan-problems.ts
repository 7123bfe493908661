import type { MaintenanceWindow } from '@portico/contract/maintenance-windows';
import type { TFunction } from 'i18next';
import { catalogueKey } from '../../../../platform/i18n/catalogue-key.ts';
import { isProblem, ProblemError } from '../../../../platform/problem-error.ts';
import { problemText } from '../../../../platform/problem-text.ts';
import {
  type FieldName,
  longestLead,
  longestText,
  longestTitle,
  type Wrong,
  type WrongFields,
} from './plan-form.ts';

/** What is wrong, in words, field by field; `general` concerns the whole. */
export type PlanProblems = Partial<Record<FieldName | 'general', string>>;

const fields: readonly (readonly [pointer: string, field: FieldName])[] = [
  ['/title', 'title'],
  ['/text', 'text'],
  ['/startsAt', 'start'],
  ['/endsAt', 'end'],
  ['/leadMinutes', 'lead'],
];

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

/** The words for what the form itself has found. */
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

/** The words for what the server has refused. */
export function refusalInWords(
  t: TFunction,
  error: unknown,
  form: { title: string; text: string },
): PlanProblems {
  if (error === null) return {};
  if (isProblem(error, 'WINDOW_OVERLAPS'))
    return { general: error.detail ?? t('MAINTENANCE.CONSOLE.WRONG.OVERLAPS_SOME') };
  if (isProblem(error, 'WINDOW_OVER')) return { general: t('MAINTENANCE.CONSOLE.WRONG.OVER') };
  if (!(error instanceof ProblemError) || error.code !== 'INVALID_BODY')
    return { general: problemText(t, error) };
  const problems: PlanProblems = {};
  for (const { pointer, code } of error.errors) {
    const [, field] = fields.find(([start]) => pointer === start || pointer.startsWith(`${start}/`)) ?? [];
    if (field === undefined) {
      problems.general ??= problemText(t, error);
      continue;
    }
    const place = code === 'unknown_zone' ? 'timeZone' : field;
    problems[place] ??= wordsFor(t, place, reasons[code] ?? 'refused', form);
  }
  if (Object.keys(problems).length === 0) problems.general = problemText(t, error);
  return problems;
}

/** Another window that lasts at the same time, in words: which one, and when. */
export function overlapInWords(
  t: TFunction,
  other: MaintenanceWindow,
  times: { own: string; utc: string | null },
): string {
  return t('MAINTENANCE.CONSOLE.WRONG.OVERLAPS', {
    title: other.title,
    times:
      times.utc === null ? times.own : t('MAINTENANCE.CONSOLE.WITH_UTC', { own: times.own, utc: times.utc }),
  });
}
