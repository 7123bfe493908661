import type { ProblemWords } from '#web/platform/forms/problems-of.ts';

export const clientKeyWords: ProblemWords<'name'> = {
  fields: { name: 'CLIENT_KEYS.ERRORS.NAME' },
  codes: { CONFLICT: 'CLIENT_KEYS.ERRORS.CONFLICT' },
};
