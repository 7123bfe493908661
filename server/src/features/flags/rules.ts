import type { FlagRule, FlagType } from '@portico/contract/flags';
import type { FieldProblem } from '@portico/contract/problem';
import {
  checkCondition,
  createFindings,
  isDeeperThan,
  isObject,
  type Findings,
  type Path,
} from './condition.ts';

/** A flag as it is about to be written. */
export type FlagToCheck = { key: string; type: FlagType; defaultValue: unknown; rules: readonly FlagRule[] };

/** What else there is, which rules may refer to. */
export type Surroundings = {
  /** The prerequisites of every other flag by its key; a key that is missing is no flag. */
  prerequisites: ReadonlyMap<string, readonly string[]>;
  savedGroups: ReadonlySet<string>;
};

type Check = (value: unknown, path: Path, rule: FlagRule, findings: Findings) => void;

const longestName = 200;
const mostVariations = 100;
const largestValue = 65_536;
const largestRules = 262_144;
const deepestValue = 20;
/** A rule's own levels, and those of a value or condition in it. */
const deepestRules = 30;

/** GrowthBook's FeatureRule (SDK 1.8), as far as a host may send it; how to check each part that stands for itself. */
const parts: Record<string, Check> = {
  id: text,
  key: text,
  seed: text,
  name: text,
  phase: text,
  hashAttribute: text,
  fallbackAttribute: text,
  hashVersion,
  disableStickyBucketing(value, path, _rule, findings) {
    if (typeof value !== 'boolean') findings.add(path, 'type', 'must be true or false');
  },
  bucketVersion: count,
  minBucketVersion: count,
  coverage(value, path, _rule, findings) {
    if (!isShare(value)) findings.add(path, 'invalid', 'must be a number from 0 to 1');
  },
  range: checkRange,
  namespace(value, path, _rule, findings) {
    const [id, ...range] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof id !== 'string' || id === '' || !isRange(range)) {
      findings.add(path, 'invalid', 'must be [name, from, to], from and to between 0 and 1');
    }
  },
  weights(value, path, rule, findings) {
    if (!onePerVariation(value, path, rule, findings)) return;
    if (!value.every(isShare)) return findings.add(path, 'invalid', 'must be numbers from 0 to 1');
    const sum = value.reduce((total: number, weight) => total + weight, 0);
    if (Math.abs(sum - 1) > 0.01) findings.add(path, 'invalid', 'must add up to 1');
  },
  ranges(value, path, rule, findings) {
    if (!onePerVariation(value, path, rule, findings)) return;
    value.forEach((range, index) => checkRange(range, [...path, index], rule, findings));
  },
  meta(value, path, rule, findings) {
    if (!onePerVariation(value, path, rule, findings)) return;
    value.forEach((each, index) => checkMeta(each, [...path, index], rule, findings));
  },
  filters(value, path, rule, findings) {
    if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list');
    value.forEach((filter, index) => checkFilter(filter, [...path, index], rule, findings));
  },
};

/** Parts of a FeatureRule that hosts do not write: results of evaluation, and bandits, which have no definitions here. */
const notHere = new Set(['tracks', 'contextualBanditRef', 'contextualVariations']);

/**
 * What is wrong with a flag's values and rules (FLAG-3), each with its place as a JSON pointer into the body, such as
 * `/rules/0/condition/country/$in`. Whatever an SDK would silently skip, or take for nobody, is a mistake.
 */
export function flagProblems(flag: FlagToCheck, surroundings: Surroundings): FieldProblem[] {
  const findings = createFindings();
  checkValue(flag.defaultValue, flag.type, ['defaultValue'], findings);
  if (isDeeperThan(deepestRules, flag.rules)) findings.add(['rules'], 'too_big', 'are nested too deeply');
  else if (sizeOf(flag.rules) > largestRules)
    findings.add(['rules'], 'too_big', `must have at most ${largestRules} bytes`);
  else flag.rules.forEach((rule, index) => checkRule(rule, ['rules', index], flag, surroundings, findings));
  return findings.found;
}

