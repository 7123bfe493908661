/*
 * Replaces `zod/mini` in `portico.js` (`vite.embed.config.ts`): Zod would be half of the part before the report
 * dialog. It reads values by the contract's schemas and drops undeclared fields; for a wrong value it gives no
 * reason, since nothing there reads reasons. A test compares it with the original.
 */

/** The result of a schema for a value that does not fit it. */
const wrong = Symbol('wrong');

type Read = (value: unknown) => unknown;
/** A condition, or a change of the value; returns the value, or `wrong`. A schema can be a check too. */
type Check = ((value: never) => unknown) | { read: Read };
type Result = { success: true; data: unknown } | { success: false; data?: undefined; error: { issues: [] } };
type Small = {
  read: Read;
  /** The fields of an object, for `extend`. */
  shape?: Shape;
  /** The values of an enumeration. */
  options?: readonly string[];
  /** Whether the schema fills in an absent field. */
  fills?: boolean;
  check(...checks: Check[]): Small;
  safeParse(value: unknown): Result;
  parse(value: unknown): unknown;
  '~standard': { validate(value: unknown): { value: unknown; issues?: undefined } | { issues: [] } };
};
type Shape = Record<string, Small>;

/* @__NO_SIDE_EFFECTS__ */
function schema(read: Read, more: Partial<Small> = {}): Small {
  return {
    ...more,
    read,
    check: (...checks) =>
      schema(
        (value) =>
          checks.reduce((now: unknown, check) => {
            if (now === wrong) return wrong;
            return typeof check === 'function' ? check(now as never) : check.read(now);
          }, read(value)),
        more,
      ),
    safeParse(value) {
      const data = read(value);
      return data === wrong ? { success: false, error: { issues: [] } } : { success: true, data };
    },
    parse(value) {
      const data = read(value);
      if (data === wrong) throw new TypeError('A value does not fit its schema.');
      return data;
    },
    '~standard': {
      validate(value) {
        const data = read(value);
        return data === wrong ? { issues: [] } : { value: data };
      },
    },
  };
}

const when =
  (fits: (value: never) => boolean): Read =>
  (value) =>
    fits(value as never) ? value : wrong;

/* @__NO_SIDE_EFFECTS__ */
export const string = (): Small => schema(when((value) => typeof value === 'string'));
/* @__NO_SIDE_EFFECTS__ */
export const number = (): Small => schema(when((value) => Number.isFinite(value)));
/* @__NO_SIDE_EFFECTS__ */
export const int = (): Small => schema(when((value) => Number.isSafeInteger(value)));
/* @__NO_SIDE_EFFECTS__ */
export const boolean = (): Small => schema(when((value) => typeof value === 'boolean'));
/* @__NO_SIDE_EFFECTS__ */
export const unknown = (): Small => schema((value) => value);
/* @__NO_SIDE_EFFECTS__ */
export const literal = (wanted: unknown): Small => schema(when((value) => value === wanted));
/* @__NO_SIDE_EFFECTS__ */
const enumeration = (options: readonly string[]): Small =>
  schema(
    when((value: string) => options.includes(value)),
    { options },
  );
export { enumeration as enum };
/* @__NO_SIDE_EFFECTS__ */
export const nullable = (inner: Small): Small =>
  schema((value) => (value === null ? null : inner.read(value)));
/* @__NO_SIDE_EFFECTS__ */
export const optional = (inner: Small): Small =>
  schema((value) => (value === undefined ? undefined : inner.read(value)));
/* @__NO_SIDE_EFFECTS__ */
const withDefault = (inner: Small, otherwise: unknown): Small =>
  schema((value) => (value === undefined ? otherwise : inner.read(value)), { fills: true });
/* @__NO_SIDE_EFFECTS__ */
const withCatch = (inner: Small, otherwise: unknown): Small =>
  schema((value) => {
    const data = inner.read(value);
    return data === wrong ? otherwise : data;
  });
export { withCatch as catch, withDefault as _default };
/* @__NO_SIDE_EFFECTS__ */
export const array = (inner: Small): Small =>
  schema((value) => {
    if (!Array.isArray(value)) return wrong;
    const data = value.map((one) => inner.read(one));
    return data.includes(wrong) ? wrong : data;
  });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/* @__NO_SIDE_EFFECTS__ */
export function object(shape: Shape): Small {
  const fields = Object.entries(shape);
  return schema(
    (value) => {
      if (!isRecord(value)) return wrong;
      const data: Record<string, unknown> = {};
      for (const [name, field] of fields) {
        const read = field.read(value[name]);
        if (read === wrong) return wrong;
        if (name in value || field.fills === true) data[name] = read;
      }
      return data;
    },
    { shape },
  );
}
/* @__NO_SIDE_EFFECTS__ */
export function strictObject(shape: Shape): Small {
  const { read } = object(shape);
  return schema(
    (value) => (isRecord(value) && Object.keys(value).some((name) => !(name in shape)) ? wrong : read(value)),
    { shape },
  );
}
/* @__NO_SIDE_EFFECTS__ */
export const extend = (base: Small, shape: Shape): Small => object({ ...base.shape, ...shape });
/* @__NO_SIDE_EFFECTS__ */
export const record = (_keys: Small, inner: Small): Small =>
  schema((value) => {
    if (!isRecord(value)) return wrong;
    const data = Object.entries(value).map(([name, one]) => [name, inner.read(one)] as const);
    return data.some(([, one]) => one === wrong) ? wrong : Object.fromEntries(data);
  });
/* @__NO_SIDE_EFFECTS__ */
export const union = (options: readonly Small[]): Small =>
  schema((value) => {
    for (const option of options) {
      const data = option.read(value);
      if (data !== wrong) return data;
    }
    return wrong;
  });
/* @__NO_SIDE_EFFECTS__ */
export const discriminatedUnion = (_by: string, options: readonly Small[]): Small => union(options);
/* @__NO_SIDE_EFFECTS__ */
const coercedNumber = (): Small =>
  schema((value) => (Number.isFinite(Number(value)) ? Number(value) : wrong));
export const coerce = { number: coercedNumber };

/* @__NO_SIDE_EFFECTS__ */
export const overwrite =
  (change: (value: never) => unknown): Check =>
  (value) =>
    change(value);
/* @__NO_SIDE_EFFECTS__ */
export const refine = (fits: (value: never) => boolean): Check => when(fits);
/* @__NO_SIDE_EFFECTS__ */
export const regex = (pattern: RegExp): Check => when((value: string) => pattern.test(value));
/* @__NO_SIDE_EFFECTS__ */
export const minLength = (least: number): Check => when((value: string | unknown[]) => value.length >= least);
/* @__NO_SIDE_EFFECTS__ */
export const maxLength = (most: number): Check => when((value: string | unknown[]) => value.length <= most);
/* @__NO_SIDE_EFFECTS__ */
const least = (limit: number): Check => when((value: number) => value >= limit);
/* @__NO_SIDE_EFFECTS__ */
export const maximum = (most: number): Check => when((value: number) => value <= most);
export { least as minimum };
/* @__NO_SIDE_EFFECTS__ */
export const nonnegative = (): Check => least(0);
/* @__NO_SIDE_EFFECTS__ */
export const trim = (): Check => (value: string) => value.trim();
