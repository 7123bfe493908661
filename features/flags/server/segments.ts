import type { FeatureDefinition, FeatureDefinitions, FeatureRule } from '@growthbook/growthbook';
import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';
import type { Segment, SegmentUse } from '#features/flags/contract/segments.ts';
import { isObject, type Group } from './condition.ts';

/** The values of lists by the ids of the segments, like `savedGroups` of the payload. */
export type Lists = Record<string, (string | number)[]>;

/** The ids of segments that a condition or a rule names; an id is repeated each time it is named. */
export function namedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namedIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === '$inGroup' || key === '$notInGroup') return typeof each === 'string' ? [each] : [];
    if (key === '$savedGroup') return isObject(each) && typeof each['id'] === 'string' ? [each['id']] : [];
    return namedIn(each);
  });
}

/** The conditions of rules, including those on prerequisites, without the values that the rules give. */
export function conditionsOf(rules: readonly FlagRule[]): unknown[] {
  return rules.flatMap(({ condition, parentConditions }) => [
    condition,
    ...(Array.isArray(parentConditions)
      ? parentConditions.map((parent: unknown) => isObject(parent) && parent['condition'])
      : []),
  ]);
}

/** The parts of a segment that decide how it is written into a rule. */
export type GroupSource = Pick<Segment, 'id' | 'name' | 'kind' | 'attribute' | 'condition'>;

/** The data of segments for checking rules, by id. */
export function groupsOf(segments: readonly GroupSource[]): Map<string, Group> {
  const byId = new Map(segments.map((one) => [one.id, one]));
  const groups = new Map<string, Group>();

  function groupOf(segment: GroupSource, within: readonly string[]): Group {
    const { id, kind, condition } = segment;
    const known = groups.get(id);
    if (known !== undefined) return known;
    if (within.includes(id)) return { kind, bytes: Infinity, levels: 0 };
    const inner = namedIn(condition).flatMap((name) => {
      const named = byId.get(name);
      return named === undefined ? [] : [groupOf(named, [...within, id])];
    });
    const own = kind === 'list' ? segment.attribute : condition;
    const group = {
      kind,
      bytes: inner.reduce((sum, { bytes }) => sum + bytes, Buffer.byteLength(JSON.stringify(own))),
      levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    };
    groups.set(id, group);
    return group;
  }

  for (const one of segments) groupOf(one, []);
  return groups;
}

/** The bytes that conditions gain when the segments that they name are written out. */
export function writtenBytes(
  conditions: readonly unknown[],
  groups: ReadonlyMap<string, Pick<Group, 'bytes'>>,
): number {
  return namedIn(conditions).reduce((sum, id) => sum + (groups.get(id)?.bytes ?? 0), 0);
}

/** First the flags that use a segment, directly or through other segments; then the segments that name it. */
export function segmentUses(
  id: string,
  flags: readonly Pick<Flag, 'key' | 'enabled' | 'rules'>[],
  segments: readonly Segment[],
): SegmentUse[] {
  const ids = new Set([id]);
  for (let before = 0; before < ids.size;) {
    before = ids.size;
    for (const one of segments) if (namedIn(one.condition).some((name) => ids.has(name))) ids.add(one.id);
  }
  return [
    ...flags
      .filter(({ rules }) => namedIn(conditionsOf(rules)).some((name) => ids.has(name)))
      .map(({ key, enabled }) => ({ kind: 'flag' as const, id: key, name: key, enabled })),
    ...segments
      .filter(({ condition }) => namedIn(condition).includes(id))
      .map((one) => ({ kind: 'segment' as const, id: one.id, name: one.name, enabled: true })),
  ];
}

/**
 * Writes segments into conditions in the form that every SDK knows: a condition replaces its name, and a list
 * becomes `$inGroup` of its attribute. A condition that names no segment stays unchanged.
 *
 * @param lists if given, `$inGroup` and `$notInGroup` become `$in` and `$nin`, for SDKs that do not know groups
 */
