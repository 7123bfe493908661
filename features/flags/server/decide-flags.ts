import {
  GrowthBookClient,
  type Experiment,
  type FeatureDefinition,
  type FeatureDefinitions,
  type FeatureRule,
  type Result,
  type SavedGroupsPayload,
  type UserContext,
} from '@growthbook/growthbook';
import type { TrialOutcome } from '#features/flags/contract/trials.ts';
import { isWithin, longestText, textOf } from './attribute-values.ts';
import { compileCondition, type Condition } from './compile-condition.ts';
import type { Work } from './regex-match.ts';

/** One person in one evaluation, and what was found out about them: many flags ask the same. */
export type Person = {
  attributes: Record<string, unknown>;
  forcedFeatures: ReadonlyMap<string, unknown>;
  /** Variations that were chosen by hand, by experiment. */
  forcedVariations: ReadonlyMap<string, number>;
  /** Those that the address chooses, which count first. */
  choices: ReadonlyMap<string, number>;
  work: Work;
  answers: (boolean | undefined)[];
  /** Of flags that others depend on; `open` while it is being decided. */
  decisions: Map<string, Decision | 'open'>;
  /** Left out: nothing is known of the variations that they had. */
  sticky?: StickyDocuments;
  /** Receives what becomes of each rule that is evaluated; left out: no one looks. */
  trace?: Trace;
};

/** The variations that a person has, as GrowthBook's `StickyBucketService` knows them by `attribute||value`. */
export type StickyDocuments = Required<
  Pick<UserContext, 'stickyBucketAssignmentDocs' | 'saveStickyBucketAssignmentDoc'>
>;

/**
 * What became of a rule.
 *
 * @param bucket where the person stands between 0 and 1, if the rule is for a part of everyone
 */
export type Trace = (key: string, rule: number, outcome: TrialOutcome, bucket?: number) => void;

/** Steps of one evaluation: some ten milliseconds. */
const mostWork = 600_000;

/** A person at the start of an evaluation in which nothing is forced. */
export function personWith(attributes: Record<string, unknown>): Person {
  return {
    attributes,
    forcedFeatures: new Map(),
    forcedVariations: new Map(),
    choices: new Map(),
    work: { left: mostWork },
    answers: [],
    decisions: new Map(),
  };
}

/** That a person is in an experiment, as an SDK reports it. */
export type Exposure = { experiment: Experiment<unknown>; result: Result<unknown> };

export type Decision = {
  value: unknown;
  /** What an SDK would report, of the prerequisites too. */
  exposures: readonly Exposure[];
  /** The experiment that the value is from; one whose variation was chosen by hand is not reported. */
  from?: Exposure;
  /** Index of the constant value: that of its rule, -1 for the default; null: not constant. */
  constant: number | null;
};

export type Flags = {
  /** Those with rules, in order. */
  decided: { key: string; decide(this: void, person: Person): Decision }[];
  /**
   * Top-level attributes that the rules can see, sorted; two people who agree in them get the same values.
   */
  attributes: string[];
  /** Experiments, sorted: the address can choose their variation (`?experiment=1`). */
  experiments: string[];
  /** Attributes of which the SDK reads sticky documents; null: no rule looks at any. */
  sticky: string[] | null;
};

/** `meets`: false for who is asked for their sticky variation alone, since the condition does not hold. */
type Rule = (person: Person, exposures: Exposure[], meets?: boolean) => Decision | null;

type Decide = (person: Person) => Decision;

const none: readonly Exposure[] = [];
/** A prerequisite leads back to the flag. */
const circle: Decision = { value: null, exposures: none, constant: null };

/**
 * Prepares the flags to be decided as GrowthBook's SDK 1.8 does it (`core.ts`), which property tests hold
 * them to. Experiments are run by the SDK itself. What differs: the time is bounded (`Work`); and a variation
 * that is chosen by hand, by `forcedVariations` or the address, counts only for those who meet the rule's
 * condition, since others are not meant to read its value.
 */
