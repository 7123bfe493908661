import { evalCondition, type SavedGroupsPayload } from '@growthbook/growthbook';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCondition } from './compile-condition.ts';

const savedGroups = {
  old: ['a', 1],
  list: { type: 'list', attributeKey: 'name', values: ['a', '1', 1] },
  rule: { type: 'condition', condition: { age: { $gt: 1 }, $savedGroup: { id: 'list' } } },
  circle: { type: 'condition', condition: { $savedGroup: { id: 'circle' } } },
} as unknown as SavedGroupsPayload;

function meets(condition: object, person: unknown, work = { left: 1_000_000 }): boolean | null {
  return compileCondition(condition, { savedGroups, sees: () => undefined })(person, work);
}

const text = fc.constantFrom(
  '',
  'a',
  'A',
  'b',
  '1',
  'null',
  'a,b',
  '1.2.3',
  'v1.10.0-rc.1+b',
  '+\n+',
  'Яя',
  ' 2 ',
);
const scalar = fc.oneof(text, fc.constantFrom(0, 1, 2, -0.5, 10), fc.boolean(), fc.constant(null));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('name', 'age', 'toStrin'), tie('value'), { maxKeys: 2 }),
  ),
}));
const path = fc.constantFrom('name', 'age', 'tags', 'name.age', 'tags.length', 'tags.0', '$odd', '');
const { condition, expectation } = fc.letrec((tie) => {
  const each = (
    [
      ...['$eq', '$ne', '$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte'].map(
        (name) => [name, scalar] as const,
      ),
      ...['$gt', '$gte', '$lt', '$lte'].map((name) => [name, scalar] as const),
      ...['$in', '$nin', '$ini', '$nini', '$all', '$alli'].map(
        (name) =>
          [
            name,
            fc.oneof(
              fc.array(scalar, { maxLength: 3 }),
              fc.array(tie('expectation'), { maxLength: 2 }),
              scalar,
            ),
          ] as const,
      ),
      ...['$inGroup', '$notInGroup'].map(
        (name) => [name, fc.constantFrom('old', 'list', 'rule', 'none')] as const,
      ),
      ['$exists', fc.boolean()],
      ['$type', fc.constantFrom('string', 'number', 'boolean', 'array', 'object', 'null', 'undefined')],
      ...['$regex', '$regexi'].map(
        (name) => [name, fc.constantFrom('^a', 'a,b', 'null', 'я$', '(', '\\d', 'object', '', '/a')] as const,
      ),
      ['$size', fc.oneof(fc.integer({ min: 0, max: 3 }), tie('expectation'))],
      ['$elemMatch', fc.oneof(tie('condition'), tie('operators'))],
      ['$not', tie('expectation')],
      ['$unknown', scalar],
    ] as [string, fc.Arbitrary<unknown>][]
  ).map(([name, operand]) => fc.tuple(fc.constant(name), operand));
  // One or two operators; each is as likely as every other one.
  const operators = fc
    .uniqueArray(fc.oneof(...each), { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map((few) => Object.fromEntries(few));
  return {
    operators,
    expectation: fc.oneof({ depthSize: 'small' }, scalar, value, tie('operators')),
    condition: fc.oneof(
      { depthSize: 'small' },
      fc.dictionary(path, tie('expectation'), { minKeys: 1, maxKeys: 2 }),
      fc.record(
        {
          $and: fc.array(tie('condition'), { maxLength: 2 }),
          $or: fc.array(tie('condition'), { maxLength: 2 }),
          $nor: fc.array(tie('condition'), { maxLength: 2 }),
          $not: tie('condition'),
          $savedGroup: fc.record(
            { id: fc.constantFrom('old', 'list', 'rule', 'circle', 'none'), attributeKey: path },
            { requiredKeys: ['id'] },
          ),
        },
        { requiredKeys: [] },
      ),
    ),
  };
});
const person = fc.record(
  { name: value, age: value, tags: fc.oneof(fc.array(value, { maxLength: 4 }), value), $odd: value },
  { requiredKeys: [] },
);
/** As it comes over the wire. */
const asJson = <T>(arbitrary: fc.Arbitrary<T>) =>
  arbitrary.map((made) => JSON.parse(JSON.stringify(made)) as object);

describe('conditions', () => {
  it('FLAG-1: decide as GrowthBook does', () => {
    const original = console.error;
    console.error = () => undefined;
    try {
      fc.assert(
        fc.property(asJson(condition), asJson(person), (asked, of) => {
          expect(meets(asked, of)).toBe(evalCondition(of, asked as never, savedGroups));
        }),
        { numRuns: 1_500 },
      );
      fc.assert(
        fc.property(asJson(expectation), asJson(value), (asked, name) => {
          expect(meets({ name: asked }, { name })).toBe(
            evalCondition({ name }, { name: asked }, savedGroups),
          );
        }),
        { numRuns: 1_500 },
      );
    } finally {
      console.error = original;
    }
  });

  it('FLAG-3: versions are compared as GrowthBook does, whatever is taken for one', () => {
    const version = fc.string({
      unit: fc.constantFrom('1', '0', '9', '.', '-', '+', 'v', 'r', '\n', '\u2028', 'a'),
    });
    fc.assert(
      fc.property(version, version, (one, other) => {
        for (const operator of ['$veq', '$vgt', '$vlte']) {
          const asked = { name: { [operator]: other } };
          expect(meets(asked, { name: one })).toBe(evalCondition({ name: one }, asked as never));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  const numbers = Array.from({ length: 40_000 }, (_, index) => index);
  const long = 'a'.repeat(2_000_000);
  it.each<[string, object, unknown]>([
    ['a list taken for a text', { email: { $regex: '.+@example\\.com$' } }, numbers],
    ['a list compared with a text', { email: 'x' }, numbers],
    ['a list compared with a number', { email: 5 }, numbers],
    ['a list compared with another', { email: ['x'] }, numbers],
    ['a list in order with a text', { email: { $gt: 'x' } }, numbers],
    ['a version of plus signs', { email: { $vgte: '1.0.0' } }, `${'+'.repeat(80_000)}\n`],
    ['a version of dots', { email: { $veq: '1.0.0' } }, '.'.repeat(2_000_000)],
    ['a long text', { email: { $regex: 'b$' } }, long],
    ['a long text in any case', { email: { $ini: ['b'] } }, long],
    ['a number of blanks', { email: 5 }, ' '.repeat(2_000_000)],
    [
      'every entry against every pattern',
      { email: { $all: Array.from({ length: 5_000 }, (_, index) => ({ $regex: `^${index}x` })) } },
      numbers,
    ],
    [
      'lists in lists',
      { email: { $elemMatch: { $elemMatch: { $all: numbers.map((n) => -n - 1) } } } },
      Array.from({ length: 10 }, () => Array.from({ length: 10 }, () => numbers)),
    ],
    ['many texts in any case', { email: { $alli: ['x', 'y'] } }, numbers.map(() => 'a'.repeat(2_000))],
    ['many versions', { email: { $elemMatch: { $vgt: '9' } } }, numbers.map(() => '1.'.repeat(1_000))],
  ])('FLAG-3: %s takes bounded work and does not match', (_name, condition, email) => {
    const work = { left: 1_000_000 };
    const prepared = compileCondition(condition, { savedGroups, sees: () => undefined });
    const before = process.cpuUsage();
    expect(prepared({ email }, work)).not.toBe(true);
    // Of work, which a busy machine does not lengthen: ten times what the promise allows for everything that
    // a request does.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});
