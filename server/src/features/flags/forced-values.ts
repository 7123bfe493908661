import { evalCondition, type FeatureDefinition, type SavedGroupsPayload } from '@growthbook/growthbook';

/** Decides a flag whose rules only force values: the index of the rule that does, or -1 for the default. */
export type DecideForced = (person: Person) => number;

/** One person, and what conditions said about them: many flags ask the same. */
export type Person = { attributes: Record<string, unknown>; answers: (boolean | undefined)[] };

/**
 * Prepares flags whose rules only force values, for a condition or a share of people: most flags. GrowthBook's client makes a
 * context for each flag and person, which costs several times as much as the decision; conditions stay GrowthBook's own.
 * Null for a flag with an experiment, a filter or a prerequisite, which the client decides.
 */
export function prepareForced(
  savedGroups: SavedGroupsPayload,
): (key: string, flag: FeatureDefinition) => DecideForced | null {
  const questions = new Map<string, number>();

  return (key, { rules = [] }) => {
    if (!rules.every((rule) => 'force' in rule && !rule.parentConditions && !rule.filters)) return null;
    const prepared = rules.map((rule) => {
      const { condition, range, coverage, hashAttribute, hashVersion, seed } = rule;
      const question = JSON.stringify(condition);
      if (condition && !questions.has(question)) questions.set(question, questions.size);
      return {
        condition,
        question: questions.get(question) ?? -1,
        everybody: range === undefined && coverage === undefined,
        range,
        coverage: coverage ?? 1,
        attribute: hashAttribute || 'id',
        version: hashVersion || 1,
        seed: seed || key,
      };
    });

    return ({ attributes, answers }) =>
      prepared.findIndex((rule) => {
        if (rule.condition) {
          const passes = (answers[rule.question] ??= evalCondition(attributes, rule.condition, savedGroups));
          if (!passes) return false;
        }
        if (rule.everybody) return true;
        if (rule.range === undefined && rule.coverage === 0) return false;
        const value = Object.hasOwn(attributes, rule.attribute) ? attributes[rule.attribute] : undefined;
        const place = value ? placeOf(rule.seed, value, rule.version) : null;
        if (place === null) return false;
        return rule.range === undefined
          ? place <= rule.coverage
          : place >= rule.range[0] && place < rule.range[1];
      });
  };
}

/** Where somebody stands between 0 and 1, by GrowthBook's hash; null for a version that it does not know. */
function placeOf(seed: string, value: unknown, version: number): number | null {
  const text = value as string;
  if (version === 2) return (fnv1a(String(fnv1a(seed + text))) % 10_000) / 10_000;
  return version === 1 ? (fnv1a(text + seed) % 1_000) / 1_000 : null;
}

/** FNV-1a, 32 bits, over UTF-16 units as GrowthBook takes them. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
