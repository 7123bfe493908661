import type { FlagRule, FlagType } from '#features/flags/contract/flags.ts';
import { ruleRamp, ruleSchedule, stepStarts, timingOf } from '#features/flags/contract/schedules.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { wallTimeAt } from '#contract/rules/wall-time.ts';
import { fieldProblems } from '#server/platform/http/validation.ts';
import {
  checkCondition,
  createFindings,
  isDeeperThan,
  isObject,
  unknownField,
  type Findings,
  type Path,
  type SavedGroups,
} from './condition.ts';
import { conditionsOf, writtenBytes } from './segments.ts';

/** A flag as it is about to be written. */
export type FlagToCheck = { key: string; type: FlagType; defaultValue: unknown; rules: readonly FlagRule[] };

/** The other flags and the segments that rules may refer to. */
export type Surroundings = {
  /** The prerequisites of every other flag, as `prerequisitesOf` lists them; a missing key is no flag. */
  prerequisites: ReadonlyMap<string, readonly string[]>;
  savedGroups: SavedGroups;
};

type Check = (value: unknown, path: Path, rule: FlagRule, findings: Findings) => void;

const longestName = 2_000;
const mostVariations = 100;
const largestValue = 65_536;
/** The limit for the bytes of a flag's rules, including the written-out conditions of segments. */
export const largestRules = 262_144;
const deepestValue = 20;
/** The nesting limit for rules: a rule's own levels, and those of a value or condition in it. */
const deepestRules = 30;
/** A limit, since an SDK looks up each version up to a rule's `minBucketVersion` in a loop. */
const highestBucketVersion = 10_000;
/** The limit for chains of prerequisites, which an SDK evaluates again in each place that asks for them. */
const longestChain = 20;
const mostEvaluations = 500;

/** A check for each member of GrowthBook's FeatureRule (SDK 1.8), as its back end sends it. */
const parts: Record<string, Check> = {
  schedule(value, path, _rule, findings) {
    checkShape(ruleSchedule, value, path, findings);
    const zone = isObject(value) ? value['zone'] : undefined;
    if (typeof zone === 'string' && wallTimeAt(0, zone) === null)
      findings.add([...path, 'zone'], 'unknown_zone', 'is no zone of the IANA time zone database');
  },
  ramp(value, path, rule, findings) {
    checkShape(ruleRamp, value, path, findings);
    const { schedule } = rule;
    if (!isObject(schedule) || schedule['from'] === undefined)
      findings.add([...path.slice(0, -1), 'schedule', 'from'], 'required', 'is when the ramp begins');
    if (!Object.hasOwn(rule, 'force') || variationsOf(rule) !== null || rule['range'] !== undefined)
      findings.add(path, 'invalid', 'is for a rule with `force`, and without `variations` and `range`');
    if (rule['coverage'] !== undefined)
      findings.warn([...path.slice(0, -1), 'coverage'], 'no_effect', 'has no effect: the ramp gives it');
  },
  id: text,
  key: text,
  seed: text,
  name: text,
  phase: text,
  hashAttribute: text,
  fallbackAttribute: text,
  hashVersion,
  disableStickyBucketing: truth,
  bucketVersion,
  minBucketVersion: bucketVersion,
  coverage(value, path, _rule, findings) {
    if (!isShare(value)) findings.add(path, 'invalid', 'must be a number from 0 to 1');
  },
  range: checkRange,
  namespace(value, path, rule, findings) {
    const [id, ...range] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof id !== 'string') findings.add(path, 'invalid', 'must be [name, from, to]');
    else checkRange(range, path, rule, findings);
  },
  weights(value, path, rule, findings) {
    const variations = variationsOf(rule);
    if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list');
    if (!value.every(isShare)) return findings.add(path, 'invalid', 'must be numbers from 0 to 1');
    if (variations === null) return withoutVariations(path, findings);
    if (value.length !== variations.length) return findings.add(path, 'invalid', onePerVariation);
    const sum = value.reduce((total: number, weight) => total + weight, 0);
    if (Math.abs(sum - 1) > 0.01) findings.add(path, 'invalid', 'must add up to 1');
  },
  ranges(value, path, rule, findings) {
    const variations = variationsOf(rule);
    if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list');
    value.forEach((range, index) => checkRange(range, [...path, index], rule, findings));
    if (variations === null) withoutVariations(path, findings);
    else if (value.length !== variations.length)
      findings.warn(path, 'invalid', 'has not one entry for each variation');
  },
  meta(value, path, rule, findings) {
    const variations = variationsOf(rule);
    if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list');
    value.forEach((each, index) => checkMeta(each, [...path, index], rule, findings));
    if (variations === null) withoutVariations(path, findings);
    else if (value.length < variations.length) findings.add(path, 'invalid', onePerVariation);
  },
  filters(value, path, rule, findings) {
    if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list');
    value.forEach((filter, index) => checkFilter(filter, [...path, index], rule, findings));
  },
  contextualBanditRef(value, path, rule, findings) {
    text(value, path, rule, findings);
    findings.warn(path, 'unknown', 'is not a contextual bandit here: the weights of the rule count');
  },
};

