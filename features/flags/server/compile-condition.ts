import type { SavedGroupsPayload } from '@growthbook/growthbook';
import { isWithin, longestText, numberOf, textOf, versionText } from './attribute-values.ts';
import { prepareRegex, type Work } from './regex-match.ts';

/** Null: undecided, since a value or the work is too large; a rule that depends on it does not match. */
type Answer = boolean | null;

/** Whether a person, or an entry of a list in their attributes, meets a condition. */
export type Condition = (person: unknown, work: Work) => Answer;

type Expectation = (value: unknown, work: Work) => Answer;

export type Surroundings = {
  savedGroups: SavedGroupsPayload;
  /** Called with the path of each attribute that the condition reads. */
  sees(path: string): void;
};

/**
 * Compiles a condition to give the same results as GrowthBook's SDK 1.8 (`mongrule.ts`), which a property test
 * checks. Only the time differs: whatever a client sends, each comparison is bounded, and all comparisons of
 * an evaluation share the limit in `Work`.
 */
export function compileCondition(
  condition: unknown,
  surroundings: Surroundings,
  groups: readonly string[] = [],
): Condition {
  if (!isObject(condition)) return unknown;
  return all(
    Object.entries(condition).map(([name, value]): Condition => {
      const each = () =>
        (Array.isArray(value) ? value : []).map((one) => compileCondition(one, surroundings, groups));
      switch (name) {
        case '$or':
          return any(each());
        case '$nor':
          return not(any(each()));
        case '$and':
          return all(each());
        case '$not':
          return not(compileCondition(value, surroundings, groups));
        case '$savedGroup':
          return inSavedGroup(value, surroundings, groups);
        default:
          return at(name, compileExpectation(value, surroundings, groups), surroundings);
      }
    }),
  );
}

/** Compiles what the value at a path must be; of alternatives, the first one known to be true decides. */
function compileExpectation(
  expected: unknown,
  surroundings: Surroundings,
  groups: readonly string[],
  insensitive = false,
): Expectation {
  if (typeof expected === 'string') return insensitive ? sameTextInAnyCase(expected) : sameText(expected);
  if (typeof expected === 'number') {
    return (value, work) => {
      chargeList(value, work);
      const number = numberOf(value);
      return number === null ? null : number === expected;
    };
  }
  if (typeof expected === 'boolean') return (value) => value !== null && Boolean(value) === expected;
  if (expected === null) return (value) => value === null;
  if (!isOperators(expected)) return sameJson(JSON.stringify(expected));
  return all(
    Object.entries(expected).map(([operator, operand]) =>
      compileOperator(operator, operand, surroundings, groups),
    ),
  );
}

function compileOperator(
  operator: string,
  expected: unknown,
  surroundings: Surroundings,
  groups: readonly string[],
): Expectation {
  const meets = (inner: unknown, insensitive = false) =>
    compileExpectation(inner, surroundings, groups, insensitive);
  switch (operator) {
    case '$veq':
      return byVersion(expected, (one, other) => one === other);
    case '$vne':
      return byVersion(expected, (one, other) => one !== other);
    case '$vgt':
      return byVersion(expected, (one, other) => one > other);
    case '$vgte':
      return byVersion(expected, (one, other) => one >= other);
    case '$vlt':
      return byVersion(expected, (one, other) => one < other);
    case '$vlte':
      return byVersion(expected, (one, other) => one <= other);
    case '$eq':
      return (value) => value === expected;
    case '$ne':
      return (value) => value !== expected;
    case '$lt':
      return byOrder(expected, (one, other) => one < other);
    case '$lte':
      return byOrder(expected, (one, other) => one <= other);
    case '$gt':
      return byOrder(expected, (one, other) => one > other);
    case '$gte':
      return byOrder(expected, (one, other) => one >= other);
    case '$exists':
      return expected ? (value) => value !== null : (value) => value === null;
    case '$type':
      return (value) => typeName(value) === expected;
    case '$in':
      return Array.isArray(expected) ? isIn(expected) : never;
    case '$nin':
      return Array.isArray(expected) ? not(isIn(expected)) : never;
    case '$ini':
      return Array.isArray(expected) ? isInAnyCase(expected) : never;
    case '$nini':
      return Array.isArray(expected) ? not(isInAnyCase(expected)) : never;
    case '$inGroup':
    case '$notInGroup': {
      const values = valuesOfGroup(surroundings.savedGroups, expected);
      if (values === null) return never;
      return operator === '$inGroup' ? isIn(values) : not(isIn(values));
    }
    case '$not':
      return not(meets(expected));
    case '$size': {
      const fits = meets(expected);
      return (value, work) => Array.isArray(value) && fits(value.length, work);
    }
    case '$elemMatch': {
      const fits = isOperators(expected) ? meets(expected) : compileCondition(expected, surroundings, groups);
      return (value, work) =>
        Array.isArray(value) && some(value, (each) => each !== null && fits(each, work), work);
    }
    case '$all':
    case '$alli': {
      if (!Array.isArray(expected)) return never;
      const fits = expected.map((one) => meets(one, operator === '$alli'));
      return (value, work) =>
        Array.isArray(value) && every(fits, (fit) => some(value, (each) => fit(each, work), work), work);
    }
    case '$regex':
    case '$regexi':
      return matches(expected, operator === '$regexi');
    default:
      return never;
  }
}

