import {
  GrowthBookClient,
  type Experiment,
  type FeatureDefinition,
  type FeatureDefinitions,
  type FeatureResult,
  type FeatureRule,
  type Result,
  type SavedGroupsPayload,
  type UserContext,
} from '@growthbook/growthbook';
import { LRUCache } from 'lru-cache';
import { visibleAttributes } from './visible-attributes.ts';

/** For whom flags are evaluated, as GrowthBook's remote evaluation asks it. */
export type EvaluationRequest = {
  attributes: Record<string, unknown>;
  forcedVariations: Record<string, number>;
  forcedFeatures: ReadonlyMap<string, unknown>;
  url: string;
};

export type Evaluator = {
  /** The evaluated `features` as JSON text: values, and what an SDK needs to report an experiment; no rules, no groups (FLAG-9). */
  features(request: EvaluationRequest): string;
};

/** Results that are kept, by count and by characters; the least used go first. */
const mostKept = 10_000;
const mostCharacters = 16_000_000;

/**
 * Evaluates one version of the flags with GrowthBook's own evaluator. Flags without rules are the same for everybody and are
 * written once; the others are evaluated once for all who agree in what the rules can see.
 */
export function createEvaluator(
  features: FeatureDefinitions,
  savedGroups: SavedGroupsPayload = {},
): Evaluator {
  const client = new GrowthBookClient().initSync({ payload: { features, savedGroups } });
  const withRules = Object.keys(features).filter((key) => (features[key]?.rules?.length ?? 0) > 0);
  const constant = Object.keys(features).filter((key) => (features[key]?.rules?.length ?? 0) === 0);
  const visible = visibleAttributes(
    withRules.map((key) => features[key] as FeatureDefinition),
    savedGroups,
  );
  const constants = constant.flatMap((key) => entry(key, features[key]?.defaultValue));
  const kept = new LRUCache<string, string>({
    max: mostKept,
    maxSize: mostCharacters,
    sizeCalculation: (text) => text.length + 1,
  });
  const nobody = withRules.length === 0 ? object(constants) : null;

  function evaluated(keys: readonly string[], user: UserContext): string[] {
    return keys.flatMap((key) => {
      const result = client.evalFeature(key, user);
      return entry(key, result.value ?? (isUnknown(result) ? undefined : null), trackingRules(result));
    });
  }

  return {
    features({ attributes, forcedVariations, forcedFeatures, url }) {
      const isForced = forcedFeatures.size > 0 || Object.keys(forcedVariations).length > 0;
      if (isForced) {
        const user = { attributes, url, forcedVariations, forcedFeatureValues: new Map(forcedFeatures) };
        return object(evaluated(Object.keys(features), user));
      }
      if (nobody !== null) return nobody;
      // A rule can tell an attribute that is null from one that is missing.
      const seen = visible.attributes.map((name) =>
        Object.hasOwn(attributes, name) ? [attributes[name]] : 0,
      );
      const key = JSON.stringify(visible.url ? [...seen, url] : seen);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const text = object([...constants, ...evaluated(withRules, { attributes, url })]);
      kept.set(key, text);
      return text;
    },
  };
}

function isUnknown(result: FeatureResult): boolean {
  return result.source === 'unknownFeature';
}

function entry(key: string, value: unknown, rules?: FeatureRule[]): string[] {
  if (value === undefined) return [];
  const definition = rules === undefined ? { defaultValue: value } : { defaultValue: value, rules };
  return [`${JSON.stringify(key)}:${JSON.stringify(definition)}`];
}

function object(entries: readonly string[]): string {
  return `{${entries.join(',')}}`;
}

/** What makes the SDK report that the person is in an experiment, with everything cut that tells about other variations. */
function trackingRules({
  value,
  experiment,
  experimentResult,
}: FeatureResult<unknown>): FeatureRule[] | undefined {
  if (experiment === undefined || experimentResult === undefined) return undefined;
  return [
    {
      force: value,
      tracks: [{ experiment: cutExperiment(experiment, experimentResult), result: experimentResult }],
    },
  ];
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