const onePerVariation = 'must have one entry for each variation';

/**
 * The mistakes in a flag's values and rules (FLAG-3), each with its place as a JSON pointer into the body, such as
 * `/rules/0/condition/country/$in`.
 */
export type CheckedFlag = {
  /** Refused: parts with which an SDK fails or that take long, and values of another type. */
  problems: FieldProblem[];
  /** Warnings for parts of GrowthBook's back end that its SDK evaluates differently from how they read. */
  warnings: FieldProblem[];
};

/** Checks a flag that is about to be written, or finds the warnings of a stored one. */
export function checkFlag(flag: FlagToCheck, surroundings: Surroundings): CheckedFlag {
  const findings = createFindings();
  checkValue(flag.defaultValue, flag.type, ['defaultValue'], findings);
  if (isDeeperThan(deepestRules, flag.rules)) findings.add(['rules'], 'too_big', 'are nested too deeply');
  else if (
    sizeOf(flag.rules) + writtenBytes(conditionsOf(flag.rules), surroundings.savedGroups) >
    largestRules
  )
    findings.add(['rules'], 'too_big', `must have at most ${largestRules} bytes`);
  else {
    checkEncoding(flag.rules, ['rules'], findings);
    flag.rules.forEach((rule, index) => checkRule(rule, ['rules', index], flag, surroundings, findings));
    checkChain(flag, surroundings, findings);
  }
  return { problems: findings.found, warnings: findings.warnings };
}

/** Warnings for rules that are over, and for rules that end before the last step of their ramp. */
export function timeWarnings(rules: readonly FlagRule[], now: number): FieldProblem[] {
  const { warn, warnings } = createFindings();
  for (const [index, rule] of rules.entries()) {
    const { schedule, ramp } = timingOf(rule);
    if (schedule?.until === undefined) continue;
    const place = ['rules', index, 'schedule', 'until'];
    const last = ramp === undefined ? undefined : stepStarts(schedule, ramp).at(-1);
    if (schedule.until <= now) warn(place, 'past', 'is past: the rule applies to no one any more');
    else if (last !== undefined && last.at >= schedule.until)
      warn(place, 'too_early', `is before step ${last.step + 1} of the ramp begins`);
  }
  return warnings;
}

/** The keys of the flags that a flag's rules ask for; a key is repeated each time it is asked for. */
export function prerequisitesOf(rules: readonly FlagRule[]): string[] {
  return conditionsOnFlags(rules).map(({ id }) => id);
}

/** The conditions that a flag's rules put on other flags, in the order of the rules. */
export function conditionsOnFlags(
  rules: readonly FlagRule[],
): { id: string; pointer: string; condition: unknown }[] {
  return rules.flatMap(({ parentConditions }, rule) =>
    (Array.isArray(parentConditions) ? parentConditions : []).flatMap((parent: unknown, index) =>
      isObject(parent) && typeof parent['id'] === 'string'
        ? [
            {
              id: parent['id'],
              pointer: `/rules/${rule}/parentConditions/${index}`,
              condition: parent['condition'] ?? {},
            },
          ]
        : [],
    ),
  );
}

function checkRule(
  rule: FlagRule,
  path: Path,
  flag: FlagToCheck,
  surroundings: Surroundings,
  findings: Findings,
): void {
  for (const [key, value] of Object.entries(rule)) {
    const here = [...path, key];
    if (key === 'condition') checkCondition(value, here, surroundings.savedGroups, findings);
    else if (key === 'parentConditions') checkPrerequisites(value, here, flag, surroundings, findings);
    else if (key === 'force') checkValue(value, flag.type, here, findings);
    else if (key === 'variations' || key === 'contextualVariations')
      checkVariations(value, here, flag.type, findings);
    else if (key === 'tracks') findings.add(here, 'unknown', 'is a result of evaluation, and cannot be set');
    else if (Object.hasOwn(parts, key)) parts[key]?.(value, here, rule, findings);
    else findings.warn(here, 'unknown', unknownField);
  }
  const forces = Object.hasOwn(rule, 'force');
  if (forces && variationsOf(rule) !== null)
    findings.warn([...path, 'variations'], 'no_effect', 'has no effect together with `force`');
  if (!forces && variationsOf(rule) === null && !isGate(rule))
    findings.warn(
      path,
      'no_effect',
      'has no effect: it has neither `force`, the value that it gives, nor `variations`',
    );
}

