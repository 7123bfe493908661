import {
  GrowthBookClient,
  type Experiment,
  type FeatureDefinitions,
  type FeatureRule,
  type Result,
  type SavedGroupsPayload,
  type UserContext,
} from '@growthbook/growthbook';
import { LRUCache } from 'lru-cache';
import { HttpProblem } from '../../platform/http-problem.ts';
import { prepareForced } from './forced-values.ts';
import { longestTriedText } from './regex-cost.ts';
import { visibleAttributes } from './visible-attributes.ts';

/** For whom flags are evaluated, as GrowthBook's remote evaluation asks it. */
export type EvaluationRequest = {
  attributes: Record<string, unknown>;
  forcedVariations: Record<string, number>;
  forcedFeatures: ReadonlyMap<string, unknown>;
  url: string;
};

export type Evaluator = {
  /** Throws INVALID_REQUEST for a text that is too long for the regular expressions that would be tried on it. */
  evaluate(request: EvaluationRequest): Evaluation;
};

export type Evaluation = {
  /** The evaluated `features` as JSON text: values, and what an SDK needs to report an experiment; no rules, no groups (FLAG-9). */
  readonly features: string;
  /** What is sent, made once for all who get the same: writing a long text costs more than everything before it. */
  bytes(make: (features: string) => Buffer): Buffer;
};

/** Results that are kept, by count and by characters; the least used go first. */
const mostKept = 10_000;
/** What was asked for once, in case that it is asked for again. */
const mostRemembered = 20_000;
const mostCharacters = 32_000_000;

/**
 * Evaluates one version of the flags as GrowthBook does. Flags without rules are the same for everybody and are written once;
 * those whose rules only force values are decided here (`forced-values.ts`), the others by GrowthBook's own client; and all
 * once for those who agree in what the rules can see.
 */
export function createEvaluator(
  features: FeatureDefinitions,
  savedGroups: SavedGroupsPayload = {},
): Evaluator {
  const client = new GrowthBookClient().initSync({ payload: { features, savedGroups } });
  const rulesOf = (key: string) => features[key]?.rules?.length ?? 0;
  const withRules = Object.keys(features).filter((key) => rulesOf(key) > 0);
  const constants = Object.keys(features)
    .filter((key) => rulesOf(key) === 0)
    .flatMap((key) => entry(key, features[key]?.defaultValue, []))
    .join(',');
  const visible = visibleAttributes(features, savedGroups);
  const kept = new LRUCache<string, Evaluation>({
    max: mostKept,
    maxSize: mostCharacters,
    // Its text and its bytes.
    sizeCalculation: ({ features: text }, key) => 2 * text.length + key.length,
  });
  // Keeping what nobody asks for a second time costs more than deciding it: memory that outlives the request is collected late.
  // With `max` the room for all of them would be taken at each change of a flag.
  const askedOnce = new LRUCache<string, true>({ maxSize: mostRemembered, sizeCalculation: () => 1 });
  const prepare = prepareForced(savedGroups);
  const prepared = withRules.map((key) => ({
    key,
    decide: prepare(key, features[key] ?? {}),
    texts: textsOf(key),
  }));
  const everybody = withRules.length === 0 ? evaluation(constants) : null;

  /** A flag with each value that its rules force, and with its default behind them. */
  function textsOf(key: string): string[] {
    const flag = features[key];
    const values: unknown[] = [...(flag?.rules ?? []).map((rule): unknown => rule.force), flag?.defaultValue];
    return values.map((value) => entry(key, value ?? null, [])[0] ?? '');
  }

  /** All flags, those without rules first. */
  function decided(attributes: Record<string, unknown>, url: string): string {
    const person = { attributes, answers: [] };
    let all = constants;
    for (const { key, decide, texts } of prepared) {
      const one = decide === null ? evaluated([key], { attributes, url }) : (texts.at(decide(person)) ?? '');
      if (one !== '') all = all === '' ? one : `${all},${one}`;
    }
    return all;
  }

  function evaluated(keys: readonly string[], user: UserContext): string {
    let exposures: Exposure[] = [];
    const watched: UserContext = {
      ...user,
      trackingCallback: (experiment, result) => {
        exposures.push({ experiment, result });
      },
    };
    const entries = keys.flatMap((key) => {
      exposures = [];
      const { value, experiment, experimentResult: result } = client.evalFeature<unknown>(key, watched);
      // A variation that was forced is reported by nobody, but the SDK is told of it all the same.
      if (exposures.length === 0 && experiment !== undefined && result !== undefined)
        exposures = [{ experiment, result }];
      return entry(key, value, exposures);
    });
    return entries.join(',');
  }

  return {
    evaluate({ attributes, forcedVariations, forcedFeatures, url }) {
      for (const name of visible.tried) {
        if (charactersIn(attributes[name]) > longestTriedText) {
          throw new HttpProblem('INVALID_REQUEST', {
            detail: `The attribute ${name} must have at most ${longestTriedText} characters: rules try regular expressions on it.`,
          });
        }
      }
      if (forcedFeatures.size > 0 || Object.keys(forcedVariations).length > 0) {
        const user = { attributes, url, forcedVariations, forcedFeatureValues: new Map(forcedFeatures) };
        return evaluation(comparable(() => evaluated(Object.keys(features), user)));
      }
      if (everybody !== null) return everybody;
      // A rule can tell an attribute that is null from one that is missing.
      const seen = visible.attributes.map((name) =>
        Object.hasOwn(attributes, name) ? [attributes[name]] : 0,
      );
      const key = JSON.stringify([choices(url, visible.experiments), ...seen]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const result = evaluation(comparable(() => decided(attributes, url)));
      if (askedOnce.has(key)) kept.set(key, result);
      else askedOnce.set(key, true);
      return result;
    },
  };
}

/** JSON can say `{"toString": 1}`, which JavaScript can compare with nothing. */
function comparable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HttpProblem('INVALID_REQUEST', { detail: 'attributes hold a value that cannot be compared.' });
  }
}

