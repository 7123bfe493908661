import type { FieldProblem } from '#contract/problem.ts';
import { pointer } from '#server/platform/http/validation.ts';
import { regexProblem } from './regex-cost.ts';
import type { SegmentKind } from '#features/flags/contract/segments.ts';

/** Collects what the checks find, each with its place as a path into the body. */
export type Findings = {
  /** A part that is refused. */
  add(path: Path, code: string, message: string): void;
  /** A part that is accepted, but evaluated differently from how it reads. */
  warn(path: Path, code: string, message: string): void;
  readonly found: FieldProblem[];
  readonly warnings: FieldProblem[];
  /** The regular expressions that were seen, and their total number of characters. */
  readonly regexes: { seen: Set<string>; characters: number };
};

export type Path = readonly PropertyKey[];

/** The data about a segment that the checks of rules need. */
export type Group = {
  kind: SegmentKind;
  /** The bytes that a rule gains when the segment and those in it are written out; Infinity if it is in a cycle. */
  bytes: number;
  /** How deep segments are nested in the segment. */
  levels: number;
};

/** The existing segments by id. */
export type SavedGroups = ReadonlyMap<string, Pick<Group, 'kind' | 'bytes'>>;

const mostFindings = 50;
const deepest = 20;
const longestPath = 200;
/** A limit, since the SDK parses a version with regular expressions at each evaluation. */
const longestVersion = 200;
/**
 * The limit for the characters of all regular expressions of a flag. Checking one of them for exponential time
 * can block the event loop for about fifty milliseconds.
 */
const mostOfRegexes = 5_000;
const scalarTypes = new Set(['string', 'number', 'boolean']);
const typeNames: unknown[] = ['string', 'number', 'boolean', 'array', 'object', 'null', 'undefined'];

export function createFindings(): Findings {
  const addTo = (list: FieldProblem[]) => (path: Path, code: string, message: string) => {
    if (list.length < mostFindings) list.push({ pointer: pointer(path), code, message });
  };
  const found: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const regexes = { seen: new Set<string>(), characters: 0 };
  return { found, warnings, regexes, add: addTo(found), warn: addTo(warnings) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is nested deeper than `levels`. Stops there: a body may be nested deeper than the stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
}

/**
 * Checks a condition as GrowthBook's SDK 1.8 evaluates it (`mongrule.ts`). Parts that make the SDK throw or
 * that take long are refused. Other mistakes, with which the SDK matches no person or every person, are only
 * warnings: a newer SDK may know an operator that is unknown here.
 */
export function checkCondition(
  condition: unknown,
  path: Path,
  savedGroups: SavedGroups,
  findings: Findings,
): void {
  if (!isObject(condition)) return findings.add(path, 'type', 'must be a condition, an object');
  if (path.length > deepest) return findings.add(path, 'too_big', 'is nested too deeply');
  for (const [key, value] of Object.entries(condition)) {
    const here = [...path, key];
    if (key === '$and' || key === '$or' || key === '$nor') {
      if (!Array.isArray(value)) findings.add(here, 'type', 'must be a list of conditions');
      else value.forEach((each, index) => checkCondition(each, [...here, index], savedGroups, findings));
    } else if (key === '$not') {
      checkCondition(value, here, savedGroups, findings);
    } else if (key === '$savedGroup') {
      checkGroupReference(value, here, savedGroups, findings);
    } else if (key === '' || key.length > longestPath) {
      findings.add(here, 'format', `must be the name of an attribute, of at most ${longestPath} characters`);
    } else {
      if (key.startsWith('$')) {
        findings.warn(
          here,
          'attribute',
          'is the name of an attribute here; operators stand inside an attribute',
        );
      }
      checkExpectation(value, here, savedGroups, findings);
    }
  }
}

/** Whether the SDK reads an object as operators, and not as a value or a condition. */
function isOperators(value: Record<string, unknown>): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
}

/** Checks what an attribute is compared with: a value or operators. */
function checkExpectation(expected: unknown, path: Path, savedGroups: SavedGroups, findings: Findings): void {
  if (path.length > deepest) return findings.add(path, 'too_big', 'is nested too deeply');
  if (!isObject(expected)) return;
  if (isOperators(expected)) {
    for (const [key, operand] of Object.entries(expected)) {
      checkOperator(key, operand, [...path, key], savedGroups, findings);
    }
  } else if (Object.keys(expected).some((key) => key.startsWith('$'))) {
    findings.warn(path, 'mixed', 'holds more than operators, and so is compared as a mere value');
  }
}