export function prepareFlags(features: FeatureDefinitions, savedGroups: SavedGroupsPayload): Flags {
  const client = new GrowthBookClient();
  const attributes = new Set<string>();
  const experiments = new Set<string>();
  const conditions = new Map<string, { number: number; meets: Condition }>();
  const sees = (path: string): void => void attributes.add(path.split('.', 1)[0] ?? path);
  const prerequisites = new Set(
    Object.values(features).flatMap(({ rules = [] }) =>
      rules.flatMap(({ parentConditions }) => (parentConditions ?? []).map(({ id }) => id)),
    ),
  );
  const prepared = new Map(Object.entries(features).map(([key, flag]) => [key, prepareFlag(key, flag)]));

  function prepareFlag(key: string, { rules = [], defaultValue = null }: FeatureDefinition): Decide {
    const steps = rules.map((rule, place) => prepareRule(key, rule, place));
    const otherwise: Decision = { value: defaultValue, exposures: none, constant: -1 };

    function decide(person: Person): Decision {
      if (person.forcedFeatures.has(key)) return given(person.forcedFeatures.get(key));
      const exposures: Exposure[] = [];
      let decision: Decision | null = null;
      let place = 0;
      for (const step of steps) {
        decision = step(person, exposures);
        if (decision !== null) break;
        place += 1;
      }
      if (decision !== null) person.trace?.(key, place, 'decides');
      decision ??= otherwise;
      return exposures.length === 0 ? decision : { ...decision, exposures, constant: null };
    }

    if (!prerequisites.has(key)) return decide;
    return (person) => {
      const known = person.decisions.get(key);
      if (known === 'open') return circle;
      if (known !== undefined) return known;
      person.decisions.set(key, 'open');
      const decision = decide(person);
      person.decisions.set(key, decision);
      return decision;
    };
  }

  function prerequisite(key: string, person: Person): Decision {
    const decide = prepared.get(key);
    if (decide !== undefined) return decide(person);
    return given(person.forcedFeatures.get(key) ?? null);
  }

  function prepareRule(key: string, rule: FeatureRule<unknown>, place: number): Rule {
    const passes = [
      ...(rule.filters ? [{ passed: includedBy(rule.filters), otherwise: 'filters' as const }] : []),
      ...(rule.condition ? [{ passed: condition(rule.condition), otherwise: 'condition' as const }] : []),
    ];
    const gives = 'force' in rule ? force(key, rule, place) : experiment(key, rule, place);
    const parents = (rule.parentConditions ?? []).map((parent) => ({
      ...parent,
      meets: compileCondition(parent.condition || {}, { savedGroups, sees: () => undefined }),
    }));
    const sticks = !('force' in rule) && !rule.disableStickyBucketing;
    return (person, exposures) => {
      let isMet = true;
      for (const { id, meets, gate } of parents) {
        const parent = prerequisite(id, person);
        if (parent === circle) return circle;
        for (const exposure of parent.exposures) chargeReport(exposure, person);
        if (person.work.left < 0) return null;
        exposures.push(...parent.exposures);
        if (meets({ value: parent.value }, person.work) === true) continue;
        person.trace?.(key, place, gate ? 'gate' : 'prerequisite');
        return gate ? given(null) : null;
      }
      for (const { passed, otherwise } of passes) {
        if (passed(person)) continue;
        isMet = false;
        if (otherwise === 'condition' && sticks && person.sticky !== undefined) continue;
        person.trace?.(key, place, otherwise);
        return null;
      }
      return gives(person, exposures, isMet);
    };
  }

  /** Asked once of a person, however many rules have the same one. */
  function condition(asked: object): (person: Person) => boolean {
    const text = JSON.stringify(asked);
    const known = conditions.get(text) ?? {
      number: conditions.size,
      meets: compileCondition(asked, { savedGroups, sees }),
    };
    conditions.set(text, known);
    const { number, meets } = known;
    return ({ answers, attributes: all, work }) => (answers[number] ??= meets(all, work) === true);
  }

  function force(key: string, rule: FeatureRule<unknown>, place: number): Rule {
    const { range, coverage, hashAttribute, hashVersion, seed } = rule;
    const decision: Decision = { value: rule.force, exposures: none, constant: place };
    if (!range && coverage === undefined) return () => decision;
    const hashed = see(hashAttribute);
    const fallback = rule.disableStickyBucketing ? undefined : rule.fallbackAttribute;
    return (person) => {
      const placeBy = (attribute: string) => placeOf(seed || key, attribute, hashVersion || 1, person);
      const at = placeBy(hashed) ?? (fallback && person.sticky !== undefined ? placeBy(fallback) : null);
      if (at === null) {
        person.trace?.(key, place, 'no-attribute');
        return null;
      }
      const isIn = range ? at >= range[0] && at < range[1] : coverage !== 0 && at <= (coverage ?? 1);
      person.trace?.(key, place, 'share', at);
      return isIn ? decision : null;
    };
  }

  function includedBy(filters: NonNullable<FeatureRule['filters']>): (person: Person) => boolean {
    const prepared = filters.map((filter) => ({ ...filter, hashed: see(filter.attribute) }));
    return (person) =>
      prepared.every(({ seed, hashed, hashVersion, ranges }) => {
        const at = placeOf(seed, hashed, hashVersion || 2, person);
        return at !== null && ranges.some(([from, to]) => at >= from && at < to);
      });
  }

  function experiment(key: string, rule: FeatureRule<unknown>, place: number): Rule {
    const variations = rule.contextualVariations ?? rule.variations;
    if (!variations) {
      return (person) => {
        person.trace?.(key, place, 'no-value');
        return null;
      };
    }
    const hashed = see(rule.hashAttribute);
    const run = experimentOf(key, rule, variations);
    experiments.add(run.key);
    const fallback = rule.fallbackAttribute || 'id';
    // What the console makes has no keys of variations, without which the SDK would keep none: their places are.
    const keyed = { ...run, meta: run.meta ?? variations.map((_value, at) => ({ key: String(at) })) };
    return (person, exposures, meets = true) => {
      const { choices, forcedVariations, sticky } = person;
      const value = hashable(person, hashed);
      const choice = choices.get(run.key) ?? -1;
      const chosen = choice >= 0 && choice < variations.length ? choice : forcedVariations.get(run.key);
      const variation = meets ? chosen : undefined;
      const attributes: Record<string, unknown> = value === undefined ? {} : { [hashed]: value };
      if (sticky !== undefined) attributes[fallback] = hashable(person, fallback);
      const result = {
        // The SDK asks `include` where it asks for a condition: of those who have no variation yet.
        ...client.runInlineExperiment(sticky === undefined ? run : { ...keyed, include: () => meets }, {
          attributes,
          ...(variation === undefined ? {} : { forcedVariations: { [run.key]: variation } }),
          ...sticky,
        }),
        featureId: key,
      };
      const exposure = { experiment: run, result };
      chargeReport(exposure, person);
      if (result.hashUsed) exposures.push(exposure);
      person.trace?.(key, place, value === undefined ? 'no-attribute' : 'share', result.bucket);
      if (!result.inExperiment || result.passthrough) return null;
      return { ...given(result.value), from: exposure };
    };
  }

  /** What is hashed is a name, not a path: `company.plan` is an attribute of that name. */
  function see(hashAttribute: string | undefined): string {
    const name = hashAttribute || 'id';
    attributes.add(name);
    return name;
  }

  return {
    decided: [...prepared]
      .filter(([key]) => (features[key]?.rules ?? []).length > 0)
      .map(([key, decide]) => ({ key, decide })),
    attributes: [...attributes].toSorted(),
    experiments: [...experiments].toSorted(),
    sticky: stickyAttributes(features),
  };
}

