import { describe, expect, it } from 'vitest';
import { checkFlag, prerequisitesOf, type FlagToCheck } from './rules.ts';

const groups = new Map([
  ['staff', { kind: 'list' as const, bytes: 10 }],
  ['other', { kind: 'condition' as const, bytes: 10 }],
]);
const surroundings = {
  prerequisites: new Map([
    ['parent', []],
    ['MAINTENANCE', []],
    ['child', ['new-flag']],
    ['grandchild', ['child']],
  ]),
  savedGroups: groups,
};

function check(rules: unknown[], flag: Partial<FlagToCheck> = {}) {
  const whole = { key: 'new-flag', type: 'boolean', defaultValue: false, ...flag, rules } as FlagToCheck;
  const found = checkFlag(whole, surroundings);
  const named = (list: typeof found.problems) => list.map(({ pointer, code }) => `${pointer} ${code}`);
  return { problems: named(found.problems), warnings: named(found.warnings) };
}

function problems(rules: unknown[], flag: Partial<FlagToCheck> = {}): string[] {
  return check(rules, flag).problems;
}

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

const steps = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    coverage: (at + 1) / count,
    ...(at === count - 1 ? {} : { minutes: 1 }),
  }));

describe('rules', () => {
  it('FLAG-3: have so many regular expressions that they can be looked at in a moment, equal ones once', () => {
    const any = Array.from({ length: 11 }, (_, place) => ({
      a: { $regex: `${place}${'x'.repeat(499)}`.slice(0, 500) },
    }));
    expect(problems([{ force: true, condition: { $or: any } }])).toEqual([
      '/rules/0/condition/$or/10/a/$regex too_big',
    ]);
    const same = Array.from({ length: 50 }, () => any[0]);
    expect(problems([{ force: true, condition: { $or: same } }])).toEqual([]);
  });

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
    expect(check(rules)).toEqual({ problems: [], warnings: [] });
  });

  it('FLAG-3: takes what its back end makes of prerequisites, holdouts, rollouts and bandits', () => {
    const holdouts = {
      ...surroundings,
      prerequisites: new Map([
        ['$holdout:hld_1', []],
        ['parent', []],
      ]),
    };
    const rules = [
      {
        id: 'holdout_1',
        parentConditions: [{ id: '$holdout:hld_1', condition: { value: 'holdoutcontrol' } }],
        force: true,
      },
      { parentConditions: [{ id: 'parent', condition: { value: { $ne: null } }, gate: true }] },
      {
        key: 'ramp_1',
        seed: 'rule',
        hashVersion: 2,
        hashAttribute: 'id',
        coverage: 0.4,
        variations: [true, false],
        weights: [0.5, 0.5],
        meta: [
          { key: '0', name: '' },
          { key: '1', passthrough: true },
        ],
        phase: '0',
        disableStickyBucketing: true,
        name: 'x'.repeat(500),
      },
      { key: 'three', variations: [true, false, true], weights: [0.3333, 0.3333, 0.3334] },
    ];
    const flag = { key: 'new-flag', type: 'boolean' as const, defaultValue: false, rules };
    expect(checkFlag(flag, holdouts)).toEqual({ problems: [], warnings: [] });
  });

  it.each([
    [{}, '/rules/0 no_effect'],
    [{ condition: {} }, '/rules/0 no_effect'],
    [{ parentConditions: [{ id: 'parent', condition: {} }] }, '/rules/0 no_effect'],
    [{ force: true, enabled: true }, '/rules/0/enabled unknown'],
    [{ force: true, toString: 1 }, '/rules/0/toString unknown'],
    [{ force: true, metadata: { project: 'p', tags: [] } }, '/rules/0/metadata unknown'],
    [{ force: true, variations: [true, false] }, '/rules/0/variations no_effect'],
    [{ force: true, weights: [1] }, '/rules/0/weights no_effect'],
    [{ variations: [true, null] }, '/rules/0/variations/1 type'],
    [{ variations: [true, false], meta: [{}, { colour: 1 }] }, '/rules/0/meta/1/colour unknown'],
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
    [{ variations: [true, false], ranges: [[0, 0.5]] }, '/rules/0/ranges invalid'],
    [
      { contextualVariations: [true, false], contextualBanditRef: 'cb_1' },
      '/rules/0/contextualBanditRef unknown',
    ],
    [{ force: true, coverage: 0.5, hashVersion: 3 }, '/rules/0/hashVersion unknown'],
    [{ force: true, namespace: ['n', 0.5, 0.2] }, '/rules/0/namespace invalid'],
    [{ force: true, filters: [{ seed: 's', ranges: [[0, 2]] }] }, '/rules/0/filters/0/ranges/0 invalid'],
    [{ force: true, filters: [{ seed: 's', ranges: [], kind: 1 }] }, '/rules/0/filters/0/kind unknown'],
    [{ force: true, condition: { country: { $in: 'DE' } } }, '/rules/0/condition/country/$in type'],
    [{ force: true, condition: { country: { $nin: { a: 1 } } } }, '/rules/0/condition/country/$nin type'],
    [{ force: true, condition: { country: { $in: ['DE'], x: 1 } } }, '/rules/0/condition/country mixed'],
    [{ force: true, condition: { $in: ['DE'] } }, '/rules/0/condition/$in attribute'],
    [{ force: true, condition: { $plan: { $eq: 'pro' } } }, '/rules/0/condition/$plan attribute'],
    [{ force: true, condition: { $or: [{ a: { $gt: [] } }] } }, '/rules/0/condition/$or/0/a/$gt type'],
    [{ force: true, condition: { 'a/b~c': { $exists: 1 } } }, '/rules/0/condition/a~1b~0c/$exists type'],
    [{ force: true, condition: { a: { $type: { toString: 1 } } } }, '/rules/0/condition/a/$type invalid'],
    [{ force: true, condition: { a: { $vgt: {} } } }, '/rules/0/condition/a/$vgt type'],
    [{ force: true, condition: { a: { $not: { $size: 'x' } } } }, '/rules/0/condition/a/$not/$size type'],
    [{ variations: [true] }, '/rules/0/variations too_small'],
    [{ variations: [] }, '/rules/0/variations too_small'],
    [
      { force: true, condition: { $savedGroup: { id: 'staff', since: 1 } } },
      '/rules/0/condition/$savedGroup/since unknown',
    ],
    [
      { force: true, parentConditions: [{ id: 'none', condition: {} }] },
      '/rules/0/parentConditions/0/id unknown',
    ],
    [{ force: true, parentConditions: [{ id: 'parent' }] }, '/rules/0/parentConditions/0/condition required'],
    [
      { force: true, parentConditions: [{ id: 'parent', condition: {}, label: 'x' }] },
      '/rules/0/parentConditions/0/label unknown',
    ],
  ])(
    'FLAG-3: takes what an SDK evaluates without complaint, and reports what it does not do: %j',
    (rule, expected) => {
      expect(check([rule])).toEqual({ problems: [], warnings: [expected] });
    },
  );

  it.each([
    [{ force: true, tracks: [] }, '/rules/0/tracks unknown'],
    [{ force: 'yes' }, '/rules/0/force type'],
    [{ force: null }, '/rules/0/force type'],
    [{ force: true, condition: { a: { $inGroup: 'nobody' } } }, '/rules/0/condition/a/$inGroup unknown'],
    [{ force: true, condition: { a: { $notInGroup: 'other' } } }, '/rules/0/condition/a/$notInGroup type'],
    [
      { force: true, condition: { $savedGroup: { id: 'nobody' } } },
      '/rules/0/condition/$savedGroup/id unknown',
    ],
    [{ variations: [true, 1] }, '/rules/0/variations/1 type'],
    [{ contextualVariations: [true, 1] }, '/rules/0/contextualVariations/1 type'],
    [{ variations: [true, false], weights: [0.9, 0.5] }, '/rules/0/weights invalid'],
    [{ variations: [true, false], weights: [1] }, '/rules/0/weights invalid'],
    [{ variations: [true, false], meta: [{ key: '0' }] }, '/rules/0/meta invalid'],
    [{ variations: [true, false], meta: [{ key: '0' }, null] }, '/rules/0/meta/1 type'],
    [{ variations: [true, false], minBucketVersion: 1e9 }, '/rules/0/minBucketVersion invalid'],
    [{ force: true, range: null }, '/rules/0/range invalid'],
    [{ force: true, coverage: 1.5 }, '/rules/0/coverage invalid'],
    [{ force: true, coverage: '0.5' }, '/rules/0/coverage invalid'],
    [{ force: true, hashVersion: '2' }, '/rules/0/hashVersion type'],
    [{ force: true, hashAttribute: 1 }, '/rules/0/hashAttribute type'],
    [{ force: true, namespace: ['n', '0', 1] }, '/rules/0/namespace invalid'],
    [{ force: true, filters: {} }, '/rules/0/filters type'],
    [{ force: true, filters: [null] }, '/rules/0/filters/0 type'],
    [{ force: true, filters: [{ seed: 's', ranges: [null] }] }, '/rules/0/filters/0/ranges/0 invalid'],
    [{ force: true, filters: [{ ranges: [] }] }, '/rules/0/filters/0/seed type'],
    [{ force: true, condition: [] }, '/rules/0/condition type'],
    [{ force: true, condition: null }, '/rules/0/condition type'],
    [{ force: true, condition: { $and: { a: 1 } } }, '/rules/0/condition/$and type'],
    [{ force: true, condition: { $or: [null] } }, '/rules/0/condition/$or/0 type'],
    [{ force: true, condition: { $not: null } }, '/rules/0/condition/$not type'],
    [{ force: true, condition: { a: { $gt: { toString: 1 } } } }, '/rules/0/condition/a/$gt type'],
    [{ force: true, condition: { a: { $gt: [[{ toString: 1 }]] } } }, '/rules/0/condition/a/$gt type'],
    [{ force: true, condition: { a: { $vgt: '+'.repeat(201) } } }, '/rules/0/condition/a/$vgt too_big'],
    [{ force: true, condition: { a: { $inGroup: { toString: 1 } } } }, '/rules/0/condition/a/$inGroup type'],
    [{ force: true, condition: { a: { $elemMatch: null } } }, '/rules/0/condition/a/$elemMatch type'],
    [{ force: true, condition: { a: { $regex: ['a'] } } }, '/rules/0/condition/a/$regex type'],
    [{ force: true, condition: { a: { $regexi: '(a+)+$' } } }, '/rules/0/condition/a/$regexi expensive'],
    [{ force: true, condition: { a: { $regex: 'a'.repeat(501) } } }, '/rules/0/condition/a/$regex too_big'],
    [
      { force: true, condition: { $plan: { $regex: '(a+)+$' } } },
      '/rules/0/condition/$plan/$regex expensive',
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
      { force: true, parentConditions: [{ id: 'parent', condition: { value: { $inGroup: 1 } } }] },
      '/rules/0/parentConditions/0/condition/value/$inGroup type',
    ],
    [
      { force: true, parentConditions: [{ id: 'parent', condition: {}, gate: 1 }] },
      '/rules/0/parentConditions/0/gate type',
    ],
    [{ force: true, parentConditions: { id: 'parent' } }, '/rules/0/parentConditions type'],
    [{ force: true, later: [Infinity] }, '/rules/0/later/0 too_big'],
    [{ force: true, later: ['\ud83d'] }, '/rules/0/later/0 invalid'],
    [{ force: true, condition: { '\udc69': 'a' } }, '/rules/0/condition invalid'],
  ])('FLAG-3: names the place of a mistake: %j', (rule, expected) => {
    expect(problems([rule])).toContain(expected);
  });

  const long = (length: number) => 'x'.repeat(length);
  const two = [true, false];
  const shares = (...weights: number[]) => ({ variations: weights.map(() => true), weights });
  const on = (condition: unknown) => ({ condition, force: true });

  it.each<[what: string, taken: object, refused: object, place: string]>([
    ...['id', 'key', 'seed', 'name', 'phase', 'hashAttribute', 'fallbackAttribute'].map(
      (name): [string, object, object, string] => [
        `${name} as a text`,
        { force: true, [name]: long(2_000) },
        { force: true, [name]: long(2_001) },
        `/rules/0/${name} too_big`,
      ],
    ),
    ['a name', { force: true, name: '' }, { force: true, name: 1 }, '/rules/0/name type'],
    [
      'a hundred variations',
      { variations: Array(100).fill(true) },
      { variations: Array(101).fill(true) },
      '/rules/0/variations too_big',
    ],
    ['variations as a list', { variations: two }, { variations: { 0: true } }, '/rules/0/variations type'],
    [
      'a share of no one',
      { force: true, coverage: 0 },
      { force: true, coverage: -0.1 },
      '/rules/0/coverage invalid',
    ],
    [
      'a share of all',
      { force: true, coverage: 1 },
      { force: true, coverage: 1.1 },
      '/rules/0/coverage invalid',
    ],
    ['weights that add up', shares(0.5, 0.5), shares(0.5, 0.515), '/rules/0/weights invalid'],
    ['weights that nearly do', shares(0.5, 0.505), shares(0.5, 0.48), '/rules/0/weights invalid'],
    [
      'a weight each',
      shares(1, 0),
      { variations: two, weights: [0.5, 0.25, 0.25] },
      '/rules/0/weights invalid',
    ],
    ['weights as a list', shares(0, 1), { variations: two, weights: { a: 1 } }, '/rules/0/weights type'],
    ['weights as numbers', shares(0, 1), { variations: two, weights: [1, '0'] }, '/rules/0/weights invalid'],
    [
      'weights of contextual variations',
      { contextualVariations: two, variations: [true, true, true], weights: [0.5, 0.5] },
      { contextualVariations: two, variations: [true, true, true], weights: [0.5, 0.25, 0.25] },
      '/rules/0/weights invalid',
    ],
    [
      'a range',
      { force: true, range: [0.5, 0.5] },
      { force: true, range: [0, 0.5, 1] },
      '/rules/0/range invalid',
    ],
    [
      'a range of all',
      { force: true, range: [0, 1] },
      { force: true, range: [0, '1'] },
      '/rules/0/range invalid',
    ],
    [
      'a range each',
      {
        variations: two,
        ranges: [
          [0, 0.5],
          [0.5, 1],
        ],
      },
      { variations: two, ranges: [[0, 0.5], [1]] },
      '/rules/0/ranges/1 invalid',
    ],
    [
      'ranges as a list',
      {
        variations: two,
        ranges: [
          [0, 0],
          [0, 1],
        ],
      },
      { variations: two, ranges: {} },
      '/rules/0/ranges type',
    ],
    [
      'a namespace',
      { force: true, namespace: ['n', 0, 1] },
      { force: true, namespace: 'n' },
      '/rules/0/namespace invalid',
    ],
    [
      'meta as a list',
      { variations: two, meta: [{}, {}] },
      { variations: two, meta: {} },
      '/rules/0/meta type',
    ],
    [
      'meta for each',
      { variations: two, meta: [{}, {}, {}] },
      { variations: two, meta: [{}] },
      '/rules/0/meta invalid',
    ],
    [
      'the key of meta',
      { variations: two, meta: [{ key: 'a', name: 'A' }, {}] },
      { variations: two, meta: [{ key: 1 }, {}] },
      '/rules/0/meta/0/key type',
    ],
    [
      'what is passed through',
      { variations: two, meta: [{}, { passthrough: false }] },
      { variations: two, meta: [{}, { passthrough: 'no' }] },
      '/rules/0/meta/1/passthrough type',
    ],
    [
      'a filter',
      { force: true, filters: [{ seed: 's', ranges: [[0, 1]] }] },
      { force: true, filters: [{ seed: 's', ranges: 1 }] },
      '/rules/0/filters/0/ranges type',
    ],
    [
      'the attribute of a filter',
      { force: true, filters: [{ seed: 's', ranges: [], attribute: 'id' }] },
      { force: true, filters: [{ seed: 's', ranges: [], attribute: 1 }] },
      '/rules/0/filters/0/attribute type',
    ],
    [
      'the hash of a filter',
      { force: true, filters: [{ seed: 's', ranges: [], hashVersion: 1 }] },
      { force: true, filters: [{ seed: 's', ranges: [], hashVersion: '1' }] },
      '/rules/0/filters/0/hashVersion type',
    ],
    [
      'a version of the hash',
      { force: true, hashVersion: 1 },
      { force: true, hashVersion: null },
      '/rules/0/hashVersion type',
    ],
    [
      'stickiness',
      { force: true, disableStickyBucketing: false },
      { force: true, disableStickyBucketing: 0 },
      '/rules/0/disableStickyBucketing type',
    ],
    [
      'a bucket',
      { force: true, bucketVersion: 10_000 },
      { force: true, bucketVersion: 10_001 },
      '/rules/0/bucketVersion invalid',
    ],
    [
      'the first bucket',
      { force: true, bucketVersion: 0 },
      { force: true, bucketVersion: -1 },
      '/rules/0/bucketVersion invalid',
    ],
    [
      'a whole bucket',
      { force: true, bucketVersion: 1 },
      { force: true, bucketVersion: 0.5 },
      '/rules/0/bucketVersion invalid',
    ],
    [
      'the name of an attribute',
      on({ [long(200)]: 1 }),
      on({ [long(201)]: 1 }),
      `/rules/0/condition/${long(201)} format`,
    ],
    ['an attribute with a name', on({ a: 1 }), on({ '': 1 }), '/rules/0/condition/ format'],
    [
      'a version',
      on({ a: { $vgt: long(200) } }),
      on({ a: { $vgt: long(201) } }),
      '/rules/0/condition/a/$vgt too_big',
    ],
    [
      'a version as a number',
      on({ a: { $vne: 1 } }),
      on({ a: { $veq: long(201) } }),
      '/rules/0/condition/a/$veq too_big',
    ],
    [
      'a list of conditions',
      on({ $nor: [{ a: 1 }] }),
      on({ $nor: { a: 1 } }),
      '/rules/0/condition/$nor type',
    ],
    [
      'all of a list',
      on({ a: { $all: [{ $gt: 1 }] } }),
      on({ a: { $all: [1, { $inGroup: 1 }] } }),
      '/rules/0/condition/a/$all/1/$inGroup type',
    ],
    [
      'all in any case',
      on({ a: { $alli: ['x'] } }),
      on({ a: { $alli: [{ $inGroup: 1 }] } }),
      '/rules/0/condition/a/$alli/0/$inGroup type',
    ],
    [
      'a size',
      on({ a: { $size: { $gt: 1 } } }),
      on({ a: { $size: { $inGroup: 1 } } }),
      '/rules/0/condition/a/$size/$inGroup type',
    ],
    [
      'operators of an entry',
      on({ a: { $elemMatch: { $gt: 1 } } }),
      on({ a: { $elemMatch: { $inGroup: 1 } } }),
      '/rules/0/condition/a/$elemMatch/$inGroup type',
    ],
    [
      'a condition of an entry',
      on({ a: { $elemMatch: { b: 1 } } }),
      on({ a: { $elemMatch: [] } }),
      '/rules/0/condition/a/$elemMatch type',
    ],
    [
      'what is not so',
      on({ a: { $not: { $gt: 1 } } }),
      on({ a: { $not: { $inGroup: 1 } } }),
      '/rules/0/condition/a/$not/$inGroup type',
    ],
    [
      'a saved group',
      on({ a: { $notInGroup: 'staff' } }),
      on({ a: { $notInGroup: 1 } }),
      '/rules/0/condition/a/$notInGroup type',
    ],
    [
      'the attribute of a group',
      on({ $savedGroup: { id: 'staff', attributeKey: long(200) } }),
      on({ $savedGroup: { id: 'staff', attributeKey: long(201) } }),
      '/rules/0/condition/$savedGroup/attributeKey type',
    ],
    [
      'the name of that attribute',
      on({ $savedGroup: { id: 'staff' } }),
      on({ $savedGroup: { id: 'staff', attributeKey: 1 } }),
      '/rules/0/condition/$savedGroup/attributeKey type',
    ],
    [
      'a prerequisite',
      { force: true, parentConditions: [{ id: 'parent', condition: {}, gate: false }] },
      { force: true, parentConditions: [null] },
      '/rules/0/parentConditions/0 type',
    ],
    [
      'the flag of a prerequisite',
      { force: true, parentConditions: [{ id: 'parent', condition: { value: 1 } }] },
      { force: true, parentConditions: [{ id: 1, condition: {} }] },
      '/rules/0/parentConditions/0/id type',
    ],
  ])('FLAG-3: takes %s, and refuses what lies beyond', (_what, taken, refused, place) => {
    expect(check([taken])).toEqual({ problems: [], warnings: [] });
    expect(problems([refused])).toContain(place);
  });

  it.each<[rule: object, warnings: string[]]>([
    [on({ a: { $eq: {} } }), ['/rules/0/condition/a/$eq type']],
    [on({ a: { $ne: [1] } }), ['/rules/0/condition/a/$ne type']],
    [on({ a: { $eq: null, $ne: 'x' } }), []],
    ...['$gt', '$gte', '$lt', '$lte'].flatMap((name): [object, string[]][] => [
      [on({ a: { [name]: null } }), [`/rules/0/condition/a/${name} type`]],
      [on({ a: { [name]: 'x' } }), []],
      [on({ a: { [name]: 0 } }), []],
    ]),
    ...['$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte'].flatMap((name): [object, string[]][] => [
      [on({ a: { [name]: '' } }), [`/rules/0/condition/a/${name} type`]],
      [on({ a: { [name]: '1.0' } }), []],
    ]),
    ...['$in', '$nin', '$ini', '$nini'].flatMap((name): [object, string[]][] => [
      [on({ a: { [name]: 'x' } }), [`/rules/0/condition/a/${name} type`]],
      [on({ a: { [name]: ['x', {}] } }), [`/rules/0/condition/a/${name} type`]],
      [on({ a: { [name]: ['x', 1, true, null] } }), []],
    ]),
    [on({ a: { $inn: ['x'] } }), ['/rules/0/condition/a/$inn unknown']],
    [on({ a: { $elemMatch: { $and: [{ b: 1 }] } } }), ['/rules/0/condition/a/$elemMatch/$and unknown']],
    [on({ a: { $regex: '(' } }), ['/rules/0/condition/a/$regex format']],
    [on({ a: { $all: 'x' } }), ['/rules/0/condition/a/$all type']],
    [on({ a: { $alli: {} } }), ['/rules/0/condition/a/$alli type']],
    [on({ a: { $exists: 0 } }), ['/rules/0/condition/a/$exists type']],
    [on({ a: { $type: 'null' } }), []],
    [on({ a: { $size: 'x' } }), ['/rules/0/condition/a/$size type']],
    [on({ a: { $size: 2 } }), []],
    [on({ a: {} }), []],
    [on({ a: { b: { $gt: {} } } }), []],
    [on({ $not: { a: { $eq: {} } } }), ['/rules/0/condition/$not/a/$eq type']],
    [on({ $and: [{ a: 1 }, { a: { $eq: {} } }] }), ['/rules/0/condition/$and/1/a/$eq type']],
    [on({ $savedGroup: 'staff' }), ['/rules/0/condition/$savedGroup type']],
    [on({ $savedGroup: { id: 1 } }), ['/rules/0/condition/$savedGroup/id type']],
    [{ force: true, range: [0.5, 0.4] }, ['/rules/0/range invalid']],
    [{ force: true, range: [-1, 0.4] }, ['/rules/0/range invalid']],
    [{ force: true, range: [0.4, 2] }, ['/rules/0/range invalid']],
    [{ force: true, ranges: [] }, ['/rules/0/ranges no_effect']],
    [{ force: true, meta: [] }, ['/rules/0/meta no_effect']],
    [{ variations: two, ranges: [] }, ['/rules/0/ranges invalid']],
    [{ force: true, hashVersion: 2 }, []],
    [{ parentConditions: [{ id: 'parent', condition: {}, gate: false }] }, ['/rules/0 no_effect']],
    [
      {
        parentConditions: [
          { id: 'parent', condition: {} },
          { id: 'parent', condition: {}, gate: true },
        ],
      },
      [],
    ],
    [
      { force: true, parentConditions: [{ id: 'parent', condition: null }] },
      ['/rules/0/parentConditions/0/condition required'],
    ],
  ])('FLAG-3: of %j reports what it does not do, and no more', (rule, warnings) => {
    expect(check([rule])).toEqual({ problems: [], warnings });
  });

  it.each<[what: string, change: object, found: string[]]>([
    ['a schedule and a ramp', {}, []],
    ['a ramp without a start', { schedule: { zone: 'UTC' } }, ['/schedule/from required']],
    [
      'a zone that there is not',
      { schedule: { from: 1, zone: 'Mars/Base' } },
      ['/schedule/zone unknown_zone'],
    ],
    [
      'an end before the start',
      { schedule: { from: 2, until: 2, zone: 'UTC' } },
      ['/schedule/until invalid'],
    ],
    ['a time in words', { schedule: { from: 'Monday', zone: 'UTC' } }, ['/schedule/from type']],
    ['an unknown member', { schedule: { from: 1, zone: 'UTC', every: 'day' } }, ['/schedule/every unknown']],
    ['no steps', { ramp: { steps: [] } }, ['/ramp/steps too_small']],
    ['21 steps', { ramp: { steps: steps(21) } }, ['/ramp/steps too_big']],
    [
      'steps that do not grow',
      { ramp: { steps: [{ coverage: 0.5, minutes: 1 }, { coverage: 0.5 }] } },
      ['/ramp/steps invalid'],
    ],
    [
      'a step without an end',
      { ramp: { steps: [{ coverage: 0.5 }, { coverage: 1 }] } },
      ['/ramp/steps invalid'],
    ],
    [
      'a step of more than a year',
      { ramp: { steps: [{ coverage: 0.5, minutes: 525_601 }, { coverage: 1 }] } },
      ['/ramp/steps/0/minutes too_big'],
    ],
    ['more than everyone', { ramp: { steps: [{ coverage: 1.1 }] } }, ['/ramp/steps/0/coverage invalid']],
    ['an experiment', { force: undefined, variations: [true, false] }, ['/ramp invalid']],
    ['a range', { range: [0, 1] }, ['/ramp invalid']],
  ])('FLAG-15: %s', (_what, change, found) => {
    const whole = { force: true, schedule: { from: 1, zone: 'UTC' }, ramp: { steps: steps(20) }, ...change };
    const rule = JSON.parse(JSON.stringify(whole)) as unknown;
    expect(check([rule])).toEqual({ problems: found.map((each) => `/rules/0${each}`), warnings: [] });
  });

  it('FLAG-3: refuses a value with half of a character, at which SDKs would refuse the whole payload', () => {
    expect(problems([], { type: 'string', defaultValue: 'a\ud83d' })).toEqual(['/defaultValue invalid']);
    expect(problems([], { type: 'string', defaultValue: 'a\ud83d\udc69' })).toEqual([]);
  });

  it('FLAG-3: draws its lines at the last level and the last byte', () => {
    const json = (defaultValue: unknown) => problems([], { type: 'json', defaultValue });
    expect([json(deep(20)), json(deep(21))]).toEqual([[], ['/defaultValue too_big']]);
    const texts = (length: number) => problems([], { type: 'string', defaultValue: long(length) });
    // With its quotes.
    expect([texts(65_534), texts(65_535)]).toEqual([[], ['/defaultValue too_big']]);
    const rule = { force: long(60_000) };
    const frame = JSON.stringify([rule, rule, rule, rule, { force: '' }]).length;
    const rules = (more: number) =>
      problems([rule, rule, rule, rule, { force: long(262_144 - frame + more) }], {
        type: 'string',
        defaultValue: '',
      });
    expect([rules(0), rules(1)]).toEqual([[], ['/rules too_big']]);
    const nots = (count: number) =>
      on(Array.from({ length: count }).reduce<unknown>((inner) => ({ $not: inner }), { a: 1 }));
    expect(problems([nots(16)])).toEqual([]);
    expect(problems([nots(18)])).toEqual([`/rules/0/condition${'/$not'.repeat(18)} too_big`]);
    const inner = (count: number) =>
      on({ a: Array.from({ length: count }).reduce<unknown>((each) => ({ $not: each }), 1) });
    expect([problems([inner(16)]), problems([inner(17)])]).toEqual([
      [],
      [`/rules/0/condition/a${'/$not'.repeat(17)} too_big`],
    ]);
  });

  it('FLAG-3: knows no number that is too large for JavaScript, wherever it stands', () => {
    const huge = Number('1e999');
    expect(problems([], { type: 'number', defaultValue: huge })).toEqual(['/defaultValue too_big']);
    expect(problems([], { type: 'json', defaultValue: { a: [1, huge] } })).toEqual([
      '/defaultValue/a/1 too_big',
    ]);
    expect(problems([{ force: huge }], { type: 'number', defaultValue: 1 })).toEqual([
      '/rules/0/force too_big',
    ]);
    expect(problems([], { type: 'number', defaultValue: -1e308 })).toEqual([]);
  });

  it('FLAG-3: a value of JSON may be null in a variation, and one of another type may not be forced to be', () => {
    const rules = [{ variations: [null, { a: 1 }] }];
    expect(check(rules, { type: 'json', defaultValue: null })).toEqual({ problems: [], warnings: [] });
    expect(check([{ variations: [null, 'a'] }], { type: 'string', defaultValue: '' })).toEqual({
      problems: [],
      warnings: ['/rules/0/variations/0 type'],
    });
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
    const found = check(Array.from({ length: 200 }, () => ({ force: 1, later: 1 })));
    expect([found.problems.length, found.warnings.length]).toEqual([50, 50]);
  });

  describe('FLAG-3: prerequisites of prerequisites', () => {
    /** Flags of which each asks for the one before it, so many times. */
    function chain(length: number, times: number) {
      const asked = (index: number) =>
        index === 0 ? [] : Array.from({ length: times }, () => `f${index - 1}`);
      return new Map(Array.from({ length }, (_, index) => [`f${index}`, asked(index)]));
    }
    const asking = (id: string) => ({ parentConditions: [{ id, condition: {} }], force: true });
    const checkIn = (prerequisites: Map<string, string[]>, key: string, rules: Record<string, unknown>[]) =>
      checkFlag(
        { key, type: 'boolean', defaultValue: true, rules },
        { ...surroundings, prerequisites },
      ).problems.map(({ pointer, code }) => `${pointer} ${code}`);

    it('are bounded in their levels', () => {
      expect(checkIn(chain(19, 1), 'last', [asking('f18')])).toEqual([]);
      expect(checkIn(chain(20, 1), 'last', [asking('f19')])).toEqual(['/rules too_big']);
    });

    it('are bounded in how often they are evaluated, which doubles from flag to flag', () => {
      expect(checkIn(chain(7, 2), 'last', [asking('f6'), asking('f6')])).toEqual([]);
      expect(checkIn(chain(8, 2), 'last', [asking('f7'), asking('f7')])).toEqual(['/rules too_big']);
    });

    it('are bounded for the flags that depend on the one that is written', () => {
      const flags = chain(15, 1);
      const own = flags.get('f1') ?? [];
      flags.delete('f0');
      flags.set('early', own.slice(1));
      for (let index = 1; index < 12; index += 1)
        flags.set(`e${index}`, [index === 1 ? 'early' : `e${index - 1}`]);
      expect(checkIn(flags, 'f0', [asking('e11')])).toEqual(['/rules too_big']);
      expect(checkIn(flags, 'aside', [asking('e11')])).toEqual([]);
    });

    it('of flags that break the bounds already hinder no other', () => {
      expect(checkIn(chain(500, 2), 'aside', [asking('f3')])).toEqual([]);
    });
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
    ).toEqual(['a', 'b', 'a']);
  });
});