/** The cost of one comparison in steps of `Work`. */
const stepsOfOne = 5;

const unknown = (): Answer => null;
const never = (): Answer => false;

function not(inner: Condition): Condition {
  return (value, work) => {
    const answer = inner(value, work);
    return answer === null ? null : !answer;
  };
}

function all(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (conditions.length === 1 && only !== undefined) return only;
  return (value, work) => every(conditions, (each) => each(value, work), work);
}

/** An empty list matches every person, as in the SDK. */
function any(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return () => true;
  return (value, work) => some(conditions, (each) => each(value, work), work);
}

/** False if any answer is false; otherwise null if any is unknown; otherwise true. */
function every<T>(list: readonly T[], answerOf: (each: T) => Answer, work: Work): Answer {
  let result: Answer = true;
  for (const each of list) {
    if ((work.left -= stepsOfOne) < 0) return null;
    const answer = answerOf(each);
    if (answer === false) return false;
    if (answer === null) result = null;
  }
  return result;
}

/** True if any answer is true; otherwise null if any is unknown; otherwise false. */
function some<T>(list: readonly T[], answerOf: (each: T) => Answer, work: Work): Answer {
  let result: Answer = false;
  for (const each of list) {
    if ((work.left -= stepsOfOne) < 0) return null;
    const answer = answerOf(each);
    if (answer === true) return true;
    if (answer === null) result = null;
  }
  return result;
}

function at(path: string, meets: Expectation, { sees }: Surroundings): Condition {
  sees(path);
  const parts = path.split('.');
  return (person, work) => {
    work.left -= parts.length;
    if (work.left < 0) return null;
    let value = person;
    for (const part of parts) {
      if (typeof value !== 'object' || value === null || !(part in value)) return meets(null, work);
      value = (value as Record<string, unknown>)[part];
    }
    return meets(value, work);
  };
}

function sameText(expected: string): Expectation {
  return (value, work) => {
    if (typeof value === 'string') return value === expected;
    const text = textOf(value);
    work.left -= stepsOfOne + (text?.length ?? longestText);
    return text === null ? null : text === expected;
  };
}

function sameTextInAnyCase(expected: string): Expectation {
  const lower = expected.toLowerCase();
  return (value, work) => {
    const text = textOf(value);
    work.left -= stepsOfOne + (text?.length ?? longestText);
    return text === null ? null : text.toLowerCase() === lower;
  };
}

function sameJson(expected: string): Expectation {
  return (value, work) => {
    // A value with more characters and entries has a longer JSON text, so it cannot be equal.
    if (typeof value !== 'object' || value === null) return false;
    work.left -= expected.length;
    if (!isWithin(expected.length, value, work)) return false;
    return JSON.stringify(value) === expected;
  };
}