function checkOperator(
  operator: string,
  operand: unknown,
  path: Path,
  savedGroups: SavedGroups,
  findings: Findings,
): void {
  switch (operator) {
    case '$eq':
    case '$ne':
      if (!isScalar(operand))
        findings.warn(path, 'type', 'equals nothing: it is no text, number, true, false or null');
      return;
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      checkBound(operand, path, findings);
      return;
    case '$veq':
    case '$vne':
    case '$vgt':
    case '$vgte':
    case '$vlt':
    case '$vlte':
      if (typeof operand === 'string' && operand.length > longestVersion)
        findings.add(path, 'too_big', `must have at most ${longestVersion} characters`);
      else if (typeof operand !== 'number' && (typeof operand !== 'string' || operand === ''))
        findings.warn(path, 'type', 'is no version such as "1.4.0", and counts as 0');
      return;
    case '$in':
    case '$nin':
    case '$ini':
    case '$nini':
      if (!Array.isArray(operand)) findings.warn(path, 'type', 'is no list of values, and so matches no one');
      else if (!operand.every(isScalar)) findings.warn(path, 'type', 'has entries that equal nothing');
      return;
    case '$all':
    case '$alli':
      if (!Array.isArray(operand)) findings.warn(path, 'type', 'is no list, and so matches no one');
      else operand.forEach((each, index) => checkExpectation(each, [...path, index], savedGroups, findings));
      return;
    case '$inGroup':
    case '$notInGroup':
      if (typeof operand !== 'string') findings.add(path, 'type', 'must be the id of a segment');
      else if (!savedGroups.has(operand)) findings.add(path, 'unknown', noSegment);
      else if (savedGroups.get(operand)?.kind === 'condition')
        findings.add(path, 'type', 'is a segment by a condition: name it by `$savedGroup`');
      return;
    case '$exists':
      if (typeof operand !== 'boolean')
        findings.warn(path, 'type', `counts as ${operand ? 'true' : 'false'}`);
      return;
    case '$type':
      if (!typeNames.includes(operand))
        findings.warn(path, 'invalid', `matches no one: it is none of ${typeNames.join(', ')}`);
      return;
    case '$regex':
    case '$regexi':
      checkRegex(operand, path, findings);
      return;
    case '$size':
      if (typeof operand !== 'number' && !isObject(operand))
        findings.warn(path, 'type', 'is neither a number nor operators');
      checkExpectation(operand, path, savedGroups, findings);
      return;
    case '$elemMatch':
      // The operand is either operators for each entry, or a condition on the fields of each entry.
      if (isObject(operand) && isOperators(operand)) checkExpectation(operand, path, savedGroups, findings);
      else checkCondition(operand, path, savedGroups, findings);
      return;
    case '$not':
      checkExpectation(operand, path, savedGroups, findings);
      return;
    default:
      findings.warn(path, 'unknown', 'is no operator that is known here, and so matches no one');
  }
}

/** Checks the operand of an order comparison. JSON can hold `{"toString": 1}`, which JavaScript cannot compare. */
function checkBound(operand: unknown, path: Path, findings: Findings): void {
  if (typeof operand === 'string' || typeof operand === 'number') return;
  if (isComparable(operand)) findings.warn(path, 'type', 'is neither a text nor a number');
  else findings.add(path, 'type', 'must be a text or a number');
}

function isComparable(value: unknown): boolean {
  try {
    void Number(value);
    return true;
  } catch {
    return false;
  }
}

function checkRegex(pattern: unknown, path: Path, findings: Findings): void {
  if (typeof pattern !== 'string') return findings.add(path, 'type', 'must be a regular expression');
  const { regexes } = findings;
  if (!regexes.seen.has(pattern)) regexes.characters += pattern.length;
  regexes.seen.add(pattern);
  if (regexes.characters > mostOfRegexes) {
    const message = `must have at most ${mostOfRegexes} characters with all regular expressions before it`;
    return findings.add(path, 'too_big', message);
  }
  const problem = regexProblem(pattern);
  if (problem?.code === 'format') findings.warn(path, 'format', `${problem.message}, and so matches no one`);
  else if (problem !== null) findings.add(path, problem.code, problem.message);
}

function checkGroupReference(
  reference: unknown,
  path: Path,
  savedGroups: SavedGroups,
  findings: Findings,
): void {
  if (!isObject(reference))
    return findings.warn(path, 'type', 'names no segment, {"id": …}, and so matches no one');
  const { id, attributeKey } = reference;
  for (const key of Object.keys(reference)) {
    if (key !== 'id' && key !== 'attributeKey') findings.warn([...path, key], 'unknown', unknownField);
  }
  if (typeof id !== 'string') findings.warn([...path, 'id'], 'type', 'is no text, and so matches no one');
  else if (!savedGroups.has(id)) findings.add([...path, 'id'], 'unknown', noSegment);
  if (attributeKey !== undefined && (typeof attributeKey !== 'string' || attributeKey.length > longestPath))
    findings.add([...path, 'attributeKey'], 'type', 'must be the name of an attribute');
}

/** The warning for an unknown field, which a later version of GrowthBook may know. */
export const unknownField = 'is not known here; it is kept, and passed on to clients as it is';

const noSegment = 'is not a segment here: make it with this id, or name another one';

function isScalar(value: unknown): boolean {
  return value === null || scalarTypes.has(typeof value);
}
