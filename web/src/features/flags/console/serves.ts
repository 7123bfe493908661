import type { Flag } from '@portico/contract/flags';
import { partsOf, type RuleParts } from './rule-parts.ts';

/** What a flag gives to whom, in short. */
export type Served =
  | { to: 'all' | 'some' | 'rest'; value: unknown }
  | { to: 'share'; share: number; value: unknown };

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * What a flag that is on gives to whom, in the order of its rules: values of rules for some people, shares of
 * everyone, and the rest.
 */
export function servesOf({ rules, defaultValue }: Pick<Flag, 'rules' | 'defaultValue'>): Served[] {
  const served: Served[] = [];
  let rest: unknown = defaultValue;
  let shared = false;
  let isGated = false;
  const add = (one: Served) => {
    if (!served.some((other) => same(other, one))) served.push(one);
  };
  for (const rule of rules) {
    const parts = partsOf(rule);
    // Who does not meet it gets no value.
    isGated ||= parts.prerequisites?.some(({ gate }) => gate === true) === true;
    const given = sharesOf(parts);
    const [only] = given;
    if (only !== undefined && given.length === 1 && only.share === 1 && isForAll(parts)) {
      rest = only.value;
      break;
    }
    // Two shares by one attribute overlap, so that the second is of no certain size.
    const counts = isForAll(parts) && !shared && served.length === 0;
    for (const { share, value } of given) {
      if (counts) add({ to: 'share', share, value });
      else add({ to: 'some', value });
    }
    if (given.length > 0 && isForAll(parts)) shared = true;
  }
  const total = served.reduce((sum, each) => sum + (each.to === 'share' ? each.share : 0), 0);
  if (served.every(({ value }) => same(value, rest))) return [{ to: isGated ? 'some' : 'all', value: rest }];
  if (total > 0.999) return served;
  return [...served, { to: 'rest', value: rest }];
}

/** Nothing but its share keeps anyone from it. */
function isForAll({ condition, prerequisites = [], rest }: RuleParts): boolean {
  return (
    condition === undefined &&
    prerequisites.length === 0 &&
    !['condition', 'parentConditions', 'filters', 'namespace', 'range', 'ranges'].some((name) => name in rest)
  );
}

function sharesOf({ gives, coverage = 1 }: RuleParts): { share: number; value: unknown }[] {
  if (gives.kind === 'value') return [{ share: coverage, value: gives.value }];
  if (gives.kind === 'nothing') return [];
  const { variations, weights } = gives;
  return variations.map((value, index) => ({
    share: coverage * (weights?.[index] ?? 1 / variations.length),
    value,
  }));
}