/** Whether a rule has a gate of GrowthBook's back end: a person who does not meet it gets no value at all. */
function isGate({ parentConditions }: FlagRule): boolean {
  return (
    Array.isArray(parentConditions) &&
    parentConditions.some((parent: unknown) => isObject(parent) && parent['gate'] === true)
  );
}

function checkPrerequisites(
  value: unknown,
  path: Path,
  flag: FlagToCheck,
  surroundings: Surroundings,
  findings: Findings,
): void {
  if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list');
  value.forEach((parent: unknown, index) => {
    const here = [...path, index];
    if (!isObject(parent)) return findings.add(here, 'type', 'must be {"id": …, "condition": …}');
    const { id, condition, gate, ...others } = parent;
    for (const key of Object.keys(others)) findings.warn([...here, key], 'unknown', unknownField);
    if (condition === undefined || condition === null)
      findings.warn([...here, 'condition'], 'required', 'is missing, and so is met by everybody');
    else checkCondition(condition, [...here, 'condition'], surroundings.savedGroups, findings);
    if (gate !== undefined && typeof gate !== 'boolean')
      findings.add([...here, 'gate'], 'type', 'must be true or false');
    if (typeof id !== 'string') findings.add([...here, 'id'], 'type', "must be a flag's key");
    else if (dependsOn(id, flag.key, surroundings.prerequisites)) {
      findings.add([...here, 'id'], 'cycle', 'depends on this flag itself');
    } else if (!surroundings.prerequisites.has(id))
      findings.warn([...here, 'id'], 'unknown', 'is not a flag here, and so has no value');
  });
}

function dependsOn(start: string, target: string, prerequisites: Surroundings['prerequisites']): boolean {
  const seen = new Set<string>();
  const open = [start];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (key === target) return true;
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...(prerequisites.get(key) ?? []));
  }
  return false;
}

/**
 * Limits the cost of evaluating a flag, and the flags that depend on it. An SDK does not cache the values of
 * prerequisites: with thirty flags that depend on each other in a chain, each by two rules, there are a billion
 * evaluations.
 */
function checkChain(flag: FlagToCheck, { prerequisites }: Surroundings, findings: Findings): void {
  if (findings.found.some(({ code }) => code === 'cycle')) return;
  const all = new Map([...prerequisites, [flag.key, prerequisitesOf(flag.rules)]]);
  const known = new Map<string, Cost>();
  const tooMuch = [...all.keys()].find((key) => {
    const { levels, evaluations } = costOf(key, all, known, 0);
    return (levels > longestChain || evaluations > mostEvaluations) && dependsOn(key, flag.key, all);
  });
  if (tooMuch === undefined) return;
  findings.add(
    ['rules'],
    'too_big',
    `depend on flags that depend on flags: ${tooMuch} would take more than ${longestChain} levels or ${mostEvaluations} evaluations`,
  );
}

type Cost = { levels: number; evaluations: number };

function costOf(
  key: string,
  prerequisites: ReadonlyMap<string, readonly string[]>,
  known: Map<string, Cost>,
  level: number,
): Cost {
  const before = known.get(key);
  if (before !== undefined) return before;
  // Flags of earlier releases may depend on each other in chains of any length.
  if (level > 2 * longestChain) return { levels: level, evaluations: mostEvaluations };
  const costs = (prerequisites.get(key) ?? []).map((each) => costOf(each, prerequisites, known, level + 1));
  const cost = {
    levels: 1 + Math.max(0, ...costs.map(({ levels }) => levels)),
    evaluations: costs.reduce((sum, { evaluations }) => sum + evaluations, 1),
  };
  known.set(key, cost);
  return cost;
}

function checkValue(value: unknown, type: FlagType, path: Path, findings: Findings): void {
  if (value === undefined) return findings.add(path, 'required', 'is missing');
  if (type !== 'json') {
    if (typeof value !== type) return findings.add(path, 'type', `must be of type ${type}, as the flag`);
  } else if (isDeeperThan(deepestValue, value)) {
    return findings.add(path, 'too_big', 'is nested too deeply');
  }
  if (path[0] !== 'rules') checkEncoding(value, path, findings);
  if (sizeOf(value) > largestValue) findings.add(path, 'too_big', `must have at most ${largestValue} bytes`);
}

/**
 * Refuses two values that JSON can hold (RFC 8259, 6 and 8.2): `1e999`, which is no JavaScript number and would be
 * stored as null; and half of a surrogate pair, at which parsers of other languages refuse the whole payload.
 */
