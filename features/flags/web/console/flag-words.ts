import type { TFunction } from 'i18next';
import { type Problems, problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import type { Flag } from '#features/flags/contract/flags.ts';
import { ruleAt } from '#features/flags/contract/schedules.ts';
import { partsOf, type RuleParts } from './rule-parts.ts';

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

/** One of the values that a flag serves, and the part of its audience that gets it. */
export type ServedValue =
  | { to: 'all' | 'some' | 'rest'; value: unknown }
  | { to: 'rules'; rules: number; value: unknown }
  | { to: 'share'; share: number; value: unknown };

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The values that an enabled flag serves, in the order of its rules: values of rules, shares of everyone,
 * and the value for the rest.
 */
export function servedValuesOf(
  { rules, defaultValue }: Pick<Flag, 'rules' | 'defaultValue'>,
  now: number,
): ServedValue[] {
  const served: ServedValue[] = [];
  let rest: unknown = defaultValue;
  let shared = false;
  let isGated = false;
  const addRule = (value: unknown) => {
    const known = served.find((one) => one.to === 'rules' && same(one.value, value));
    if (known?.to === 'rules') known.rules += 1;
    else served.push({ to: 'rules', rules: 1, value });
  };
  for (const rule of rules.map((each) => ruleAt(each, now)).filter((each) => each !== null)) {
    const parts = partsOf(rule);
    // People who fail a gate prerequisite get no value.
    isGated ||= parts.prerequisites?.some(({ gate }) => gate === true) === true;
    const given = sharesOf(parts);
    const [only] = given;
    if (only !== undefined && given.length === 1 && only.share === 1 && isForAll(parts)) {
      rest = only.value;
      break;
    }
    // Two shares hashed by the same attribute overlap, so the size of the second one is unknown.
    const counts = isForAll(parts) && !shared && served.length === 0;
    for (const { share, value } of given) {
      if (counts) served.push({ to: 'share', share, value });
      else addRule(value);
    }
    if (given.length > 0 && isForAll(parts)) shared = true;
  }
  const total = served.reduce((sum, each) => sum + (each.to === 'share' ? each.share : 0), 0);
  if (served.every(({ value }) => same(value, rest))) return [{ to: isGated ? 'some' : 'all', value: rest }];
  if (total > 0.999) return served;
  return [...served, { to: 'rest', value: rest }];
}

/** Whether the rule has no condition apart from its share. */
function isForAll({ condition, prerequisites = [], rest }: RuleParts): boolean {
  return (
    condition === undefined &&
    prerequisites.length === 0 &&
    !['condition', 'parentConditions', 'filters', 'namespace', 'range', 'ranges'].some((name) => name in rest)
  );
}

function sharesOf({ result, coverage = 1 }: RuleParts): { share: number; value: unknown }[] {
  if (result.kind === 'value') return [{ share: coverage, value: result.value }];
  if (result.kind === 'nothing') return [];
  const { variations, weights } = result;
  return variations.map((value, index) => ({
    share: coverage * (weights?.[index] ?? 1 / variations.length),
    value,
  }));
}
