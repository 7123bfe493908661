/** One place in JSON where two states differ; undefined: absent. */
export type Difference = { path: readonly string[]; before: unknown; after: unknown };

/**
 * The places where two JSON values differ. Objects are compared field by field, lists of equal length item by
 * item. A list that has grown or shrunk, or a list of plain values, is one difference.
 */
export function differences(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  if (sameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      differences(fieldOf(before, name), fieldOf(after, name), [...path, name]),
    );
  }
  if (
    Array.isArray(before) &&
    Array.isArray(after) &&
    before.length === after.length &&
    ![...(before as unknown[]), ...(after as unknown[])].every(isPlain)
  ) {
    return before.flatMap((item: unknown, index) =>
      differences(item, after[index], [...path, String(index)]),
    );
  }
  return [{ path, before, after }];
}

/**
 * The fields of an object, and the fields of nested objects by their paths. A nested object whose keys are not
 * names of fields, such as a condition with operators, stays whole, and so do lists.
 */
export function fieldsOf(
  value: unknown,
  path: readonly string[] = [],
): { path: readonly string[]; value: unknown }[] {
  if (!isObject(value) || (path.length > 0 && !hasNamesAlone(value))) return [{ path, value }];
  return Object.entries(value).flatMap(([name, part]) => fieldsOf(part, [...path, name]));
}

function hasNamesAlone(value: unknown): boolean {
  if (!isObject(value)) return true;
  const parts = Object.entries(value);
  return (
    parts.length > 0 && parts.every(([name, part]) => /^[a-z][A-Za-z]*$/.test(name) && hasNamesAlone(part))
  );
}

/** Whether two values are the same as JSON, whatever the order of fields. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
    );
  }
  return one === other;
}

/** A plain object, as JSON has them. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text, number, yes or no, or nothing. */
export function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function fieldOf(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
