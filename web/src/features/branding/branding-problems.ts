import type { TFunction } from 'i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';

export type BrandingProblems = { name?: string; accent?: string; mark?: string; general?: string };

const ofTheMark = new Set(['script', 'external', 'element', 'entities', 'too-complex', 'type', 'too_big']);

/**
 * Puts what the server says beside the fields; the rest concerns the whole.
 *
 * @param edited fields that hold something else by now than the server has seen
 */
export function brandingProblems(
  t: TFunction,
  error: unknown,
  edited: readonly (keyof BrandingProblems)[] = [],
): BrandingProblems {
  const problems = allProblems(t, error);
  for (const field of edited) delete problems[field];
  return problems;
}

function allProblems(t: TFunction, error: unknown): BrandingProblems {
  if (error === null) return {};
  if (isProblem(error, 'TOO_LARGE')) return { mark: t('BRANDING.ERRORS.MARK.TOO_BIG') };
  if (!isProblem(error, 'INVALID_BODY')) return { general: problemText(t, error) };
  const problems: BrandingProblems = {};
  for (const { pointer, code } of error.errors) {
    if (pointer === '/name') problems.name = t('BRANDING.ERRORS.NAME');
    else if (pointer === '/accent') problems.accent = t('BRANDING.ERRORS.ACCENT');
    else if (pointer.startsWith('/mark'))
      problems.mark = t(`BRANDING.ERRORS.MARK.${ofTheMark.has(code) ? catalogueKey(code) : 'BROKEN'}`);
    else problems.general = problemText(t, error);
  }
  return problems;
}
