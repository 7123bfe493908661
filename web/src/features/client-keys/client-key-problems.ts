import type { TFunction } from 'i18next';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';

export type KeyProblems = { name?: string; general?: string };

/** Puts what the server says beside the name; the rest concerns the whole. */
export function keyProblems(t: TFunction, error: unknown): KeyProblems {
  if (error === null) return {};
  if (isProblem(error, 'CONFLICT')) return { general: t('CLIENT_KEYS.ERRORS.CONFLICT') };
  if (isProblem(error, 'INVALID_BODY') && error.errors.every(({ pointer }) => pointer === '/name'))
    return { name: t('CLIENT_KEYS.ERRORS.NAME') };
  return { general: problemText(t, error) };
}
