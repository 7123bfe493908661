import type { TFunction } from 'i18next';
import { type Problems, problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';

type Field = 'key' | 'defaultValue' | 'rules' | 'description' | 'tags' | 'note' | 'publishAt';

const words: ProblemWords<Field> = {
  fields: {
    key: {
      taken: 'FLAGS.ERRORS.KEY_TAKEN',
      reserved: 'FLAGS.ERRORS.KEY_RESERVED',
      else: 'FLAGS.ERRORS.KEY',
    },
    defaultValue: 'FLAGS.ERRORS.VALUE',
    // The text for a mistake inside the rules names its place.
    rules: (t, { message }, place) =>
      place === '' ? t('FLAGS.ERRORS.DEFINITION') : t('FLAGS.ERRORS.RULE_AT', { place, message }),
    description: 'FLAGS.ERRORS.DESCRIPTION',
    tags: 'FLAGS.ERRORS.TAGS',
    note: 'FLAGS.ERRORS.NOTE',
    publishAt: 'FLAGS.ERRORS.PUBLISH_AT',
  },
  codes: {
    VERSION_CONFLICT: 'EDITING.CONFLICT',
    FLAG_IN_USE: 'FLAGS.ERRORS.IN_USE',
    REVIEW_REQUIRED: 'FLAGS.ERRORS.REVIEW',
  },
};

export type FlagProblems = Problems<Field>;

/** @param wrong the field that could not be read, so that nothing was sent */
export function flagProblems(
  t: TFunction,
  error: unknown,
  wrong: 'value' | 'rules' | null = null,
): FlagProblems {
  if (wrong === null) return problemsOf(t, error, words);
  return wrong === 'value'
    ? { defaultValue: t('FLAGS.ERRORS.VALUE') }
    : { rules: t('FLAGS.ERRORS.DEFINITION') };
}