export function createWriter(segments: readonly Segment[], lists: Lists | null = null) {
  const byId = new Map(segments.map((one) => [one.id, one]));

  function ofGroup(reference: unknown): unknown {
    if (!isObject(reference)) return null;
    const { id, attributeKey } = reference;
    const segment = byId.get(id as string);
    if (segment === undefined) return null;
    if (segment.kind === 'condition') return ofCondition(segment.condition);
    return ofCondition({ [(attributeKey as string | undefined) ?? segment.attribute]: { $inGroup: id } });
  }

  function ofCondition(condition: unknown, inList = false): unknown {
    if (!isObject(condition)) return condition;
    const { $savedGroup: reference, ...others } = condition;
    const group = ofGroup(reference);
    const written = mapped(group === null ? condition : others, (key, value) => {
      if (key === '$and' || key === '$or' || key === '$nor')
        return Array.isArray(value) ? value.map((each) => ofCondition(each)) : value;
      if (key === '$not') return ofCondition(value);
      return key === '$savedGroup' ? value : ofExpectation(value);
    });
    if (group === null) return written;
    if (Object.keys(written).length === 0) return group;
    // SDKs before 1.0.1 ignore what is next to `$and`. In `$elemMatch`, `$and` alone would be read as an operator.
    if (!inList) return { $and: [written, group] };
    return { ...written, $and: [...((written['$and'] as unknown[] | undefined) ?? []), group] };
  }

  function ofExpectation(expected: unknown): unknown {
    if (!isOperators(expected)) return expected;
    const { $inGroup, $notInGroup, ...others } = expected;
    const written = mapped(others, (operator, operand) => {
      if (operator === '$not' || operator === '$size') return ofExpectation(operand);
      if (operator === '$elemMatch')
        return isOperators(operand) ? ofExpectation(operand) : ofCondition(operand, true);
      const isList = (operator === '$all' || operator === '$alli') && Array.isArray(operand);
      return isList ? operand.map(ofExpectation) : operand;
    });
    for (const [operator, id] of Object.entries({ $inGroup, $notInGroup })) {
      if (id === undefined) continue;
      const values = lists !== null && Object.hasOwn(lists, id as string) ? lists[id as string] : undefined;
      if (values === undefined) written[operator] = id;
      else if (operator === '$notInGroup') {
        const { $nin = [] } = written;
        written['$nin'] = Array.isArray($nin) ? [...($nin as unknown[]), ...values] : $nin;
      } else if (!Object.hasOwn(written, '$in')) written['$in'] = values;
      else {
        // An object can have only one `$in`, so the second one is written as a double negation.
        const { $not } = written;
        written['$not'] = { $not: { $in: values, ...($not === undefined ? {} : { $not }) } };
      }
    }
    return written;
  }

  function ofRule(rule: FeatureRule): FeatureRule {
    const { condition, parentConditions } = rule;
    return {
      ...rule,
      ...(condition === undefined ? {} : { condition: ofCondition(condition) as typeof condition }),
      ...(Array.isArray(parentConditions)
        ? {
            parentConditions: parentConditions.map((parent) =>
              isObject(parent) && 'condition' in parent
                ? { ...parent, condition: ofCondition(parent.condition) as typeof parent.condition }
                : parent,
            ),
          }
        : {}),
    };
  }

  return (definition: FeatureDefinition): FeatureDefinition => {
    const { rules } = definition;
    // A flag that names no segment is sent unchanged.
    if (rules === undefined || namedIn(conditionsOf(rules as FlagRule[])).length === 0) return definition;
    return { ...definition, rules: rules.map(ofRule) };
  };
}

/** The lists that the rules of flags name, with their values. */
export function listsIn(features: FeatureDefinitions, lists: Lists): Lists {
  const named = Object.values(features).flatMap(({ rules = [] }) =>
    namedIn(conditionsOf(rules as FlagRule[])),
  );
  return Object.fromEntries(
    [...new Set(named)].toSorted().flatMap((id) => {
      const values = Object.hasOwn(lists, id) ? lists[id] : undefined;
      return values === undefined ? [] : [[id, values]];
    }),
  );
}

function isOperators(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
}

function mapped(
  of: Record<string, unknown>,
  each: (key: string, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, each(key, value)]));
}
