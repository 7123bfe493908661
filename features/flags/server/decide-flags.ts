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

/** A person in one evaluation, with the results so far, since many flags have the same conditions. */
export type Person = {
  attributes: Record<string, unknown>;
  forcedFeatures: ReadonlyMap<string, unknown>;
  /** The variations that were chosen by hand, by the key of the experiment. */
  forcedVariations: ReadonlyMap<string, number>;
  /** The variations that the address chooses; they have priority over `forcedVariations`. */
  choices: ReadonlyMap<string, number>;
  work: Work;
  answers: (boolean | undefined)[];
  /** The decisions on flags that other flags depend on; `open` while the flag is being decided. */
  decisions: Map<string, Decision | 'open'>;
  /** The variations that the person had before; left out: unknown. */
  sticky?: StickyDocuments;
  /** Receives the outcome of each evaluated rule; left out: outcomes are not needed. */
  trace?: Trace;
};

/** The variations that a person has, by `attribute||value` as in GrowthBook's `StickyBucketService`. */
export type StickyDocuments = Required<
  Pick<UserContext, 'stickyBucketAssignmentDocs' | 'saveStickyBucketAssignmentDoc'>
>;

/**
 * Receives the outcome of a rule.
 *
 * @param bucket the person's bucket from 0 to 1, if the rule is for a share of people
 */
export type Trace = (key: string, rule: number, outcome: TrialOutcome, bucket?: number) => void;

/** The steps that one evaluation may take: some ten milliseconds. */
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

/** The fact that a person is in an experiment, as an SDK reports it. */
export type Exposure = { experiment: Experiment<unknown>; result: Result<unknown> };

export type Decision = {
  value: unknown;
  /** The exposures that an SDK would report, including those of the prerequisites. */
  exposures: readonly Exposure[];
  /** The experiment that gives the value; if its variation was chosen by hand, `exposures` does not contain it. */
  from?: Exposure;
  /** The index of the rule that gives a constant value, -1 for the default value; null: the value is not constant. */
  constant: number | null;
};

export type Flags = {
  /** The flags with rules, in order. */
  decided: { key: string; decide(this: void, person: Person): Decision }[];
  /**
   * Top-level attributes that the rules can read, sorted; people for whom they are equal get the same values.
   */
  attributes: string[];
  /** The keys of experiments, sorted; the address can choose their variation (`?experiment=1`). */
  experiments: string[];
  /** Attributes for which the SDK reads sticky documents; null: no rule uses sticky documents. */
  sticky: string[] | null;
};

/** `meets`: false if the person does not meet the condition, so only their sticky variation counts. */
type Rule = (person: Person, exposures: Exposure[], meets?: boolean) => Decision | null;

type Decide = (person: Person) => Decision;

const none: readonly Exposure[] = [];
/** The decision where a flag depends on itself through its prerequisites. */
const circle: Decision = { value: null, exposures: none, constant: null };

/**
 * Prepares the flags to be decided as GrowthBook's SDK 1.8 does (`core.ts`), which property tests check. The SDK
 * itself runs experiments. There are two differences: the time is bounded (`Work`), and a variation chosen by
 * hand, through `forcedVariations` or the address, counts only for people who meet the rule's condition, since
 * other people are not meant to read its value.
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

  /** Compiles a condition that is evaluated once per person, however many rules have the same condition. */
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
    // The SDK keeps only variations with a key. Those made in the console have none, so their index is the key.
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
        // The SDK calls `include` where it checks a condition: only for people who have no variation yet.
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

  /** Records the attribute to hash. It is a name, not a path: `company.plan` is an attribute of that name. */
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

/** The members of a rule that belong to its experiment; the last four apply only with `Person.sticky`. */
const partsOfExperiment = new Set(
  [
    'coverage weights hashAttribute hashVersion namespace ranges meta name phase seed',
    'fallbackAttribute disableStickyBucketing bucketVersion minBucketVersion',
  ].flatMap((names) => names.split(' ')),
);

/** The experiment of a rule, without the condition and filters, which are checked before. */
function experimentOf(key: string, rule: FeatureRule<unknown>, variations: unknown[]): Experiment<unknown> {
  const parts = Object.entries(rule).filter(
    ([name, value]) =>
      partsOfExperiment.has(name) &&
      (name === 'coverage' || Boolean(value)) &&
      // With filters, the SDK ignores the namespace.
      (name !== 'namespace' || !rule.filters),
  );
  return {
    ...Object.fromEntries(parts),
    key: rule.key || key,
    variations: variations as Experiment<unknown>['variations'],
  };
}

/** The attribute's value if it can be hashed and is short enough to be repeated in every report of an experiment. */
function hashable({ attributes, work }: Person, name: string): unknown {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return value && work.left >= 0 && isWithin(longestText, value, work) && textOf(value) !== null
    ? value
    : undefined;
}

/** Charges the work of a report, since every report of an experiment repeats the hashed value. */
function chargeReport({ result: { hashValue } }: Exposure, { work }: Person): void {
  const value: unknown = hashValue;
  const length = typeof value === 'object' ? longestText : typeof value === 'string' ? value.length : 20;
  work.left -= 50 + 4 * length;
}

/** The person's bucket from 0 to 1, by GrowthBook's hash; null without a value, or for an unknown version. */
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