type Exposure = { experiment: Experiment<unknown>; result: Result<unknown> };

/** The part of an address that can choose variations, as the SDK reads it; most addresses choose none. */
function choices(url: string, experiments: readonly string[]): string {
  const query = url.split('?')[1] ?? '';
  return experiments.some((experiment) => query.includes(`${experiment}=`)) ? query : '';
}

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + charactersIn(each), 0);
}

/** A flag and its value as clients get them; one that is undefined does not exist for them. */
function entry(key: string, value: unknown, exposures: readonly Exposure[]): string[] {
  if (value === undefined) return [];
  const definition =
    exposures.length === 0
      ? { defaultValue: value }
      : { defaultValue: value, rules: reporting(value, exposures) };
  return [`${JSON.stringify(key)}:${JSON.stringify(definition)}`];
}

function evaluation(entries: string): Evaluation {
  const features = `{${entries}}`;
  let made: Buffer | undefined;
  return { features, bytes: (make) => (made ??= make(features)) };
}

/**
 * What makes an SDK report that the person is in experiments (the flag's own, and those of its prerequisites), each once,
 * with everything cut that tells about other variations.
 */
function reporting(value: unknown, exposures: readonly Exposure[]): FeatureRule[] {
  const once = new Map(
    exposures.map(({ experiment, result }) => [
      JSON.stringify([experiment.key, result.variationId, result.hashAttribute, result.hashValue]),
      { experiment: cutExperiment(experiment, result), result },
    ]),
  );
  return [{ force: value, tracks: [...once.values()] }];
}

function cutExperiment(experiment: Experiment<unknown>, result: Result<unknown>): Experiment<unknown> {
  const { condition: _condition, parentConditions: _parents, ...rest } = experiment;
  return {
    ...rest,
    variations: experiment.variations.map((variation, index) =>
      index === result.variationId ? variation : {},
    ) as Experiment<unknown>['variations'],
  };
}
