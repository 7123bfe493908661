/**
 * A condition as the builder shows it. Reading and writing any condition of GrowthBook's format leaves it
 * equal: a part for which the builder has no fields becomes a `json` part.
 */
export type ConditionNode = ConditionGroup | ConditionRow | ConditionJson;

/** `fields`: all children hold, written as one object; `$not`: not all children hold. */
export type Join = 'fields' | '$and' | '$or' | '$nor' | '$not';
export type ConditionGroup = { kind: 'group'; join: Join; children: readonly ConditionNode[] };
export type ConditionRow = { kind: 'row'; attribute: string; operator: Operator; operand: unknown };
/** A condition, or one entry of a condition, as JSON. */
export type ConditionJson = { kind: 'json'; json: unknown };

type Json = Record<string, unknown>;

const text = (operand: unknown) => typeof operand === 'string';
const scalar = (operand: unknown) => ['string', 'number', 'boolean'].includes(typeof operand);
const ordered = (operand: unknown) => text(operand) || typeof operand === 'number';
const list = (operand: unknown) =>
  Array.isArray(operand) && (operand.every(text) || operand.every((each) => typeof each === 'number'));

/**
 * The builder's operators, each with a check for the operands that it has fields for. `is` is a value without
 * an operator, `unset` is null, `contains` is `{"$elemMatch": {"$eq": …}}`; `segment` and `notSegment` have no
 * attribute and are `{"$savedGroup": {"id": …}}` and its `$not`; the others are GrowthBook's.
 */
const operands = {
  is: scalar,
  $eq: scalar,
  $ne: scalar,
  $in: list,
  $nin: list,
  $ini: list,
  $nini: list,
  contains: scalar,
  $all: list,
  $alli: list,
  $gt: ordered,
  $gte: ordered,
  $lt: ordered,
  $lte: ordered,
  $veq: text,
  $vne: text,
  $vgt: text,
  $vgte: text,
  $vlt: text,
  $vlte: text,
  $regex: text,
  $regexi: text,
  $exists: (operand: unknown) => typeof operand === 'boolean',
  unset: (operand: unknown) => operand === null,
  $size: (operand: unknown) => typeof operand === 'number',
  $type: text,
  $inGroup: text,
  $notInGroup: text,
  segment: text,
  notSegment: text,
} satisfies Record<string, (operand: unknown) => boolean>;

export type Operator = keyof typeof operands;
export const operators = Object.keys(operands) as Operator[];

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The node of a whole condition. */
export function nodeOf(condition: unknown): ConditionNode {
  if (!isObject(condition)) return { kind: 'json', json: condition };
  const [first, ...others] = Object.entries(condition);
  const group =
    first === undefined || others.length > 0 || segmentRow(...first) !== null ? null : groupOf(...first);
  return group ?? { kind: 'group', join: 'fields', children: childrenOf(condition) };
}

/** The condition of a node. */
export function conditionOf(node: ConditionNode): unknown {
  if (node.kind === 'json') return node.json;
  if (node.kind === 'row') return fieldOf(node);
  const { join, children } = node;
  if (join === 'fields') return allOf(children);
  if (join === '$not') return { $not: allOf(children) };
  return { [join]: children.map(conditionOf) };
}

/** The row of `{"$savedGroup": {"id": …}}` with no other members, or of its `$not`; null for anything else. */
function segmentRow(name: string, value: unknown): ConditionRow | null {
  const isNot = name === '$not' && isObject(value) && Object.keys(value).join() === '$savedGroup';
  const named = isNot ? value['$savedGroup'] : name === '$savedGroup' ? value : null;
  if (!isObject(named) || Object.keys(named).join() !== 'id' || !text(named['id'])) return null;
  return { kind: 'row', attribute: '', operator: isNot ? 'notSegment' : 'segment', operand: named['id'] };
}

function groupOf(name: string, value: unknown): ConditionGroup | null {
  if (name === '$not')
    return isObject(value) ? { kind: 'group', join: name, children: childrenOf(value) } : null;
  if (name !== '$and' && name !== '$or' && name !== '$nor') return null;
  if (!Array.isArray(value) || !value.every(isObject)) return null;
  return { kind: 'group', join: name, children: value.map(memberOf) };
}

/** The node of a list's member; an object with only one field becomes the node of that field. */
function memberOf(condition: Json): ConditionNode {
  const node = nodeOf(condition);
  const [only] =
    node.kind === 'group' && node.join === 'fields' && node.children.length === 1 ? node.children : [];
  return only ?? node;
}

