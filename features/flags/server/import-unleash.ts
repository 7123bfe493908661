import type { UnmappedReason } from '#features/flags/contract/flag-exchange.ts';
import type { FlagRule, FlagType } from '#features/flags/contract/flags.ts';
import { isObject } from './condition.ts';
import { objectsIn, scheduleOf, textIn, textsIn, type Mapped } from './mapped.ts';

type Json = Record<string, unknown>;
type Condition = Record<string, unknown>;

/** Thrown for a part of Unleash that has no counterpart in Portico. */
class Unmappable extends Error {
  readonly reason: UnmappedReason;
  constructor(reason: UnmappedReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** The environments that an export has. */
export function unleashEnvironments(documents: readonly Json[]): string[] {
  const all = documents.flatMap(({ featureEnvironments }) => objectsIn(featureEnvironments));
  return [...new Set(all.map(({ environment }) => textIn(environment)))].toSorted();
}

/**
 * Maps an export of Unleash (`POST /api/admin/features-batch/export`), alone or in a list with the answer of
 * `/api/admin/segments`, since an export has only the names of segments. A strategy is left out if a part of it
 * cannot be mapped. Each strategy gives the flag to more people, so without one the flag reaches only people who
 * had it in Unleash too.
 */
export function mapUnleash(documents: readonly Json[], environment: string): Mapped {
  const mapped: Mapped = { flags: [], segments: [], unmapped: [] };
  const all = (name: string) => documents.flatMap((one) => objectsIn(one[name]));
  const segments = mapSegments(all('segments'), mapped);
  const states = all('featureEnvironments').filter((one) => one['environment'] === environment);
  // An export is of one environment, which its strategies do not name.
  const ofEnvironment = documents.filter(({ featureEnvironments }) =>
    objectsIn(featureEnvironments).some((one) => one['environment'] === environment),
  );
  const strategies = Map.groupBy(
    ofEnvironment
      .flatMap(({ featureStrategies }) => objectsIn(featureStrategies))
      .toSorted((a, b) => Number(a['sortOrder'] ?? 0) - Number(b['sortOrder'] ?? 0)),
    ({ featureName }) => featureName,
  );
  const tags = Map.groupBy(all('featureTags'), ({ featureName }) => featureName);
  for (const feature of all('features')) {
    const key = textIn(feature['name']);
    const state = states.find(({ featureName }) => featureName === key);
    const not = (reason: UnmappedReason, detail: string) =>
      void mapped.unmapped.push({ kind: 'flag', name: key, reason, detail });
    if (feature['archived'] === true) not('archived', '');
    else if (state === undefined) not('environment', environment);
    else
      try {
        const own = strategies.get(key) ?? [];
        const gates = gatesOf(
          objectsIn(all('dependencies').find((one) => one['feature'] === key)?.['dependencies']),
        );
        const known = own.map((one) =>
          objectsIn(one['variants']).length > 0 ? one : { ...one, variants: state['variants'] },
        );
        const type = typeOf(known.flatMap(({ variants }) => objectsIn(variants)));
        const rules = known.flatMap((strategy): FlagRule[] => {
          if (strategy['disabled'] === true) return [];
          try {
            const rule = ruleOf(strategy, key, type, segments);
            if (hasShare(rule)) not('bucketing', textIn(rule['hashAttribute']));
            return [rule];
          } catch (error) {
            if (!(error instanceof Unmappable)) throw error;
            not(error.reason, error.message);
            return [];
          }
        });
        mapped.flags.push({
          key,
          type,
          description: textIn(feature['description']),
          enabled: state['enabled'] === true,
          // A feature without strategies is on for all.
          defaultValue: own.length === 0 && type === 'boolean' ? true : emptyValues[type],
          rules: [...gates, ...rules],
          tags: (tags.get(key) ?? []).map(({ tagType, tagValue }) =>
            tagType === 'simple' ? textIn(tagValue) : `${textIn(tagType)}:${textIn(tagValue)}`,
          ),
        });
      } catch (error) {
        if (!(error instanceof Unmappable)) throw error;
        not(error.reason, error.message);
      }
  }
  return mapped;
}

const emptyValues: Record<FlagType, unknown> = { boolean: false, string: '', number: 0, json: null };

const hasShare = ({ coverage = 1, variations }: FlagRule) => coverage !== 1 || variations !== undefined;

/** Adds the segments whose constraints are known; answers each segment's id in Portico, or null if not added. */
function mapSegments(segments: readonly Json[], mapped: Mapped): Map<unknown, string | null> {
  const ids = new Map<unknown, string | null>();
  for (const { id, name, description, constraints } of segments.toSorted(
    (a, b) => Number('constraints' in b) - Number('constraints' in a),
  )) {
    if (ids.has(id)) continue;
    ids.set(id, null);
    const not = (reason: UnmappedReason, detail: string) =>
      mapped.unmapped.push({ kind: 'segment', name: textIn(name), reason, detail });
    if (constraints === undefined) not('missing', 'constraints');
    else
      try {
        const condition = allOf(objectsIn(constraints).map(conditionOf));
        const own = `grp_unleash_${Number(id)}`;
        mapped.segments.push({
          id: own,
          name: textIn(name),
          description: textIn(description),
          kind: 'condition',
          attribute: '',
          condition,
        });
        ids.set(id, own);
      } catch (error) {
        if (!(error instanceof Unmappable)) throw error;
        not(error.reason, error.message);
      }
  }
  return ids;
}

/** Rules with a gate for each feature that a flag depends on, which come first. Throws Unmappable. */
function gatesOf(dependencies: readonly Json[]): FlagRule[] {
  return dependencies.map(({ feature, enabled, variants }) => {
    if (textsIn(variants).length > 0) throw new Unmappable('dependency', textIn(feature));
    const condition = { value: enabled === false ? { $in: [false, null] } : true };
    return { parentConditions: [{ id: textIn(feature), condition, gate: true }] };
  });
}

/** The type of a flag whose variants have these payloads. */
function typeOf(variants: readonly Json[]): FlagType {
  if (variants.length === 0) return 'boolean';
  const types = new Set(variants.map(({ payload }) => (isObject(payload) ? payload['type'] : 'string')));
  const [only] = types;
  if (types.size > 1) return 'json';
  return only === 'number' || only === 'json' ? only : 'string';
}

/** The value of a variant: its payload, or its name if it has no payload. Throws Unmappable. */
function valueOf({ name, payload }: Json, type: FlagType): unknown {
  if (!isObject(payload)) return name;
  if (type === 'string' || payload['type'] === 'string' || payload['type'] === 'csv') return payload['value'];
  try {
    return JSON.parse(textIn(payload['value'])) as unknown;
  } catch {
    throw new Unmappable('variant', textIn(name));
  }
}

/** Throws Unmappable. */
function ruleOf(
  strategy: Json,
  key: string,
  type: FlagType,
  segments: ReadonlyMap<unknown, string | null>,
): FlagRule {
  const parameters = isObject(strategy['parameters']) ? strategy['parameters'] : {};
  const named = (Array.isArray(strategy['segments']) ? (strategy['segments'] as unknown[]) : []).map((id) => {
    const segment = segments.get(id) ?? null;
    if (segment === null) throw new Unmappable('constraint', `segment ${String(id)}`);
    return { $savedGroup: { id: segment } };
  });
  const { audience = [], ...share } = shareOf(textIn(strategy['name']), parameters);
  const constraints = Object.groupBy(objectsIn(strategy['constraints']), ({ contextName }) =>
    contextName === 'currentTime' ? 'timed' : 'others',
  );
  const condition = allOf([...(constraints.others ?? []).map(conditionOf), ...named, ...audience]);
  const times = (constraints.timed ?? []).map(({ operator, value, inverted }) => ({
    begins: (operator === 'DATE_AFTER') !== (inverted === true),
    at: textIn(operator).startsWith('DATE_') ? value : null,
  }));
  const schedule = scheduleOf(times);
  if (schedule === null) throw new Unmappable('schedule', times.map(({ at }) => textIn(at)).join(', '));
  const common = {
    ...(times.length === 0 ? {} : { schedule }),
    ...(Object.keys(condition).length === 0 ? {} : { condition }),
    ...share,
  };
  const variants = objectsIn(strategy['variants']);
  if (variants.length === 0) {
    if (type !== 'boolean') throw new Unmappable('variant', textIn(strategy['name']));
    return { ...common, force: true };
  }
  if (variants.some(({ overrides }) => objectsIn(overrides).length > 0))
    throw new Unmappable('variant', 'overrides');
  const [only, another] = variants;
  if (only !== undefined && another === undefined) return { ...common, force: valueOf(only, type) };
  return {
    ...common,
    coverage: common.coverage ?? 1,
    hashAttribute: common.hashAttribute ?? attributeOf(textIn(variants[0]?.['stickiness']) || 'default'),
    key,
    variations: variants.map((variant) => valueOf(variant, type)),
    weights: variants.map(({ weight }) => Number(weight) / 1000),
    meta: variants.map(({ name }) => ({ key: textIn(name) })),
  };
}

type Share = { coverage?: number; hashAttribute?: string; seed?: string; audience?: Condition[] };

/** The people that a strategy is for, without its constraints. Throws Unmappable. */
function shareOf(name: string, parameters: Json): Share {
  const { groupId, stickiness = 'default', rollout, percentage, userIds } = parameters;
  const shared = (attribute: string, given: unknown): Share => {
    const coverage = Number(given) / 100;
    // Without an attribute of its own, a share of 100 % means everyone in Unleash too.
    if (coverage === 1 && (attribute === 'default' || attribute === 'random')) return {};
    return { coverage, hashAttribute: attributeOf(attribute), seed: textIn(groupId) };
  };
  switch (name) {
    case 'default':
      return {};
    case 'flexibleRollout':
      return shared(textIn(stickiness), rollout);
    case 'gradualRolloutUserId':
      return shared('userId', percentage);
    case 'gradualRolloutSessionId':
      return shared('sessionId', percentage);
    case 'userWithId': {
      const ids = textIn(userIds)
        .split(',')
        .map((id) => id.trim());
      return { audience: [{ id: { $in: ids.filter((id) => id !== '') } }] };
    }
    default:
      throw new Unmappable('strategy', name);
  }
}

/** The attribute for a context field of Unleash; the person's id is `id` in Portico. Throws Unmappable. */
function attributeOf(name: string): string {
  if (name === 'random') throw new Unmappable('strategy', 'random');
  return name === 'userId' || name === 'default' ? 'id' : name;
}

function allOf(conditions: readonly Condition[]): Condition {
  const [first = {}, second] = conditions;
  return second === undefined ? first : { $and: conditions };
}

const comparisons: Record<string, string> = {
  NUM_EQ: '$eq',
  NUM_GT: '$gt',
  NUM_GTE: '$gte',
  NUM_LT: '$lt',
  NUM_LTE: '$lte',
  SEMVER_EQ: '$veq',
  SEMVER_GT: '$vgt',
  SEMVER_GTE: '$vgte',
  SEMVER_LT: '$vlt',
  SEMVER_LTE: '$vlte',
  DATE_AFTER: '$gt',
  DATE_BEFORE: '$lt',
};

/** Throws Unmappable. */
function conditionOf({ contextName, operator, values, value, inverted, caseInsensitive }: Json): Condition {
  const name = textIn(contextName);
  if (name === 'currentTime') throw new Unmappable('schedule', textIn(value));
  const condition = {
    [attributeOf(name)]: expectationOf(
      textIn(operator),
      textsIn(values),
      textIn(value),
      caseInsensitive === true,
    ),
  };
  return inverted === true ? { $not: condition } : condition;
}

function expectationOf(
  operator: string,
  values: readonly string[],
  value: string,
  caseInsensitive: boolean,
): Condition {
  if (operator === 'IN') return { [caseInsensitive ? '$ini' : '$in']: values };
  if (operator === 'NOT_IN') return { [caseInsensitive ? '$nini' : '$nin']: values };
  const comparison = comparisons[operator];
  // If the attribute is missing, GrowthBook's operators compare with null, but Unleash's never match.
  if (comparison !== undefined)
    return { $exists: true, [comparison]: operator.startsWith('NUM_') ? Number(value) : value };
  const texts = `(${values.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)).join('|')})`;
  const regex = {
    STR_CONTAINS: texts,
    STR_STARTS_WITH: `^${texts}`,
    STR_ENDS_WITH: `${texts}$`,
    REGEX: value,
  }[operator];
  if (regex === undefined) throw new Unmappable('constraint', operator);
  return { $exists: true, [caseInsensitive ? '$regexi' : '$regex']: regex };
}
