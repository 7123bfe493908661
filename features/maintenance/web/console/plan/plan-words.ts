import { textPhases } from '#features/maintenance/contract/texts.ts';
import type { TFunction } from 'i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import {
  type FieldWords,
  type Problems,
  problemsOf,
  type ProblemWords,
} from '#web/platform/forms/problems-of.ts';
import {
  type FieldName,
  fieldNames,
  longestLead,
  longestText,
  longestTitle,
  type WindowForm,
  type MistakeCode,
  type Mistakes,
  mistakeCodes,
} from './plan-form.ts';
import { longestOf } from './written-texts.ts';

export type PlanProblems = Problems<FieldName>;

type Typed = Pick<WindowForm, 'title' | 'text' | 'texts'>;

/** Refusals that concern a window as a whole. */
export const windowCodes: NonNullable<ProblemWords<never>['codes']> = {
  WINDOW_OVER: 'MAINTENANCE.CONSOLE.WRONG.OVER',
  WINDOW_OVERLAPS: (t, { detail }) => detail ?? t('MAINTENANCE.CONSOLE.WRONG.OVERLAPS_SOME'),
};

/** Field names by the names in the request's body. */
const fieldsOfBody: Readonly<Record<string, FieldName>> = {
  startsAt: 'start',
  endsAt: 'end',
  leadMinutes: 'lead',
  texts: 'before',
};

/** Codes of the server that have another name here. */
const renamed: Readonly<Record<string, MistakeCode>> = {
  no_such_date: 'time_required',
  format: 'characters',
};

/** Texts for problems that the form has found. */
export function mistakesInWords(t: TFunction, mistakes: Mistakes, form: Typed): PlanProblems {
  return Object.fromEntries(
    Object.entries(mistakes).map(([field, reason]) => [field, wordsFor(t, field as FieldName, reason, form)]),
  );
}

function wordsFor(t: TFunction, field: FieldName, reason: MistakeCode, form: Typed): string {
  const phase = textPhases.find((one) => one === field);
  const length =
    phase === undefined
      ? (field === 'title' ? form.title : form.text).trim().length
      : longestOf(form.texts[phase]);
  const most =
    field === 'title' ? longestTitle : field === 'text' || phase !== undefined ? longestText : longestLead;
  if (reason === 'title_too_long' || reason === 'text_too_long')
    return t('MAINTENANCE.CONSOLE.WRONG.LONG', { length, most });
  if (reason === 'past' && field === 'end') return t('MAINTENANCE.CONSOLE.WRONG.END_PAST');
  return t(`MAINTENANCE.CONSOLE.WRONG.${catalogueKey(reason)}`, { most });
}

/** Texts for refusals of the server. */
export function refusalInWords(t: TFunction, error: unknown, form: Typed): PlanProblems {
  const words =
    (field: FieldName): FieldWords =>
    (_t, { code }) =>
      wordsFor(t, field, renamed[code] ?? mistakeCodes.find((one) => one === code) ?? 'refused', form);
  return problemsOf(t, error, {
    fields: Object.fromEntries(fieldNames.map((field) => [field, words(field)])) as Record<
      FieldName,
      FieldWords
    >,
    fieldOf: (name, code) => (code === 'unknown_zone' ? 'timeZone' : (fieldsOfBody[name] ?? name)),
    codes: windowCodes,
  });
}
