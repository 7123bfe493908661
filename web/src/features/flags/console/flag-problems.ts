import type { TFunction } from 'i18next';
import { catalogueKey } from '../../../platform/i18n/catalogue-key.ts';
import { ProblemError, isProblem } from '../../../platform/problem-error.ts';
import { problemText } from '../../../platform/problem-text.ts';

/** What is wrong, field by field; `general` concerns the whole. */
export type FlagProblems = Partial<
  Record<'key' | 'value' | 'rules' | 'description' | 'tags' | 'general', string>
>;

const fields = {
  '/key': 'key',
  '/defaultValue': 'value',
  '/rules': 'rules',
  '/description': 'description',
  '/tags': 'tags',
} as const;

/** Puts the server's pointers beside the fields; a mistake inside the rules names its place. */
export function flagProblems(t: TFunction, error: unknown, wrong: 'value' | 'rules' | null): FlagProblems {
  if (wrong !== null) return { [wrong]: t(wrong === 'value' ? 'FLAGS.ERRORS.VALUE' : 'FLAGS.ERRORS.RULES') };
  if (error === null) return {};
  if (isProblem(error, 'VERSION_CONFLICT')) return { general: t('FLAGS.ERRORS.CONFLICT') };
  if (isProblem(error, 'FLAG_IN_USE')) return { general: t('FLAGS.ERRORS.IN_USE') };
  if (isProblem(error, 'CONFLICT')) return { key: t('FLAGS.ERRORS.KEY_TAKEN') };
  if (!(error instanceof ProblemError) || error.code !== 'INVALID_BODY')
    return { general: problemText(t, error) };
  const problems: FlagProblems = {};
  for (const { pointer, code, message } of error.errors) {
    const [start = '', field] =
      Object.entries(fields).find(([prefix]) => pointer === prefix || pointer.startsWith(`${prefix}/`)) ?? [];
    if (field === undefined) {
      problems.general ??= problemText(t, error);
      continue;
    }
    if (field === 'key')
      problems.key ??= t(code === 'reserved' ? 'FLAGS.ERRORS.KEY_RESERVED' : 'FLAGS.ERRORS.KEY');
    else if (field === 'rules') {
      const place = pointer.slice(start.length);
      problems.rules ??=
        place === '' ? t('FLAGS.ERRORS.RULES') : t('FLAGS.ERRORS.RULE_AT', { place, message });
    } else problems[field] ??= t(`FLAGS.ERRORS.${catalogueKey(field)}`);
  }
  return problems;
}
