import * as z from 'zod/mini';
import type { Route, Schema } from '#contract/route.ts';

/** JSON Schema as `z.toJSONSchema` writes it, as far as the contract uses it. */
type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  /** `false`: no others; a schema: that of each member, whatever its name. */
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  anyOf?: JsonSchema[];
  /** Distinguished by one field. */
  oneOf?: JsonSchema[];
};

/** A value that is right but for one thing, and where (RFC 6901). */
export type Mistake = { what: string; value: unknown; pointer: string };

/** How many bytes a route takes. */
export function bodyLimitOf({ bodyLimit = 262_144 }: Route): number {
  return bodyLimit;
}

function jsonSchema(schema: Schema): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** A value that fits the schema, made from it. */
export function sampleOf(schema: Schema): unknown {
  return sample(jsonSchema(schema));
}

/** Every mistake that can be made in a value of this schema, one at a time. */
export function mistakesIn(schema: Schema): Mistake[] {
  return mistakes(jsonSchema(schema), '');
}

/**
 * The names of an object schema's fields, and for each the texts that do not fit it, as a query or a path
 * would carry them.
 */
export function badTexts(schema: Schema): { name: string; text: string }[] {
  return Object.entries(jsonSchema(schema).properties ?? {}).flatMap(([name, field]) =>
    [
      '',
      ' ',
      'x',
      '-1',
      '0',
      '1.5',
      '201',
      '1e999',
      '%',
      '../x',
      'a\u0000b',
      '\u202e',
      'é'.repeat(20),
      ...tooLong(field),
    ].map((text) => ({ name, text })),
  );
}

function sample(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.some((one) => one.type === 'null') === true) return null;
  if (schema.anyOf !== undefined) return sample(schema.anyOf[0] ?? {});
  if (schema.oneOf !== undefined) return sample(schema.oneOf[0] ?? {});
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) === true)
          .map(([name, field]) => [name, sample(field)]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    default:
      // A boolean, or anything at all.
      return true;
  }
}

function sampleText({ pattern, minLength = 1 }: JsonSchema): string {
  const fits = new RegExp(pattern ?? '', 'u');
  const candidates = [
    'sample',
    'SAMPLE',
    'sample-sample-sample-sample',
    '1',
    'https://example.org',
    '/sample',
    '+49 30 123456',
    '2050-06-01T12:00',
    '03:00',
    'a'.repeat(32),
    'somebody@example.org',
  ];
  const text = candidates.find((one) => one.length >= minLength && fits.test(one));
  if (text === undefined)
    throw new Error(`No sample fits ${pattern ?? ''} with ${minLength} characters: add one.`);
  return text;
}

function mistakes(schema: JsonSchema, pointer: string): Mistake[] {
  const wrong = (what: string, value: unknown): Mistake => ({
    what: `${pointer || 'the body'} ${what}`,
    value,
    pointer,
  });
  const isNullable = schema.anyOf?.some((one) => one.type === 'null') === true;
  const inner = isNullable ? (schema.anyOf?.find((one) => one.type !== 'null') ?? {}) : schema;
  if (inner.enum !== undefined || inner.const !== undefined) {
    return [
      ...typeMistakes(inner, isNullable).map(([what, value]) => wrong(what, value)),
      wrong('not a choice', 'no such choice'),
    ];
  }
  const types = typeMistakes(inner, isNullable).map(([what, value]) => wrong(what, value));
  // For a choice between schemas: the mistakes that are wrong for all of them.
  const choices = inner.anyOf?.map((one) => mistakes(one, pointer));
  if (choices !== undefined) return inEach(choices);
  switch (inner.type) {
    case 'object':
      return [...types, ...objectMistakes(inner, pointer), ...recordMistakes(inner, pointer)];
    case 'array':
      return [...types, ...arrayMistakes(inner, pointer, wrong)];
    case 'string':
      return [...types, ...textMistakes(inner, wrong)];
    case 'integer':
    case 'number':
      return [...types, ...numberMistakes(inner, wrong)];
    default:
      return types;
  }
}

type Wrong = (what: string, value: unknown) => Mistake;

