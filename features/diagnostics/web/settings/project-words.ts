import type { ProblemWords } from '#web/platform/forms/problems-of.ts';

/** Why a project could not be saved. */
export const projectWords: ProblemWords<'name' | 'forwardTo'> = {
  fields: {
    name: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.NAME',
    forwardTo: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.FORWARD_TO',
  },
  codes: {
    VERSION_CONFLICT: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.CHANGED',
    CONFLICT: 'DIAGNOSTICS_SETTINGS.PROJECTS.ERRORS.TOO_MANY',
  },
};
