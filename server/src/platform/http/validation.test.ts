import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { emailAddress } from '#contract/email-address.ts';
import { line } from '#contract/text.ts';
import { moment } from '#contract/wall-time.ts';
import { fieldProblems, pointer } from './validation.ts';

function problemsOf(
  schema: z.core.$ZodType,
  value: unknown,
): [pointer: string, code: string, message: string][] {
  const result = z.safeParse(schema, value, { reportInput: true });
  return fieldProblems(result.error?.issues ?? []).map((each) => [each.pointer, each.code, each.message]);
}

const inner = z.strictObject({ level: z.int().check(z.minimum(1), z.maximum(9)) });
const form = z.strictObject({
  name: line(1, 5),
  email: emailAddress,
  role: z.enum(['operator', 'member']),
  on: z.boolean(),
  tags: z.array(z.string()).check(z.maxLength(2)),
  inner,
  rules: z.optional(z.array(inner)),
  either: z.optional(z.union([z.string(), z.number()])),
  at: z.optional(moment),
});
const momentAsked =
  'must be milliseconds since 1970 UTC, such as 1795384800000, or {"local": "2026-11-22T23:00", "timeZone": "Europe/Berlin"}';
const good = {
  name: 'Ada',
  email: 'ada@example.org',
  role: 'member',
  on: true,
  tags: [],
  inner: { level: 1 },
};

describe('what is wrong with a body', () => {
  it('API-1: is nothing for a good one', () => {
    expect(problemsOf(form, good)).toEqual([]);
  });

  it.each<[what: string, value: unknown, problems: [pointer: string, code: string, message: string][]]>([
    ['a missing field', { ...good, on: undefined }, [['/on', 'required', 'is missing']]],
    ['a wrong type', { ...good, on: 'yes' }, [['/on', 'type', 'must be of type boolean']]],
    ['null', { ...good, on: null }, [['/on', 'type', 'must be of type boolean']]],
    ['a missing choice', { ...good, role: undefined }, [['/role', 'required', 'is missing']]],
    ['a wrong choice', { ...good, role: 'king' }, [['/role', 'invalid', 'must be one of operator, member']]],
    [
      'a text that is empty when trimmed',
      { ...good, name: '  ' },
      [['/name', 'too_small', 'must have at least 1 characters']],
    ],
    ['a long text', { ...good, name: 'Augusta' }, [['/name', 'too_big', 'must have at most 5 characters']]],
    [
      'too many entries',
      { ...good, tags: ['a', 'b', 'c'] },
      [['/tags', 'too_big', 'must have at most 2 entries']],
    ],
    [
      'a large number',
      { ...good, inner: { level: 10 } },
      [['/inner/level', 'too_big', 'must have at most 9']],
    ],
    [
      'a broken number',
      { ...good, inner: { level: 1.5 } },
      [['/inner/level', 'type', 'must be of type int']],
    ],
    ['no address', { ...good, email: 'ada' }, [['/email', 'format', 'is not an email address']]],
    [
      'a control character',
      { ...good, name: 'a\u0007b' },
      [['/name', 'invalid', 'contains control characters']],
    ],
    [
      'an entry',
      { ...good, rules: [{ level: 1 }, { level: 0 }] },
      [['/rules/1/level', 'too_small', 'must have at least 1']],
    ],
    ['none of several types', { ...good, either: true }, [['/either', 'invalid', 'is not valid']]],
    ['a moment as a text', { ...good, at: '2027-01-01T00:00:00Z' }, [['/at', 'invalid', momentAsked]]],
    ['half of a wall time', { ...good, at: { local: 'tomorrow' } }, [['/at', 'invalid', momentAsked]]],
    [
      'a wall time of another form',
      { ...good, at: { local: 'tomorrow', timeZone: 'Europe/Berlin' } },
      [['/at/local', 'format', 'is not like 2026-10-25T02:30']],
    ],
    [
      'a moment beyond every date, once',
      { ...good, at: 1e300 },
      [['/at', 'too_big', 'must have at most 8640000000000000']],
    ],
    [
      'a field that is not known',
      { ...good, x: 1, y: 2 },
      [
        ['/x', 'unknown', 'is not known here'],
        ['/y', 'unknown', 'is not known here'],
      ],
    ],
    [
      'a field that is not known, further in',
      { ...good, inner: { level: 1, 'a/b~c': 1 } },
      [['/inner/a~1b~0c', 'unknown', 'is not known here']],
    ],
    ['no body', undefined, [['', 'required', 'is missing']]],
    ['another thing than an object', 'text', [['', 'type', 'must be of type object']]],
  ])('API-1: is reported for %s', (_what, value, problems) => {
    expect(problemsOf(form, value)).toEqual(problems);
  });

  it('API-1: is reported for fifty fields at most', () => {
    const list = z.array(z.number());
    expect(
      problemsOf(
        list,
        Array.from({ length: 200 }, () => 'no'),
      ),
    ).toHaveLength(50);
  });

  it('API-1: is pointed at by RFC 6901', () => {
    expect(pointer([])).toBe('');
    expect(pointer(['', 'a/b', 'm~n', 0, '~1'])).toBe('//a~1b/m~0n/0/~01');
  });
});
