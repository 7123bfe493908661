import type { Experiment, FeatureDefinitions, FeatureRule, SavedGroupsPayload } from '@growthbook/growthbook';
import { LRUCache } from 'lru-cache';
import { isWithin } from './attribute-values.ts';
import {
  choicesIn,
  personWith,
  prepareFlags,
  type Decision,
  type Exposure,
  type Flags,
  type Person,
  type StickyDocuments,
} from './decide-flags.ts';
import { countEach, type ValueSlots, valueSlotsOf } from './value-slots.ts';

/** The context for which flags are evaluated, as a request of GrowthBook's remote evaluation gives it. */
export type EvaluationRequest = {
  attributes: Record<string, unknown>;
  forcedVariations: Record<string, number>;
  forcedFeatures: ReadonlyMap<string, unknown>;
  url: string;
  /** The stored variations of the person; left out: only the hash decides. */
  sticky?: StickyDocuments;
};

/** A request without attributes; each evaluation adds its own. */
export const emptyRequest: EvaluationRequest = {
  attributes: {},
  forcedVariations: {},
  forcedFeatures: new Map(),
  url: '',
};

export type Evaluator = {
  readonly definitions: FeatureDefinitions;
  /** The flags, prepared to be decided one by one. */
  readonly flags: Flags;
  /** The values that the flags can give, for counting them. */
  readonly slots: ValueSlots;
  /**
   * Evaluates all flags in some milliseconds at most: a condition that would take longer does not match.
   *
   * @param counts where the value of each flag is counted, by slot; left out: values are not counted
   */
  evaluate(request: EvaluationRequest, counts?: Uint32Array): Evaluation;
};

export type Evaluation = {
  /** The evaluated `features` as JSON: values and experiments, no rules and no groups (FLAG-9). */
  readonly features: string;
  /** The bytes to send, made once for everyone with the same result, since writing a long text costs most. */
  bytes(make: (features: string) => Buffer): Buffer;
};

/** Limits of the cached results, by count and by characters; the least recently used ones are dropped first. */
const mostResults = 10_000;
const mostCharacters = 32_000_000;
/** The limit, in characters, for the keys of results that were asked for once (`askedOnce`). */
const mostRemembered = 4_000_000;
/** Attributes larger than this are evaluated without the cache: a cached result would be a multiple of it. */
const mostSeen = 4_096;
/** An address that is longer than this chooses no variation. */
const longestUrl = 8_192;

/**
 * Evaluates one version of the flags as GrowthBook does. Flags without rules give everyone the same value and are
 * written once; the other flags are decided once for all people with the same values in what the rules read.
 */