function byVersion(expected: unknown, compare: (one: string, other: string) => boolean): Expectation {
  const other = versionText(expected);
  return (value, work) => {
    const one = versionText(value);
    if (one === null || other === null) return null;
    work.left -= stepsOfOne * one.length;
    return compare(one, other);
  };
}

/** Compares like JavaScript: two texts by their UTF-16 units, all other values as numbers. */
function byOrder(expected: unknown, compare: (one: never, other: never) => boolean): Expectation {
  const other = primitive(expected);
  return (value, work) => {
    chargeList(value, work);
    const one = primitive(value);
    if (one === undefined || other === undefined) return null;
    if (typeof one === 'string') work.left -= one.length;
    return compare(one as never, other as never);
  };
}

/** Charges the work of converting a list to a text, which takes as long as reading each of its units. */
function chargeList(value: unknown, work: Work): void {
  if (Array.isArray(value)) work.left -= longestText;
}

function primitive(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' || value === null
    ? value
    : (textOf(value) ?? undefined);
}

/** One set for each list of a segment, shared by all rules and versions of the flags that name the segment. */
const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

function setOf(list: readonly unknown[]): ReadonlySet<unknown> {
  const known = sets.get(list) ?? new Set(list);
  sets.set(list, known);
  return known;
}

function isIn(expected: readonly unknown[]): Expectation {
  const values = setOf(expected);
  return (value, work) => {
    if (!Array.isArray(value)) return values.has(value);
    work.left -= value.length;
    return work.left < 0 ? null : value.some((each) => values.has(each));
  };
}

function isInAnyCase(expected: readonly unknown[]): Expectation {
  const values = new Set(expected.map((each) => (typeof each === 'string' ? each.toLowerCase() : each)));
  const one = (value: unknown, work: Work): Answer => {
    if (typeof value !== 'string') return values.has(value);
    if (value.length > longestText) return null;
    work.left -= value.length;
    return values.has(value.toLowerCase());
  };
  return (value, work) =>
    Array.isArray(value) ? some(value, (each) => one(each, work), work) : one(value, work);
}

function matches(pattern: unknown, insensitive: boolean): Expectation {
  if (typeof pattern !== 'string') return never;
  const test = prepareRegex(pattern, insensitive);
  if (test === null) return never;
  if (test === 'unbounded') return unknown;
  return (value, work) => {
    chargeList(value, work);
    const text = textOf(value);
    return text === null ? null : test(text, work);
  };
}

/** The values of a group for `$inGroup`: empty if the group is missing, null if it is not a list. */
function valuesOfGroup(groups: SavedGroupsPayload, id: unknown): readonly unknown[] | null {
  const group = groupOf(groups, id);
  if (group === undefined) return [];
  if (Array.isArray(group)) return group as unknown[];
  return isObject(group) && group['type'] === 'list' && Array.isArray(group['values'])
    ? group['values']
    : null;
}

function groupOf(groups: SavedGroupsPayload, id: unknown): unknown {
  return typeof id === 'string' && Object.hasOwn(groups, id) ? groups[id] : undefined;
}

/** @param within the groups that are already being resolved: a group among them never matches, which ends cycles */
function inSavedGroup(reference: unknown, surroundings: Surroundings, within: readonly string[]): Condition {
  if (!isObject(reference)) return never;
  const { id, attributeKey } = reference;
  if (typeof id !== 'string' || within.includes(id)) return never;
  if (attributeKey !== undefined && typeof attributeKey !== 'string') return never;
  const group = groupOf(surroundings.savedGroups, id);
  if (!isObject(group)) return never;
  if (group['type'] === 'condition' && isObject(group['condition']))
    return compileCondition(group['condition'], surroundings, [...within, id]);
  const key = attributeKey ?? group['attributeKey'];
  if (group['type'] !== 'list' || typeof key !== 'string' || !Array.isArray(group['values'])) return never;
  return at(key, isIn(group['values']), surroundings);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOperators(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return ['string', 'number', 'boolean', 'object'].includes(typeof value) ? typeof value : 'unknown';
}
