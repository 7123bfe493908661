import type { TFunction } from 'i18next';
import { ProblemError } from './problem-error.ts';

/** Codes that say the same wherever they come up. */
const everywhere = new Set([
  'NETWORK',
  'RIGHT_MISSING',
  'MAINTENANCE',
  'TOO_MANY_REQUESTS',
  'VERSION_CONFLICT',
  'NOT_FOUND',
  'SESSION_ENDED',
]);

/** What went wrong, in words that are the same wherever it goes wrong; a feature says its own codes itself. */
export function problemText(t: TFunction, error: unknown): string {
  if (error instanceof ProblemError && everywhere.has(error.code)) return t(`COMMON.ERRORS.${error.code}`);
  return t('COMMON.ERRORS.SERVER.CRITICAL_ERROR');
}
