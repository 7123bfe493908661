import type { TFunction } from 'i18next';
import { isProblem, ProblemError } from '../../../../platform/problem-error.ts';
import { problemText } from '../../../../platform/problem-text.ts';

/** Why a step with a window was refused, in words. */
export function stepProblem(t: TFunction, error: unknown): string {
  if (isProblem(error, 'WINDOW_OVER')) return t('MAINTENANCE.CONSOLE.WRONG.OVER');
  if (isProblem(error, 'WINDOW_OVERLAPS'))
    return error.detail ?? t('MAINTENANCE.CONSOLE.WRONG.OVERLAPS_SOME');
  if (isProblem(error, 'CONFLICT')) return t('MAINTENANCE.CONSOLE.WRONG.ELSEWHERE');
  if (error instanceof ProblemError && error.code === 'INVALID_BODY')
    return t('MAINTENANCE.CONSOLE.WRONG.BEFORE_START');
  return problemText(t, error);
}