function stickyAttributes(features: FeatureDefinitions): string[] | null {
  const rules = Object.values(features).flatMap(({ rules: own = [] }) => own);
  const splits = (rule: FeatureRule<unknown>) => Boolean(rule.variations ?? rule.contextualVariations);
  if (!rules.some((rule) => !rule.disableStickyBucketing && (rule.fallbackAttribute || splits(rule))))
    return null;
  const names = rules
    .filter(splits)
    .flatMap(({ hashAttribute, fallbackAttribute }) => [hashAttribute || 'id', fallbackAttribute || []]);
  return [...new Set(names.flat())];
}

function given(value: unknown): Decision {
  return { value, exposures: none, constant: null };
}

/** How an experiment chooses variations and what it is called; the last four count for `Person.sticky`. */
const partsOfExperiment = new Set(
  [
    'coverage weights hashAttribute hashVersion namespace ranges meta name phase seed',
    'fallbackAttribute disableStickyBucketing bucketVersion minBucketVersion',
  ].flatMap((names) => names.split(' ')),
);

/** The experiment of a rule whose condition and filters were asked before. */
function experimentOf(key: string, rule: FeatureRule<unknown>, variations: unknown[]): Experiment<unknown> {
  const parts = Object.entries(rule).filter(
    ([name, value]) =>
      partsOfExperiment.has(name) &&
      (name === 'coverage' || Boolean(value)) &&
      // Where there are filters the SDK does not look at the namespace.
      (name !== 'namespace' || !rule.filters),
  );
  return {
    ...Object.fromEntries(parts),
    key: rule.key || key,
    variations: variations as Experiment<unknown>['variations'],
  };
}

/** A value that can be hashed, and is short enough to be repeated in every report of an experiment. */
function hashable({ attributes, work }: Person, name: string): unknown {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return value && work.left >= 0 && isWithin(longestText, value, work) && textOf(value) !== null
    ? value
    : undefined;
}

/** What is hashed is written once more into every report of an experiment. */
function chargeReport({ result: { hashValue } }: Exposure, { work }: Person): void {
  const value: unknown = hashValue;
  const length = typeof value === 'object' ? longestText : typeof value === 'string' ? value.length : 20;
  work.left -= 50 + 4 * length;
}

/** Where a person stands between 0 and 1, by GrowthBook's hash; null for a version that it does not know. */
function placeOf(seed: string, attribute: string, version: number, person: Person): number | null {
  const value = hashable(person, attribute);
  const text = value === undefined ? null : textOf(value);
  if (text === null) return null;
  person.work.left -= text.length + seed.length;
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

/** The variation of each experiment that an address's query chooses (`?experiment=1`), as in the SDK. */
export function choicesIn(url: string): Map<string, number> {
  const choices = new Map<string, number>();
  for (const pair of (url.split('?')[1] ?? '').replace(/#.*/, '').split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (!choices.has(name)) choices.set(name, parseInt(value));
  }
  return choices;
}
