import type { FlagRule } from '#features/flags/contract/flags.ts';
import type { RuleRamp, RuleSchedule } from '#features/flags/contract/schedules.ts';
import { conditionOf, isObject, nodeOf, type ConditionNode } from './condition-model.ts';

/** A condition on another flag. */
export type Prerequisite = {
  id: string;
  /** Undefined: missing, which everyone meets. */
  condition: ConditionNode | undefined;
  /** If the condition is not met: with `gate`, the person gets no value; without it, the next rule is tried. */
  gate: boolean | undefined;
  rest: Record<string, unknown>;
};

/** What a rule serves to the people who match it. */
export type RuleResult =
  | { kind: 'value'; value: unknown }
  | { kind: 'split'; variations: readonly unknown[]; weights: readonly number[] | undefined }
  | { kind: 'nothing' };

/** A schedule that is being edited; a time that is only partly typed is null, which the server refuses. */
export type EditedSchedule = Pick<RuleSchedule, 'zone'> & {
  from?: number | null | undefined;
  until?: number | null | undefined;
};

/**
 * A rule, divided into the parts for which the editor has fields. Other members, and members in a form that the
 * fields cannot show, are in `rest` and stay unchanged.
 */
export type RuleParts = {
  condition: ConditionNode | undefined;
  prerequisites: readonly Prerequisite[] | undefined;
  result: RuleResult;
  /** The share of people that the rule is for, 0 to 1; undefined: all. */
  coverage: number | undefined;
  hashAttribute: string | undefined;
  schedule: EditedSchedule | undefined;
  ramp: RuleRamp | undefined;
  rest: Record<string, unknown>;
};

export function partsOf(rule: FlagRule): RuleParts {
  const { ...rest } = rule;
  const take = <T>(name: string, fits: (value: unknown) => value is T): T | undefined => {
    const value = rest[name];
    if (!Object.hasOwn(rest, name) || !fits(value)) return undefined;
    delete rest[name];
    return value;
  };
  const condition = take('condition', isObject);
  const parents = take('parentConditions', arePrerequisites);
  return {
    condition: condition === undefined ? undefined : nodeOf(condition),
    prerequisites: parents?.map(prerequisiteOf),
    result: resultOf(rest, take),
    coverage: take('coverage', isNumber),
    hashAttribute: take('hashAttribute', isText),
    schedule: take('schedule', isSchedule),
    ramp: take('ramp', isRamp),
    rest,
  };
}

type Take = <T>(name: string, fits: (value: unknown) => value is T) => T | undefined;

function resultOf(rest: Record<string, unknown>, take: Take): RuleResult {
  if (Object.hasOwn(rest, 'force')) {
    const value = rest['force'];
    delete rest['force'];
    return { kind: 'value', value };
  }
  // The SDK uses `contextualVariations` before `variations`, so the editor shows neither.
  if (rest['contextualVariations'] !== undefined) return { kind: 'nothing' };
  const variations = take('variations', (value): value is unknown[] => Array.isArray(value));
  if (variations === undefined) return { kind: 'nothing' };
  const weights = take(
    'weights',
    (value): value is number[] =>
      Array.isArray(value) && value.length === variations.length && value.every(isNumber),
  );
  return { kind: 'split', variations, weights };
}

