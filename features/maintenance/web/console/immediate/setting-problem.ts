import type { TFunction } from 'i18next';
import { type ProblemWords, problemsOf } from '#web/platform/forms/problems-of.ts';

/** Why fields of the notice and the switch are refused. */
export const settingWords: ProblemWords<'expectedEnd' | 'text'> = {
  fields: {
    expectedEnd: 'MAINTENANCE.CONSOLE.MODE.END_PAST',
    text: { else: 'MAINTENANCE.CONSOLE.WRONG.REFUSED', format: 'MAINTENANCE.CONSOLE.WRONG.CHARACTERS' },
  },
};

/** Why the notice or the switch could not be saved, in words. */
export function settingProblem(t: TFunction, error: unknown): string {
  const { expectedEnd, text, general = '' } = problemsOf(t, error, settingWords);
  return expectedEnd ?? text ?? general;
}
