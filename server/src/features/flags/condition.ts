import type { FieldProblem } from '@portico/contract/problem';
import { pointer } from '../../platform/validation.ts';
import { regexProblem } from './regex-cost.ts';

/** Where the checks put what they find; the place is a path into the body. */
export type Findings = {
  add(path: readonly PropertyKey[], code: string, message: string): void;
  readonly found: FieldProblem[];
};

export type Path = readonly PropertyKey[];

const mostFindings = 50;
const deepest = 20;
const longestPath = 200;
const scalarTypes = new Set(['string', 'number', 'boolean']);
const typeNames = ['string', 'number', 'boolean', 'array', 'object', 'null', 'undefined'];

export function createFindings(): Findings {
  const found: FieldProblem[] = [];
  return {
    found,
    add(path, code, message) {
      if (found.length < mostFindings) found.push({ pointer: pointer(path), code, message });
    },
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Stops at the bound, since a body may be nested deeper than the stack is. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
}

/**
 * Checks a condition as GrowthBook's SDK 1.8 evaluates it (`mongrule.ts`): whatever it would silently take for "nobody"
 * or "everybody" is a mistake here.
 *
 * @param savedGroups ids of the groups that there are
 */
export function checkCondition(
  condition: unknown,
  path: Path,
  savedGroups: ReadonlySet<string>,
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
    } else if (key.startsWith('$')) {
      findings.add(here, 'unknown', 'is not an operator that can stand here');
    } else if (key === '' || key.length > longestPath) {
      findings.add(here, 'format', `must be the name of an attribute, of at most ${longestPath} characters`);
    } else {
      checkExpectation(value, here, savedGroups, findings);
    }
  }
}

/** What an attribute is compared with: a value, or operators. */
function checkExpectation(
  expected: unknown,
  path: Path,
  savedGroups: ReadonlySet<string>,
  findings: Findings,
): void {
  if (path.length > deepest) return findings.add(path, 'too_big', 'is nested too deeply');
  if (!isObject(expected)) return;
  const keys = Object.keys(expected);
  if (!keys.some((key) => key.startsWith('$'))) return;
  for (const key of keys) {
    const here = [...path, key];
    if (key.startsWith('$')) checkOperator(key, expected[key], here, savedGroups, findings);
    else
      findings.add(
        here,
        'unknown',
        'stands beside operators, which makes the whole a mere value; use operators only',
      );
  }
}

function checkOperator(
  operator: string,
  operand: unknown,
  path: Path,
  savedGroups: ReadonlySet<string>,
  findings: Findings,
): void {
  switch (operator) {
    case '$eq':
    case '$ne':
      if (!isScalar(operand)) findings.add(path, 'type', 'must be a text, a number, true, false or null');
      return;
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (typeof operand !== 'string' && typeof operand !== 'number')
        findings.add(path, 'type', 'must be a text or a number');
      return;
    case '$veq':
    case '$vne':
    case '$vgt':
    case '$vgte':
    case '$vlt':
    case '$vlte':
      if (typeof operand !== 'string' || operand === '')
        findings.add(path, 'type', 'must be a version such as "1.4.0"');
      return;
    case '$in':
    case '$nin':
    case '$ini':
    case '$nini':
      if (!Array.isArray(operand) || !operand.every(isScalar))
        findings.add(path, 'type', 'must be a list of values');
      return;
    case '$all':
    case '$alli':
      if (!Array.isArray(operand)) findings.add(path, 'type', 'must be a list');
      else operand.forEach((each, index) => checkExpectation(each, [...path, index], savedGroups, findings));
      return;
    case '$inGroup':
    case '$notInGroup':
      checkGroup(operand, path, savedGroups, findings);
      return;
    case '$exists':
      if (typeof operand !== 'boolean') findings.add(path, 'type', 'must be true or false');
      return;
    case '$type':
      if (!typeNames.includes(String(operand)))
        findings.add(path, 'invalid', `must be one of ${typeNames.join(', ')}`);
      return;
    case '$regex':
    case '$regexi':
      checkRegex(operand, path, findings);
      return;
    case '$size':
      if (typeof operand !== 'number' && !isObject(operand))
        findings.add(path, 'type', 'must be a number or operators');
      else checkExpectation(operand, path, savedGroups, findings);
      return;
    case '$elemMatch':
      if (isObject(operand) && Object.keys(operand).some((key) => isValueOperator(key))) {
        checkExpectation(operand, path, savedGroups, findings);
      } else {
        checkCondition(operand, path, savedGroups, findings);
      }
      return;
    case '$not':
      checkExpectation(operand, path, savedGroups, findings);
      return;
    default:
      findings.add(path, 'unknown', 'is not an operator of GrowthBook');
  }
}

/** Inside `$elemMatch` an object is either operators on each entry, or a condition on the fields of each. */
function isValueOperator(key: string): boolean {
  return key.startsWith('$') && !['$and', '$or', '$nor', '$savedGroup'].includes(key);
}

function checkRegex(pattern: unknown, path: Path, findings: Findings): void {
  if (typeof pattern !== 'string') return findings.add(path, 'type', 'must be a regular expression');
  const problem = regexProblem(pattern);
  if (problem !== null) findings.add(path, problem.code, problem.message);
}

function checkGroupReference(
  reference: unknown,
  path: Path,
  savedGroups: ReadonlySet<string>,
  findings: Findings,
): void {
  if (!isObject(reference)) return findings.add(path, 'type', 'must name a saved group: {"id": …}');
  for (const key of Object.keys(reference)) {
    if (key !== 'id' && key !== 'attributeKey') findings.add([...path, key], 'unknown', 'is not known here');
  }
  checkGroup(reference['id'], [...path, 'id'], savedGroups, findings);
  const attribute = reference['attributeKey'];
  if (
    attribute !== undefined &&
    (typeof attribute !== 'string' || attribute === '' || attribute.length > longestPath)
  ) {
    findings.add([...path, 'attributeKey'], 'type', 'must be the name of an attribute');
  }
}

function checkGroup(id: unknown, path: Path, savedGroups: ReadonlySet<string>, findings: Findings): void {
  if (typeof id !== 'string') findings.add(path, 'type', 'must be the id of a saved group');
  else if (!savedGroups.has(id)) findings.add(path, 'unknown', 'is not a saved group');
}

function isScalar(value: unknown): boolean {
  return value === null || scalarTypes.has(typeof value);
}