export function ruleOf({
  condition,
  prerequisites,
  result,
  coverage,
  hashAttribute,
  schedule,
  ramp,
  rest,
}: RuleParts): FlagRule {
  return {
    ...rest,
    ...(condition === undefined ? {} : { condition: conditionOf(condition) }),
    ...(prerequisites === undefined ? {} : { parentConditions: prerequisites.map(parentOf) }),
    ...(coverage === undefined ? {} : { coverage }),
    ...(hashAttribute === undefined ? {} : { hashAttribute }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(ramp === undefined ? {} : { ramp }),
    ...(result.kind === 'value' ? { force: result.value } : {}),
    ...(result.kind === 'split' ? { variations: result.variations } : {}),
    ...(result.kind === 'split' && result.weights !== undefined ? { weights: result.weights } : {}),
  };
}

function prerequisiteOf({ id, condition, gate, ...rest }: Parent): Prerequisite {
  return { id, condition: condition === undefined ? undefined : nodeOf(condition), gate, rest };
}

function parentOf({ id, condition, gate, rest }: Prerequisite): Record<string, unknown> {
  return {
    ...rest,
    id,
    ...(condition === undefined ? {} : { condition: conditionOf(condition) }),
    ...(gate === undefined ? {} : { gate }),
  };
}

type Parent = { id: string; condition?: unknown; gate?: boolean | undefined };

function arePrerequisites(value: unknown): value is Parent[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each) =>
        isObject(each) && isText(each['id']) && ['undefined', 'boolean'].includes(typeof each['gate']),
    )
  );
}

function isSchedule(value: unknown): value is EditedSchedule {
  return (
    isObject(value) &&
    isText(value['zone']) &&
    [value['from'], value['until']].every((at) => at === undefined || at === null || isNumber(at))
  );
}

/** Accepts steps that do not grow too, since they may be in the middle of an edit. */
function isRamp(value: unknown): value is RuleRamp {
  const steps = isObject(value) ? value['steps'] : undefined;
  return (
    Array.isArray(steps) &&
    steps.every(
      (step) =>
        isObject(step) &&
        isNumber(step['coverage']) &&
        (step['minutes'] === undefined || isNumber(step['minutes'])),
    )
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Weights in whole percent that are as equal as possible and add up to 1. */
export function equalWeights(count: number): number[] {
  const part = Math.floor(100 / count);
  return Array.from({ length: count }, (_none, index) => (part + (index < 100 - part * count ? 1 : 0)) / 100);
}

/**
 * Changes the weight at a place; the other weights share the rest in proportion, in whole percent.
 *
 * @param weight the new weight, 0 to 1
 */
export function withWeight(weights: readonly number[], place: number, weight: number): number[] {
  const others = weights.reduce((sum, each, index) => (index === place ? sum : sum + each), 0);
  let left = Math.round((1 - weight) * 100);
  const last = weights.length - 1 === place ? weights.length - 2 : weights.length - 1;
  return weights.map((each, index) => {
    if (index === place) return Math.round(weight * 100) / 100;
    const share = others === 0 ? 1 / (weights.length - 1) : each / others;
    const part = index === last ? left : Math.min(left, Math.round((1 - weight) * 100 * share));
    left -= part;
    return part / 100;
  });
}

/** The rule without one variation; the other variations keep their `meta` and `ranges`, with equal weights. */
export function withoutVariation(parts: RuleParts, place: number): RuleParts {
  if (parts.result.kind !== 'split') return parts;
  const drop = <T>(list: readonly T[]) => list.filter((_each, index) => index !== place);
  const rest = Object.fromEntries(
    Object.entries(parts.rest).map(([name, value]) =>
      (name === 'meta' || name === 'ranges') && Array.isArray(value) ? [name, drop(value)] : [name, value],
    ),
  );
  const variations = drop(parts.result.variations);
  return { ...parts, rest, result: { kind: 'split', variations, weights: equalWeights(variations.length) } };
}

/** The rule with one more variation, and equal weights. */
export function withVariation(parts: RuleParts, value: unknown): RuleParts {
  if (parts.result.kind !== 'split') return parts;
  const variations = [...parts.result.variations, value];
  const rest = Object.fromEntries(
    Object.entries(parts.rest).flatMap(([name, each]) =>
      name === 'ranges'
        ? []
        : [[name, name === 'meta' && Array.isArray(each) ? [...(each as unknown[]), {}] : each]],
    ),
  );
  return { ...parts, rest, result: { kind: 'split', variations, weights: equalWeights(variations.length) } };
}