/** The keys of the flags that a flag's rules depend on, each once. */
export function prerequisitesOf(rules: readonly FlagRule[]): string[] {
  const keys = rules.flatMap((rule) => {
    const parents = rule['parentConditions'];
    return Array.isArray(parents)
      ? parents.flatMap((parent: unknown) => (isObject(parent) ? [parent['id']] : []))
      : [];
  });
  return [...new Set(keys.filter((key) => typeof key === 'string'))];
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
    else if (key === 'variations') checkVariations(value, here, flag.type, findings);
    else if (notHere.has(key)) findings.add(here, 'unknown', 'cannot be set in a rule');
    else if (Object.hasOwn(parts, key)) parts[key]?.(value, here, rule, findings);
    else findings.add(here, 'unknown', "is not part of GrowthBook's FeatureRule");
  }
  const forces = Object.hasOwn(rule, 'force');
  const varies = Object.hasOwn(rule, 'variations');
  if (!forces && !varies)
    findings.add(path, 'required', 'needs `force`, the value that it gives, or `variations`');
  if (forces && varies) findings.add([...path, 'variations'], 'invalid', 'has no effect beside `force`');
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
    for (const key of Object.keys(parent)) {
      if (!['id', 'condition', 'gate'].includes(key))
        findings.add([...here, key], 'unknown', 'is not known here');
    }
    checkCondition(parent['condition'], [...here, 'condition'], surroundings.savedGroups, findings);
    if (parent['gate'] !== undefined && typeof parent['gate'] !== 'boolean') {
      findings.add([...here, 'gate'], 'type', 'must be true or false');
    }
    const id = parent['id'];
    if (typeof id !== 'string') findings.add([...here, 'id'], 'type', "must be a flag's key");
    else if (dependsOn(id, flag.key, surroundings.prerequisites)) {
      findings.add([...here, 'id'], 'cycle', 'depends on this flag itself');
    } else if (!surroundings.prerequisites.has(id)) findings.add([...here, 'id'], 'unknown', 'is not a flag');
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

function checkValue(value: unknown, type: FlagType, path: Path, findings: Findings): void {
  if (value === undefined) return findings.add(path, 'required', 'is missing');
  if (type !== 'json') {
    if (typeof value !== type) return findings.add(path, 'type', `must be of type ${type}, as the flag`);
  } else if (isDeeperThan(deepestValue, value)) {
    return findings.add(path, 'too_big', 'is nested too deeply');
  }
  if (sizeOf(value) > largestValue) findings.add(path, 'too_big', `must have at most ${largestValue} bytes`);
}

function checkVariations(value: unknown, path: Path, type: FlagType, findings: Findings): void {
  if (!Array.isArray(value)) return findings.add(path, 'type', 'must be a list of values');
  if (value.length < 2) findings.add(path, 'too_small', 'must have at least 2 entries');
  if (value.length > mostVariations)
    return findings.add(path, 'too_big', `must have at most ${mostVariations} entries`);
  value.forEach((variation, index) => checkValue(variation, type, [...path, index], findings));
}

function text(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (typeof value !== 'string') findings.add(path, 'type', 'must be a text');
  else if (value === '' || value.length > longestName) {
    findings.add(path, value === '' ? 'too_small' : 'too_big', `must have 1 to ${longestName} characters`);
  }
}

function count(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    findings.add(path, 'invalid', 'must be a whole number from 0');
}

function hashVersion(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (value !== 1 && value !== 2) findings.add(path, 'invalid', 'must be 1 or 2');
}

function checkRange(value: unknown, path: Path, _rule: FlagRule, findings: Findings): void {
  if (!isRange(value)) findings.add(path, 'invalid', 'must be [from, to], from 0 to 1');
}

function checkMeta(value: unknown, path: Path, rule: FlagRule, findings: Findings): void {
  if (!isObject(value)) return findings.add(path, 'type', 'must be an object');
  for (const [key, each] of Object.entries(value)) {
    if (key === 'key' || key === 'name') text(each, [...path, key], rule, findings);
    else if (key !== 'passthrough') findings.add([...path, key], 'unknown', 'is not known here');
    else if (typeof each !== 'boolean') findings.add([...path, key], 'type', 'must be true or false');
  }
}

function checkFilter(value: unknown, path: Path, rule: FlagRule, findings: Findings): void {
  if (!isObject(value)) return findings.add(path, 'type', 'must be an object');
  for (const key of Object.keys(value)) {
    if (!['attribute', 'seed', 'hashVersion', 'ranges'].includes(key))
      findings.add([...path, key], 'unknown', 'is not known here');
  }
  if (value['attribute'] !== undefined) text(value['attribute'], [...path, 'attribute'], rule, findings);
  text(value['seed'], [...path, 'seed'], rule, findings);
  if (value['hashVersion'] !== undefined)
    hashVersion(value['hashVersion'], [...path, 'hashVersion'], rule, findings);
  const { ranges } = value;
  if (!Array.isArray(ranges))
    return findings.add([...path, 'ranges'], 'type', 'must be a list of [from, to]');
  ranges.forEach((range, index) => checkRange(range, [...path, 'ranges', index], rule, findings));
}

function onePerVariation(value: unknown, path: Path, rule: FlagRule, findings: Findings): value is unknown[] {
  const { variations } = rule;
  if (!Array.isArray(value)) findings.add(path, 'type', 'must be a list');
  else if (!Array.isArray(variations)) findings.add(path, 'invalid', 'has no effect without `variations`');
  else if (value.length !== variations.length)
    findings.add(path, 'invalid', 'must have one entry for each variation');
  else return true;
  return false;
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as unknown[];
  return isShare(from) && isShare(to) && from <= to;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