function childrenOf(condition: Json): ConditionNode[] {
  return Object.entries(condition).flatMap(([name, value]): ConditionNode[] => {
    const segment = segmentRow(name, value);
    if (segment !== null) return [segment];
    const group = groupOf(name, value);
    if (group !== null) return [group];
    return (name.startsWith('$') ? null : rowsOf(name, value)) ?? [{ kind: 'json', json: { [name]: value } }];
  });
}

/** One row for each operator of an attribute; null if the builder has no fields for one of the operators. */
function rowsOf(attribute: string, value: unknown): ConditionRow[] | null {
  const row = (operator: Operator, operand: unknown): ConditionRow | null =>
    operands[operator](operand) ? { kind: 'row', attribute, operator, operand } : null;
  if (!isObject(value)) {
    const only = row(value === null ? 'unset' : 'is', value);
    return only === null ? null : [only];
  }
  const rows = Object.entries(value).map(([name, operand]) => {
    if (name === '$elemMatch' && isObject(operand) && Object.keys(operand).join() === '$eq')
      return row('contains', operand['$eq']);
    return name.startsWith('$') && Object.hasOwn(operands, name) ? row(name as Operator, operand) : null;
  });
  return rows.length > 0 && rows.every((each) => each !== null) ? rows : null;
}

function fieldOf({ attribute, operator, operand }: ConditionRow): Json {
  if (operator === 'is' || operator === 'unset') return { [attribute]: operand };
  if (operator === 'segment') return { $savedGroup: { id: operand } };
  if (operator === 'notSegment') return { $not: { $savedGroup: { id: operand } } };
  return {
    [attribute]: operator === 'contains' ? { $elemMatch: { $eq: operand } } : { [operator]: operand },
  };
}

/** Joins all children in one object, or in `$and` if two of them would have the same name. */
function allOf(children: readonly ConditionNode[]): unknown {
  const fields: Json = {};
  const byRows = new Set<string>();
  for (const child of children) {
    const condition = conditionOf(child);
    if (!isObject(condition)) return separately(children);
    for (const [name, value] of Object.entries(condition)) {
      const before = fields[name];
      if (!Object.hasOwn(fields, name)) put(fields, name, value);
      // Two operators of the same attribute are joined in one object.
      else if (child.kind === 'row' && byRows.has(name) && canJoin(before, value))
        put(fields, name, { ...before, ...(value as Json) });
      else return separately(children);
      if (child.kind === 'row') byRows.add(name);
    }
  }
  return fields;
}

/** Sets a field; an assignment would lose a field named `__proto__`. */
function put(fields: Json, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function separately(children: readonly ConditionNode[]): unknown {
  return { $and: children.map(conditionOf) };
}

function canJoin(one: unknown, other: unknown): one is Json {
  return isObject(one) && isObject(other) && Object.keys(other).every((name) => !Object.hasOwn(one, name));
}

/** Whether an operator asks about the whole person, and not about an attribute. */
export function namesSegment(operator: Operator): boolean {
  return operator === 'segment' || operator === 'notSegment';
}

/** The kind of field in which an operand is typed. */
export type OperandKind = 'list' | 'text' | 'number' | 'truth' | 'none' | 'scalar' | 'segment';

export function operandKind(operator: Operator): OperandKind {
  if (operands[operator] === list) return 'list';
  if (operator === '$exists') return 'truth';
  if (operator === 'unset') return 'none';
  if (operator === '$size') return 'number';
  if (namesSegment(operator) || operator === '$inGroup' || operator === '$notInGroup') return 'segment';
  return operands[operator] === text ? 'text' : 'scalar';
}

/** The row with another operator; its operand stays as far as the new operator accepts it. */
export function withOperator(row: ConditionRow, operator: Operator): ConditionRow {
  const { operand } = row;
  const first: unknown = Array.isArray(operand) ? operand[0] : operand;
  const wanted = {
    list: Array.isArray(operand)
      ? operand
      : scalar(first) && typeof first !== 'boolean' && first !== ''
        ? [first]
        : [],
    text: scalar(first) ? String(first) : '',
    number: 1,
    truth: true,
    none: null,
    segment: operandKind(row.operator) === 'segment' ? operand : '',
    scalar: scalar(first) ? first : '',
  }[operandKind(operator)];
  const fits = operands[operator](wanted);
  // A segment has no attribute.
  const attribute = namesSegment(operator) ? '' : namesSegment(row.operator) ? 'id' : row.attribute;
  return { ...row, attribute, operator, operand: fits ? wanted : String(wanted) };
}

/** A new row that is not filled in yet, so it matches no one. */
export const emptyRow: ConditionRow = { kind: 'row', attribute: 'id', operator: '$in', operand: [] };
