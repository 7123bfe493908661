import type { TFunction } from 'i18next';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';

export type TokenProblems = { name?: string; rights?: string; expiresAt?: string; general?: string };

/** Puts what the server says beside the fields; the rest concerns the whole. */
export function tokenProblems(t: TFunction, error: unknown): TokenProblems {
  if (error === null) return {};
  if (isProblem(error, 'CONFLICT')) return { general: t('API_TOKENS.ERRORS.TOO_MANY') };
  if (!isProblem(error, 'INVALID_BODY')) return { general: problemText(t, error) };
  const problems: TokenProblems = {};
  for (const { pointer, code } of error.errors) {
    if (pointer === '/name') problems.name = t('API_TOKENS.ERRORS.NAME');
    else if (pointer === '/expiresAt') problems.expiresAt = t('API_TOKENS.ERRORS.EXPIRY');
    else if (pointer.startsWith('/rights'))
      problems.rights = t(code === 'not-held' ? 'API_TOKENS.ERRORS.NOT_HELD' : 'API_TOKENS.ERRORS.NO_RIGHTS');
    else problems.general = problemText(t, error);
  }
  return problems;
}