function typeMistakes(
  { type, enum: choices }: JsonSchema,
  isNullable: boolean,
): [what: string, value: unknown][] {
  if (type === undefined && choices === undefined) return [];
  const values: [name: string, value: unknown, types: string[]][] = [
    ['a text', 'text', ['string']],
    ['a number', 7, ['number', 'integer']],
    ['a boolean', true, ['boolean']],
    ['a list', [], ['array']],
    ['an object', {}, ['object']],
    ...(isNullable ? [] : [['null', null, ['null']] satisfies [string, unknown, string[]]]),
  ];
  return values
    .filter(([, , types]) => !types.includes(type ?? 'string'))
    .map(([name, value]) => [`${name} instead`, value]);
}

function objectMistakes(schema: JsonSchema, pointer: string): Mistake[] {
  const whole = sample(schema) as Record<string, unknown>;
  const fields = Object.entries(schema.properties ?? {});
  const inFields = fields.flatMap(([name, field]) =>
    mistakes(field, `${pointer}/${name}`).map((each) => ({
      ...each,
      value: { ...whole, [name]: each.value },
    })),
  );
  const missing = (schema.required ?? [])
    // A field that accepts anything also accepts a missing value.
    .filter((name) => Object.keys(schema.properties?.[name] ?? {}).length > 0)
    .map((name) => {
      const { [name]: _left, ...rest } = whole;
      return { what: `${pointer}/${name} missing`, value: rest, pointer: `${pointer}/${name}` };
    });
  const unknown =
    schema.additionalProperties === false
      ? ['notAField', '__proto', 'constructor'].map((name) => ({
          what: `${pointer}/${name} unknown`,
          value: { ...whole, [name]: 1 },
          pointer: `${pointer}/${name}`,
        }))
      : [];
  return [...inFields, ...missing, ...unknown];
}

/** Mistakes in the members of an object that may have any names. */
function recordMistakes(
  { additionalProperties: each, propertyNames }: JsonSchema,
  pointer: string,
): Mistake[] {
  if (typeof each !== 'object') return [];
  const inMembers = mistakes(each, `${pointer}/name`).map((mistake) => ({
    ...mistake,
    value: { name: mistake.value },
  }));
  const inNames = tooLong(propertyNames ?? {}).map((name) => ({
    what: `${pointer} name too long`,
    value: { [name]: sample(each) },
    pointer: `${pointer}/${name}`,
  }));
  return [...inMembers, ...inNames];
}

function inEach([first = [], ...others]: readonly Mistake[][]): Mistake[] {
  return first.filter(({ what }) => others.every((other) => other.some((mistake) => mistake.what === what)));
}

function arrayMistakes({ items = {}, maxItems }: JsonSchema, pointer: string, wrong: Wrong): Mistake[] {
  const good = sample(items);
  const inItems = mistakes(items, `${pointer}/0`).map((each) => ({ ...each, value: [each.value] }));
  return maxItems === undefined
    ? inItems
    : [
        ...inItems,
        wrong(
          'too many',
          Array.from({ length: maxItems + 1 }, () => good),
        ),
      ];
}

function textMistakes(schema: JsonSchema, wrong: Wrong): Mistake[] {
  const { minLength = 0, pattern, format } = schema;
  return [
    ...tooLong(schema).map((text) => wrong('too long', text)),
    ...(minLength > 0 ? [wrong('too short', 'x'.repeat(minLength - 1))] : []),
    ...(pattern === undefined || format !== undefined ? [] : [wrong('of another form', '/ ? \u0000')]),
  ];
}

function tooLong({ type, maxLength, pattern, format }: JsonSchema): string[] {
  if (type !== 'string') return [];
  if (maxLength !== undefined) return ['x'.repeat(maxLength + 1)];
  return pattern === undefined && format === undefined ? [] : ['x'.repeat(2_000)];
}

function numberMistakes({ type, minimum, maximum }: JsonSchema, wrong: Wrong): Mistake[] {
  return [
    ...(type === 'integer' ? [wrong('broken', 1.5)] : []),
    ...(minimum === undefined ? [] : [wrong('too small', minimum - 1)]),
    ...(maximum === undefined ? [] : [wrong('too large', maximum * 2)]),
  ];
}
