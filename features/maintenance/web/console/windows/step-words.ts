import type { ProblemWords } from '#web/platform/forms/problems-of.ts';

/** Refusals that concern a window as a whole. */
export const windowCodes: NonNullable<ProblemWords<never>['codes']> = {
  WINDOW_OVER: 'MAINTENANCE.CONSOLE.WRONG.OVER',
  WINDOW_OVERLAPS: (t, { detail }) => detail ?? t('MAINTENANCE.CONSOLE.WRONG.OVERLAPS_SOME'),
};

/** Why a step was refused. */
export const stepWords: ProblemWords<never> = {
  fields: {},
  codes: {
    ...windowCodes,
    CONFLICT: 'MAINTENANCE.CONSOLE.WRONG.ELSEWHERE',
    INVALID_BODY: 'MAINTENANCE.CONSOLE.WRONG.BEFORE_START',
  },
};
