import { describe, expect, it } from 'vitest';
import { flagProblems, prerequisitesOf, type FlagToCheck } from './rules.ts';

const surroundings = {
  prerequisites: new Map([
    ['parent', []],
    ['MAINTENANCE', []],
    ['child', ['new-flag']],
    ['grandchild', ['child']],
  ]),
  savedGroups: new Set(['staff']),
};

function problems(rules: unknown[], flag: Partial<FlagToCheck> = {}): string[] {
  const whole = { key: 'new-flag', type: 'boolean', defaultValue: false, ...flag, rules } as FlagToCheck;
  return flagProblems(whole, surroundings).map(({ pointer, code }) => `${pointer} ${code}`);
}

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('rules', () => {
  it('FLAG-3: takes what GrowthBook makes', () => {
    const rules = [
      {
        id: 'fr_1',
        condition: { country: { $in: ['DE', 'AT'] }, 'company.plan': 'pro', age: { $gte: 18, $lt: 99 } },
        force: true,
      },
      {
        condition: {
          $or: [{ email: { $regex: '@example\\.com$' } }, { $not: { beta: { $exists: false } } }],
        },
        force: true,
      },
      {
        condition: {
          tags: { $elemMatch: { $eq: 'a' } },
          list: { $size: { $gt: 2 } },
          all: { $all: ['x', 1] },
        },
        force: false,
      },
      {
        condition: { version: { $vgte: '1.4.0' }, kind: { $type: 'string' }, roles: { $inGroup: 'staff' } },
        force: false,
      },
      { condition: { $savedGroup: { id: 'staff', attributeKey: 'id' } }, force: true },
      { condition: { address: { city: 'Berlin' }, name: null, on: true, n: 3 }, force: true },
      { parentConditions: [{ id: 'parent', condition: { value: true }, gate: true }], force: true },
      {
        parentConditions: [{ id: 'MAINTENANCE', condition: { value: false } }],
        coverage: 0.2,
        hashAttribute: 'id',
        force: true,
      },
      {
        key: 'exp',
        seed: 's',
        hashVersion: 2,
        variations: [true, false],
        weights: [0.5, 0.5],
        coverage: 1,
        meta: [
          { key: '0', name: 'Control' },
          { key: '1', passthrough: true },
        ],
        phase: '1',
        name: 'Exp',
        filters: [{ seed: 'f', attribute: 'id', hashVersion: 2, ranges: [[0, 0.5]] }],
        ranges: [
          [0, 0.5],
          [0.5, 1],
        ],
        namespace: ['n', 0, 0.5],
        bucketVersion: 1,
        minBucketVersion: 0,
        disableStickyBucketing: true,
        fallbackAttribute: 'deviceId',
      },
    ];
    expect(problems(rules)).toEqual([]);
  });

  it.each([
    [{ force: true, enabled: true }, '/rules/0/enabled unknown'],
    [{ force: true, tracks: [] }, '/rules/0/tracks unknown'],
    [{ force: true, toString: 1 }, '/rules/0/toString unknown'],
    [{ condition: {} }, '/rules/0 required'],
    [{ force: true, variations: [true, false] }, '/rules/0/variations invalid'],
    [{ force: 'yes' }, '/rules/0/force type'],
    [{ force: null }, '/rules/0/force type'],
    [{ variations: [true] }, '/rules/0/variations too_small'],
    [{ variations: [true, 1] }, '/rules/0/variations/1 type'],
    [{ variations: [true, false], weights: [0.9, 0.5] }, '/rules/0/weights invalid'],
    [{ variations: [true, false], weights: [1] }, '/rules/0/weights invalid'],
    [{ force: true, weights: [1] }, '/rules/0/weights invalid'],
    [
      {
        variations: [true, false],
        ranges: [
          [0, 0.5],
          [0.9, 0.5],
        ],
      },
      '/rules/0/ranges/1 invalid',
    ],
    [{ variations: [true, false], meta: [{}, { colour: 1 }] }, '/rules/0/meta/1/colour unknown'],
    [{ force: true, coverage: 1.5 }, '/rules/0/coverage invalid'],
    [{ force: true, coverage: '0.5' }, '/rules/0/coverage invalid'],
    [{ force: true, hashVersion: 3 }, '/rules/0/hashVersion invalid'],
    [{ force: true, hashAttribute: '' }, '/rules/0/hashAttribute too_small'],
    [{ force: true, namespace: ['n', 0.5, 0.2] }, '/rules/0/namespace invalid'],
    [{ force: true, filters: [{ ranges: [[0, 2]] }] }, '/rules/0/filters/0/seed type'],
    [{ force: true, condition: [] }, '/rules/0/condition type'],
    [{ force: true, condition: { country: { $inn: ['DE'] } } }, '/rules/0/condition/country/$inn unknown'],
    [{ force: true, condition: { country: { $in: 'DE' } } }, '/rules/0/condition/country/$in type'],
    [{ force: true, condition: { country: { $in: ['DE'], x: 1 } } }, '/rules/0/condition/country/x unknown'],
    [{ force: true, condition: { $in: ['DE'] } }, '/rules/0/condition/$in unknown'],
    [{ force: true, condition: { $and: { a: 1 } } }, '/rules/0/condition/$and type'],
    [{ force: true, condition: { $or: [{ a: { $gt: [] } }] } }, '/rules/0/condition/$or/0/a/$gt type'],
    [{ force: true, condition: { 'a/b~c': { $exists: 1 } } }, '/rules/0/condition/a~1b~0c/$exists type'],
    [{ force: true, condition: { a: { $not: { $size: 'x' } } } }, '/rules/0/condition/a/$not/$size type'],
    [{ force: true, condition: { a: { $inGroup: 'nobody' } } }, '/rules/0/condition/a/$inGroup unknown'],
    [
      { force: true, condition: { $savedGroup: { id: 'nobody' } } },
      '/rules/0/condition/$savedGroup/id unknown',
    ],
    [{ force: true, condition: { a: { $regex: '(' } } }, '/rules/0/condition/a/$regex format'],
    [{ force: true, condition: { a: { $regexi: '(a+)+$' } } }, '/rules/0/condition/a/$regexi expensive'],
    [{ force: true, condition: { a: { $regex: 'a'.repeat(501) } } }, '/rules/0/condition/a/$regex too_big'],
    [
      { force: true, parentConditions: [{ id: 'none', condition: {} }] },
      '/rules/0/parentConditions/0/id unknown',
    ],
    [
      { force: true, parentConditions: [{ id: 'new-flag', condition: {} }] },
      '/rules/0/parentConditions/0/id cycle',
    ],
    [
      { force: true, parentConditions: [{ id: 'grandchild', condition: {} }] },
      '/rules/0/parentConditions/0/id cycle',
    ],
    [
      { force: true, parentConditions: [{ id: 'parent', condition: { value: { $is: 1 } } }] },
      '/rules/0/parentConditions/0/condition/value/$is unknown',
    ],
    [
      { force: true, parentConditions: [{ id: 'parent', condition: {}, gate: 1 }] },
      '/rules/0/parentConditions/0/gate type',
    ],
  ])('FLAG-3: names the place of a mistake: %j', (rule, expected) => {
    expect(problems([rule])).toContain(expected);
  });

  it('FLAG-3: checks values against the type of the flag', () => {
    expect(problems([], { type: 'string', defaultValue: 1 })).toEqual(['/defaultValue type']);
    expect(problems([], { type: 'number', defaultValue: '1' })).toEqual(['/defaultValue type']);
    expect(problems([], { type: 'json', defaultValue: undefined })).toEqual(['/defaultValue required']);
    expect(problems([{ force: { a: [1, null] } }], { type: 'json', defaultValue: null })).toEqual([]);
    expect(problems([], { type: 'string', defaultValue: 'x'.repeat(70_000) })).toEqual([
      '/defaultValue too_big',
    ]);
  });

  it('FLAG-3: bounds size and depth, however deep a body is nested', () => {
    expect(problems([], { type: 'json', defaultValue: deep(21) })).toEqual(['/defaultValue too_big']);
    expect(problems([], { type: 'json', defaultValue: deep(50_000) })).toEqual(['/defaultValue too_big']);
    expect(problems([{ force: true, condition: { a: deep(50_000) } }])).toEqual(['/rules too_big']);
    const nested = Array.from({ length: 18 }).reduce<unknown>((inner) => ({ $not: inner }), { a: 1 });
    expect(problems([{ force: true, condition: nested }]).at(0)).toMatch(/ too_big$/);
    expect(problems([{ force: true, condition: { a: { $in: ['x'.repeat(300_000)] } } }])).toEqual([
      '/rules too_big',
    ]);
  });

  it('FLAG-3: finds at most 50 mistakes', () => {
    expect(problems(Array.from({ length: 200 }, () => ({})))).toHaveLength(50);
  });

  it('FLAG-3: knows what a flag depends on', () => {
    const parents = [
      { id: 'a', condition: {} },
      { id: 'b', condition: {} },
    ];
    expect(
      prerequisitesOf([
        { parentConditions: parents },
        { force: 1 },
        { parentConditions: parents.slice(0, 1) },
      ]),
    ).toEqual(['a', 'b']);
  });
});