export function checkEncoding(value: unknown, path: Path, findings: Findings): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    findings.add(path, 'too_big', 'is larger than a number can be');
  else if (typeof value === 'string') checkCharacters(value, path, findings);
  else if (Array.isArray(value))
    value.forEach((each, index) => checkEncoding(each, [...path, index], findings));
  else if (isObject(value))
    for (const [key, each] of Object.entries(value)) {
      checkCharacters(key, path, findings);
      checkEncoding(each, [...path, key], findings);
    }
}

function checkCharacters(text: string, path: Path, findings: Findings): void {
  if (!text.isWellFormed()) findings.add(path, 'invalid', 'holds half of a character');
}

function checkVariations(value: unknown, path: Path, type: FlagType, findings: Findings): void {
  if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list of values');
  // Only a warning, since GrowthBook's back end sends this for a feature that has one variation left.
  if (value.length < 2)
    findings.warn(path, 'too_small', 'has no effect: an experiment has 2 variations at least');
  if (value.length > mostVariations)
    return findings.add(path, 'too_big', `must have at most ${mostVariations} entries`);
  value.forEach((variation, index) => {
    // Only a warning: GrowthBook's back end writes null for a variation that only the experiment has.
    if (variation === null && type !== 'json')
      findings.warn([...path, index], 'type', `is null, and not of type ${type}`);
    else checkValue(variation, type, [...path, index], findings);
  });
}

/** The variations of a rule, found like the SDK finds them; null if it has none. */
function variationsOf({ contextualVariations, variations }: FlagRule): unknown[] | null {
  const found = contextualVariations ?? variations;
  return Array.isArray(found) ? found : null;
}

function withoutVariations(path: Path, findings: Findings): void {
  findings.warn(path, 'no_effect', 'has no effect without `variations`');
}

function checkShape(
  schema: typeof ruleSchedule | typeof ruleRamp,
  value: unknown,
  path: Path,
  findings: Findings,
): void {
  const issues = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  for (const { pointer, code, message } of fieldProblems(issues))
    findings.add([...path, ...pointer.split('/').slice(1)], code, message);
}

function text(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (typeof value !== 'string') findings.add(path, 'type', 'must be a text');
  else if (value.length > longestName)
    findings.add(path, 'too_big', `must have at most ${longestName} characters`);
}

function truth(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (typeof value !== 'boolean') findings.add(path, 'type', 'must be true or false');
}

function bucketVersion(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (!Number.isSafeInteger(value) || Number(value) < 0 || Number(value) > highestBucketVersion)
    findings.add(path, 'invalid', `must be a whole number from 0 to ${highestBucketVersion}`);
}

function hashVersion(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (typeof value !== 'number') findings.add(path, 'type', 'must be a number');
  else if (value !== 1 && value !== 2)
    findings.warn(path, 'unknown', 'is not a version of the hash that is known here, and so matches no one');
}

function checkRange(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (!Array.isArray(value) || value.length !== 2 || !value.every((each) => typeof each === 'number'))
    return findings.add(path, 'invalid', 'must be [from, to], two numbers');
  const [from = 0, to = 0] = value;
  if (!isShare(from) || !isShare(to) || from > to)
    findings.warn(path, 'invalid', 'is not [from, to] between 0 and 1');
}

function checkMeta(value: unknown, path: Path, rule: FlagRule, findings: Findings): void {
  if (!isObject(value)) return findings.add(path, 'type', 'must be an object');
  for (const [key, each] of Object.entries(value)) {
    const here = [...path, key];
    if (key === 'key' || key === 'name') text(each, here, rule, findings);
    else if (key === 'passthrough') truth(each, here, rule, findings);
    else findings.warn(here, 'unknown', unknownField);
  }
}

function checkFilter(value: unknown, path: Path, rule: FlagRule, findings: Findings): void {
  if (!isObject(value)) return findings.add(path, 'type', 'must be an object');
  const { attribute, seed, hashVersion: version, ranges, ...others } = value;
  for (const key of Object.keys(others)) findings.warn([...path, key], 'unknown', unknownField);
  if (attribute !== undefined) text(attribute, [...path, 'attribute'], rule, findings);
  text(seed, [...path, 'seed'], rule, findings);
  if (version !== undefined) hashVersion(version, [...path, 'hashVersion'], rule, findings);
  if (!Array.isArray(ranges))
    return findings.add([...path, 'ranges'], 'type', 'must be a list of [from, to]');
  ranges.forEach((range, index) => checkRange(range, [...path, 'ranges', index], rule, findings));
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