export function createEvaluator(
  features: FeatureDefinitions,
  savedGroups: SavedGroupsPayload = {},
): Evaluator {
  const flags = prepareFlags(features, savedGroups);
  const slots = valueSlotsOf(features);
  const ofFlags = [...slots.flags.values()];
  const places = new Map([...slots.flags.keys()].map((key, place) => [key, place]));
  /** The slot of each flag's default value, for when no rule decides. */
  const defaults = Uint32Array.from(ofFlags, ({ constants: [slot = 0] }) => slot);
  /** The slots of the current evaluation: one array for all evaluations, in which only flags with rules change. */
  const current = defaults.slice();
  const decided = flags.decided.map(({ key, decide }) => ({
    key,
    decide,
    texts: textsOf(key),
    place: places.get(key) ?? 0,
    slotsOf: slots.flags.get(key),
  }));
  const withRules = new Set(decided.map(({ key }) => key));
  const constants = Object.keys(features).filter(
    (key) => !withRules.has(key) && features[key]?.defaultValue !== undefined,
  );
  const constantTexts = constants.flatMap((key) => textsOf(key));
  const constantText = constantTexts.join(',');
  const results = new LRUCache<string, { result: Evaluation; given: Uint32Array }>({
    max: mostResults,
    maxSize: mostCharacters,
    // The size of the result's text, its bytes, the slots of its values, and the key.
    sizeCalculation: ({ result, given }, key) => 2 * result.features.length + given.byteLength + key.length,
  });
  // A result is cached at its second request: memory that outlives a request is collected late, so caching a
  // result that is asked for once costs more than deciding it again. With `max` the memory for all keys would
  // be allocated at each change of a flag.
  const askedOnce = new LRUCache<string, true>({
    maxSize: mostRemembered,
    sizeCalculation: (_asked, key) => key.length,
  });
  const constantResult = decided.length === 0 ? evaluation(constantText) : null;

  /** The texts of a flag: one for the value that each rule forces, and the last one for the default value. */
  function textsOf(key: string): string[] {
    const flag = features[key];
    const values: unknown[] = [...(flag?.rules ?? []).map((rule): unknown => rule.force), flag?.defaultValue];
    return values.map((value) => entry(key, value ?? null, []));
  }

  /** The text of all flags, those without rules first; writes the slots of their values into `given`. */
  function decideAll(person: Person, given: Uint32Array): string {
    const { forcedFeatures } = person;
    let all = constantText;
    if (forcedFeatures.size > 0)
      all = constants
        .map((key, index) =>
          forcedFeatures.has(key) ? entry(key, forcedFeatures.get(key), []) : constantTexts[index],
        )
        .join(',');
    for (const { key, decide, texts, place, slotsOf } of decided) {
      const decision = decide(person);
      given[place] =
        (decision.constant === null
          ? slotsOf?.of(decision.value)
          : slotsOf?.constants[decision.constant + 1]) ?? 0;
      const text = decision.constant === null ? written(key, decision) : texts.at(decision.constant);
      all = all === '' ? (text ?? '') : `${all},${text}`;
    }
    return all;
  }

  return {
    definitions: features,
    flags,
    slots,
    evaluate({ attributes, forcedVariations, forcedFeatures, url, sticky }, counts) {
      const address = url.length > longestUrl ? '' : url;
      const person = (): Person => ({
        ...personWith(attributes),
        forcedFeatures,
        forcedVariations: new Map(Object.entries(forcedVariations)),
        choices: flags.experiments.length === 0 ? new Map() : choicesIn(address),
        ...(sticky === undefined ? {} : { sticky }),
      });
      const count = (given: Uint32Array) => counts !== undefined && countEach(counts, given);
      const decideNow = (given: Uint32Array) => {
        const text = decideAll(person(), given);
        count(given);
        return evaluation(text);
      };
      if (forcedFeatures.size > 0 || Object.keys(forcedVariations).length > 0) {
        const given = defaults.slice();
        for (const [key, value] of forcedFeatures) {
          const place = places.get(key);
          if (place !== undefined) given[place] = ofFlags[place]?.of(value) ?? 0;
        }
        return decideNow(given);
      }
      if (constantResult !== null) {
        count(defaults);
        return constantResult;
      }
      if (sticky !== undefined) return decideNow(current);
      // Missing attributes become 0, others a list, since a rule can distinguish a null attribute from a missing one.
      const seen = flags.attributes.map((name) => (Object.hasOwn(attributes, name) ? [attributes[name]] : 0));
      if (!isWithin(mostSeen, seen)) return decideNow(current);
      const key = JSON.stringify([choosing(address, flags.experiments), ...seen]);
      const known = results.get(key);
      if (known !== undefined) {
        count(known.given);
        return known.result;
      }
      const result = decideNow(current);
      if (askedOnce.has(key)) results.set(key, { result, given: current.slice() });
      else askedOnce.set(key, true);
      return result;
    },
  };
}

/** The part of an address that can choose variations, as the SDK reads it; most addresses choose none. */
function choosing(url: string, experiments: readonly string[]): string {
  const query = url.split('?')[1] ?? '';
  return experiments.some((experiment) => query.includes(`${experiment}=`)) ? query : '';
}

function written(key: string, { value, exposures, from }: Decision): string {
  return entry(key, value, exposures.length === 0 && from !== undefined ? [from] : exposures);
}

/** The text of a flag and its value, as clients get it. */
function entry(key: string, value: unknown, exposures: readonly Exposure[]): string {
  const definition =
    exposures.length === 0
      ? { defaultValue: value }
      : { defaultValue: value, rules: reporting(value, exposures) };
  return `${JSON.stringify(key)}:${JSON.stringify(definition)}`;
}

function evaluation(entries: string): Evaluation {
  const features = `{${entries}}`;
  let made: Buffer | undefined;
  return { features, bytes: (make) => (made ??= make(features)) };
}

/** The rule that makes an SDK report the experiments of the flag and of its prerequisites, each once. */
function reporting(value: unknown, exposures: readonly Exposure[]): FeatureRule[] {
  const once = new Map(
    exposures.map(({ experiment, result }) => [
      JSON.stringify([experiment.key, result.variationId, result.hashAttribute, result.hashValue]),
      { experiment: cut(experiment, result.variationId), result },
    ]),
  );
  return [{ force: value, tracks: [...once.values()] }];
}

/**
 * The parts of an experiment that a person may know: its name, how many variations it has, and their own one.
 * Left out: the other variations, their weights, and how people are chosen (FLAG-9).
 */
function cut(
  { key, name, phase, variations, meta }: Experiment<unknown>,
  chosen: number,
): Experiment<unknown> {
  const others = <T>(list: readonly T[]) => list.map((each, index) => (index === chosen ? each : {}));
  return {
    key,
    ...(name === undefined ? {} : { name }),
    ...(phase === undefined ? {} : { phase }),
    variations: others(variations) as Experiment<unknown>['variations'],
    ...(meta === undefined ? {} : { meta: others(meta) }),
  };
}
