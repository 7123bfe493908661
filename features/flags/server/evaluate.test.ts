import { GrowthBook, type FeatureDefinitions } from '@growthbook/growthbook';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import { createEvaluator, type EvaluationRequest } from './evaluate.ts';
import { prepareFlags } from './decide-flags.ts';

const anonymous: EvaluationRequest = {
  attributes: {},
  forcedVariations: {},
  forcedFeatures: new Map(),
  url: '',
};

function evaluate(
  features: FeatureDefinitions,
  request: Partial<EvaluationRequest> = {},
): Record<string, { defaultValue: unknown; rules?: unknown[] }> {
  return JSON.parse(createEvaluator(features).evaluate({ ...anonymous, ...request }).features) as Record<
    string,
    { defaultValue: unknown }
  >;
}

/**
 * What GrowthBook's own remote evaluation answers (`@growthbook/proxy-eval` 1.1), with a client made for this
 * person only.
 */
function evaluatedAfresh(
  definitions: FeatureDefinitions,
  attributes: Record<string, unknown>,
  { url = '', forcedVariations = {}, forcedFeatures = new Map() }: Partial<EvaluationRequest> = {},
): unknown {
  const client = new GrowthBook({ features: definitions, attributes, url, forcedVariations });
  client.setForcedFeatures(new Map(forcedFeatures));
  const evaluated: Record<string, unknown> = {};
  for (const key of Object.keys(definitions)) {
    const { value, experiment, experimentResult } = client.evalFeature(key);
    const deferred = client.getDeferredTrackingCalls();
    client.setDeferredTrackingCalls([]);
    const own = experiment && experimentResult ? [{ experiment, result: experimentResult }] : [];
    const tracks = (deferred.length > 0 ? deferred : own).map(
      ({ experiment: { key: name, variations, meta }, result }) => {
        const cut = (list: readonly unknown[]) =>
          list.map((each, index) => (index === result.variationId ? each : {}));
        const experiment = {
          key: name,
          variations: cut(variations),
          ...(meta === undefined ? {} : { meta: cut(meta) }),
        };
        return { experiment, result };
      },
    );
    evaluated[key] =
      tracks.length > 0
        ? { defaultValue: value, rules: [{ force: value, tracks }] }
        : { defaultValue: value };
  }
  client.destroy();
  return JSON.parse(JSON.stringify(evaluated)) as unknown;
}

const attributeNames = ['id', 'country', 'age', 'company'] as const;
const attributes = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    country: fc.constantFrom('de', 'fr', 'en'),
    age: fc.integer({ min: 0, max: 3 }),
    company: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: [] },
);
const simpleCondition = fc.oneof(
  fc.record({ country: fc.constantFrom('de', 'fr') }),
  fc.record({ age: fc.record({ $gt: fc.integer({ min: 0, max: 2 }) }) }),
  fc.record({ company: fc.record({ $in: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')) }) }),
  fc.record({ country: fc.record({ $exists: fc.boolean() }) }),
);
const condition = fc.oneof(
  simpleCondition,
  fc.record({ $or: fc.array(simpleCondition, { minLength: 1, maxLength: 2 }) }),
  fc.record({ $not: simpleCondition }),
);
const rule = fc.oneof(
  fc.record({ condition, force: fc.integer() }),
  fc.record({
    force: fc.integer(),
    coverage: fc.constantFrom(0, 0.3, 0.7, 1),
    hashAttribute: fc.constantFrom(...attributeNames),
  }),
  fc.record({
    key: fc.constantFrom('one', 'two'),
    variations: fc.constant([1, 2, 3]),
    condition,
    hashAttribute: fc.constantFrom('id', 'company'),
    meta: fc.constantFrom([{}, {}, {}], [{ key: 'a' }, { key: 'b', passthrough: true }, { key: 'c' }]),
  }),
  fc.record(
    {
      key: fc.constantFrom('three', 'four'),
      variations: fc.constant([1, 2, 3]),
      weights: fc.constantFrom([0.2, 0.3, 0.5], [0, 0, 1]),
      coverage: fc.constantFrom(0, 0.5, 1),
      ranges: fc.constantFrom([
        [0, 0.2],
        [0.2, 0.4],
        [0.4, 0.9],
      ]),
      seed: fc.constantFrom('seed'),
      hashVersion: fc.constantFrom(1, 2),
      namespace: fc.constantFrom(['n', 0, 0.5]),
      filters: fc.constantFrom([{ seed: 'f', ranges: [[0, 0.6]], attribute: 'company' }]),
    },
    { requiredKeys: ['variations'] },
  ),
  fc.record({
    filters: fc.constantFrom([{ seed: 'f', ranges: [[0, 0.6]], hashVersion: 1 }]),
    force: fc.integer(),
  }),
  fc.record({
    parentConditions: fc.constantFrom(
      [{ id: 'parent', condition: { value: { $gt: 0 } }, gate: true }],
      [{ id: 'parent', condition: { value: { $in: [1, 2] } } }],
      [{ id: 'missing', condition: { value: null } }],
    ),
    force: fc.integer(),
  }),
);
const features = fc
  .dictionary(
    fc.constantFrom('f1', 'f2', 'f3'),
    fc.record(
      { defaultValue: fc.integer(), rules: fc.array(rule, { maxLength: 3 }) },
      { requiredKeys: ['defaultValue'] },
    ),
  )
  .chain((own) =>
    fc.array(rule, { maxLength: 2 }).map((rules) => ({
      ...own,
      parent: { defaultValue: 0, rules: rules.filter((one) => !('parentConditions' in one)) },
    })),
  );

describe('FLAG-1: evaluation', () => {
  it('FLAG-1: gives what a fresh GrowthBook gives, for every person, in every order', () => {
    fc.assert(
      fc.property(features, fc.array(attributes, { minLength: 1, maxLength: 12 }), (definitions, people) => {
        const evaluator = createEvaluator(definitions as FeatureDefinitions);
        for (const person of people) {
          const given: unknown = JSON.parse(
            evaluator.evaluate({ ...anonymous, attributes: person }).features,
          );
          expect(given).toEqual(evaluatedAfresh(definitions as FeatureDefinitions, person));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('FLAG-1: what is chosen by hand counts as with a fresh GrowthBook, where the rule asks no condition', () => {
    const chosen = fc.record({
      forcedVariations: fc.dictionary(
        fc.constantFrom('one', 'two', 'three', 'f1'),
        fc.integer({ min: -1, max: 4 }),
      ),
      forcedFeatures: fc
        .dictionary(fc.constantFrom('parent', 'missing', 'f1'), fc.constantFrom(0, 1, null, 'x'))
        .map((forced) => new Map(Object.entries(forced))),
      url: fc.constantFrom('', 'https://a.example/?one=1', '/?three=2#a', '/?one=9&two=1&one=0', '/?three=x'),
    });
    const unconditional = (definitions: object) =>
      JSON.parse(JSON.stringify(definitions), (name, value: unknown) =>
        name === 'condition' && !JSON.stringify(value).includes('value') ? undefined : value,
      ) as FeatureDefinitions;
    fc.assert(
      fc.property(features.map(unconditional), attributes, chosen, (definitions, person, byHand) => {
        const evaluator = createEvaluator(definitions);
        const request = { ...anonymous, ...byHand, attributes: person };
        const wanted = evaluatedAfresh(definitions, person, byHand);
        expect(JSON.parse(evaluator.evaluate(request).features)).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it('FLAG-1: flags that depend on each other in every way are decided once each', () => {
    const depends = (id: string) => ({ parentConditions: [{ id, condition: { value: true } }], force: true });
    const flags: FeatureDefinitions = { f0: { defaultValue: true } };
    for (let index = 1; index < 60; index += 1) {
      const before = depends(`f${index - 1}`);
      const fails = { ...before, condition: { missing: 'x' } };
      flags[`f${index}`] = { defaultValue: false, rules: [fails, before, before] };
    }
    expect(evaluate(flags)['f59']).toEqual({ defaultValue: true });
  });

  it('FLAG-1: flags that depend on each other in a circle are null', () => {
    const depends = (id: string) => [{ parentConditions: [{ id, condition: {} }], force: true }];
    const circle: FeatureDefinitions = {
      a: { defaultValue: 1, rules: depends('b') },
      b: { defaultValue: 1, rules: depends('a') },
      c: { defaultValue: 1, rules: depends('b') },
    };
    expect(evaluate(circle)).toEqual(evaluatedAfresh(circle, {}));
  });

  it('FLAG-1: decides who gets a forced value as a fresh GrowthBook does, whatever is hashed', () => {
    const odd = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.integer(), { maxLength: 2 }),
      fc.record({ a: fc.integer() }),
    );
    const share = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10);
    const forced = fc.record(
      {
        force: fc.integer(),
        condition: fc.oneof(simpleCondition, fc.constant({})),
        coverage: share,
        range: fc.tuple(share, share),
        hashAttribute: fc.constantFrom('id', 'odd', 'odd.name', ''),
        hashVersion: fc.constantFrom(1, 2, 3),
        seed: fc.constantFrom('', 'seed', 'ä'),
      },
      { requiredKeys: ['force'] },
    );
    const flags = fc.dictionary(
      fc.constantFrom('f1', 'f2', 'f3'),
      fc.record({
        defaultValue: fc.oneof(fc.integer(), fc.constant(null)),
        rules: fc.array(forced, { maxLength: 4 }),
      }),
    );
    const people = fc.array(
      fc.record(
        { id: odd, odd, 'odd.name': odd, country: fc.constantFrom('de', 'fr') },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(flags, people, (definitions, asked) => {
        const evaluator = createEvaluator(definitions);
        for (const attributes of JSON.parse(JSON.stringify(asked)) as Record<string, unknown>[]) {
          const given: unknown = JSON.parse(evaluator.evaluate({ ...anonymous, attributes }).features);
          expect(given).toEqual(evaluatedAfresh(definitions, attributes));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('FLAG-1: the ends of a share are those of GrowthBook', () => {
    const shares = Array.from({ length: 1_001 }, (_, share) => share / 1_000);
    const definitions: FeatureDefinitions = Object.fromEntries(
      shares.flatMap((share) => [
        [`below-${share}`, { defaultValue: 0, rules: [{ seed: 's', range: [0, share], force: 1 }] }],
        [`from-${share}`, { defaultValue: 0, rules: [{ seed: 's', range: [share, 1], force: 1 }] }],
        [`up-to-${share}`, { defaultValue: 0, rules: [{ seed: 's', coverage: share, force: 1 }] }],
        [`own-seed-${share}`, { defaultValue: 0, rules: [{ seed: '', coverage: share, force: 1 }] }],
      ]),
    );
    const attributes = { id: 'p1' };
    expect(evaluate(definitions, { attributes })).toEqual(evaluatedAfresh(definitions, attributes));
  });

  it('FLAG-1: values that cannot be compared match nothing, and take no other flag away', () => {
    const odd = { toString: 1, valueOf: 1 };
    const rules = ['x', 5, { $not: 'x' }, { $regex: 'x' }, { $gt: 1 }, { $all: ['x'] }, { $ini: ['x'] }].map(
      (a) => ({ condition: { a }, force: 1 }),
    );
    const flags: FeatureDefinitions = {
      FLAG: { defaultValue: 0, rules: [...rules, { coverage: 1, hashAttribute: 'a', force: 1 }] },
      TEST: { defaultValue: 0, rules: [{ variations: [1, 1], hashAttribute: 'a' }] },
    };
    for (const a of [odd, [odd], [[1, odd]]]) {
      expect(evaluate(flags, { attributes: { a } })).toEqual({
        FLAG: { defaultValue: 0 },
        TEST: { defaultValue: 0 },
      });
    }
  });

  it('FLAG-1: what every object inherits is compared as GrowthBook compares it', () => {
    const names = [
      'toString',
      'constructor',
      'valueOf',
      '__proto__',
      'a.toString',
      'list.length',
      'toString.name',
    ];
    const expectations = [
      'x',
      null,
      ...['[a-z]', 'FUNC', '^\\['].flatMap(($regex) => [{ $regex }, { $regexi: $regex }]),
      ...[1, 'a', 'z', ['function'], ['z']].flatMap(($gt) => [{ $gt }, { $lt: $gt }, { $gte: $gt }]),
      ...['function', 'object', 'string', 'unknown'].map(($type) => ({ $type })),
      { $exists: true },
      { $exists: false },
      { $size: 1 },
      { $in: ['x'] },
      { $nin: ['x'] },
      { $vgt: '1' },
    ];
    const conditions = names.flatMap((name) => expectations.map((expected) => ({ [name]: expected })));
    const definitions: FeatureDefinitions = Object.fromEntries([
      ['ON', { defaultValue: 'x' }],
      ...conditions.flatMap((condition, index) => [
        [`rule-${index}`, { defaultValue: 0, rules: [{ condition, force: 1 }] }],
        [
          `parent-${index}`,
          { defaultValue: 0, rules: [{ parentConditions: [{ id: 'ON', condition }], force: 1 }] },
        ],
      ]),
    ]);
    const attributes = { id: 'p1', a: 'x', list: [1, 2] };
    expect(evaluate(definitions, { attributes })).toEqual(evaluatedAfresh(definitions, attributes));
  });

  it('FLAG-9: neither rules nor conditions leave, only what reports an experiment', () => {
    const evaluated = evaluate(
      {
        SECRET: {
          defaultValue: false,
          rules: [{ condition: { email: { $regex: '@rival\\.example$' } }, force: true }],
        },
        TEST: {
          defaultValue: 'a',
          rules: [{ key: 'colours', variations: ['red', 'green'], condition: { id: 'p1' }, coverage: 1 }],
        },
      },
      { attributes: { id: 'p1' } },
    );
    const text = JSON.stringify(evaluated);
    expect(text).not.toContain('rival');
    expect(evaluated['SECRET']).toEqual({ defaultValue: false });
    const value = evaluated['TEST']?.defaultValue;
    expect(['red', 'green']).toContain(value);
    expect(text).not.toContain(value === 'red' ? 'green' : 'red');
    expect(text).not.toContain('condition');
    expect(evaluated['TEST']?.rules).toEqual([
      {
        force: value,
        tracks: [
          expect.objectContaining({ experiment: expect.objectContaining({ key: 'colours' }) as unknown }),
        ],
      },
    ]);
  });

  it('FLAG-1: a failed prerequisite that gates is null, and a value that is undefined is left out', () => {
    const evaluated = evaluate({
      PARENT: { defaultValue: false },
      CHILD: {
        defaultValue: 'child',
        rules: [{ parentConditions: [{ id: 'PARENT', condition: { value: true }, gate: true }] }],
      },
      EMPTY: {},
    });
    expect(evaluated).toEqual({ PARENT: { defaultValue: false }, CHILD: { defaultValue: null } });
  });
});

describe('FLAG-1: what is shared between people', () => {
  const by = (rules: FeatureDefinitions[string]['rules'] & object) => {
    const evaluator = createEvaluator({ FLAG: { defaultValue: 'no', rules } });
    return (request: Partial<EvaluationRequest>) =>
      (
        JSON.parse(evaluator.evaluate({ ...anonymous, ...request }).features) as {
          FLAG: { defaultValue: unknown };
        }
      ).FLAG.defaultValue;
  };

  it('FLAG-9: no one gets what was evaluated for another value of what is hashed, whatever its name', () => {
    const value = by([{ key: 'exp', variations: ['a', 'b'], hashAttribute: 'company.id' }]);
    const values = Array.from({ length: 20 }, (_, index) =>
      value({ attributes: { 'company.id': `c${index}` } }),
    );
    expect(new Set(values)).toEqual(new Set(['a', 'b']));
    expect(value({ attributes: { company: { id: 'c1' } } })).toBe('no');
  });

  it('FLAG-9: null, missing, lists and objects are distinguished', () => {
    const value = by([
      { condition: { plan: { $type: 'array' } }, force: 'list' },
      { condition: { plan: { a: 1 } }, force: 'object' },
      { condition: { plan: '1' }, force: 'one' },
    ]);
    const plans = [[1], { a: 1 }, '1', 1, null, '[1]', 'null'];
    expect(plans.map((plan) => value({ attributes: { plan } }))).toEqual([
      'list',
      'object',
      'one',
      'one',
      'no',
      'no',
      'no',
    ]);
    expect(value({ attributes: {} })).toBe('no');
  });

  it('FLAG-1: a page with another address asks for the same, unless the address chooses a variation', () => {
    const value = by([{ key: 'exp', variations: ['a', 'b'], hashAttribute: 'id' }]);
    const at = (url: string) => value({ attributes: { id: 'p1' }, url });
    const usual = at('https://a.example/');
    expect(at('https://a.example/x?page=1')).toBe(usual);
    expect([
      at('https://a.example/?exp=0'),
      at('https://a.example/?x=1&exp=1#top'),
      at('https://a.example/'),
    ]).toEqual(['a', 'b', usual]);
  });

  it('FLAG-3: a text too long for regular expressions does not match, and the next rule is asked', () => {
    const value = by([
      { condition: { tags: { $elemMatch: { $regex: '^a' } } }, force: 'begins' },
      { condition: { $not: { url: { $regex: 'z' } } }, force: 'no z' },
      { condition: { country: 'de' }, force: 'german' },
    ]);
    const long = 'x'.repeat(2_049);
    const german = { country: 'de', url: long };
    expect(value({ attributes: { ...german, tags: ['b'.repeat(1_500), 'a'.repeat(1_500)] } })).toBe('begins');
    expect(value({ attributes: { ...german, tags: [long, 'a'] } })).toBe('begins');
    expect(value({ attributes: { ...german, tags: [`a${long}`] } })).toBe('german');
    expect(value({ attributes: { country: 'de', url: long.slice(1) } })).toBe('no z');
  });

  it('FLAG-3: an alternative that is true counts together with one that cannot be expressed', () => {
    const value = by([
      { condition: { $or: [{ url: { $regex: 'x' } }, { country: 'de' }] }, force: 'or' },
      { condition: { $nor: [{ url: { $regex: 'x' } }, { country: 'fr' }] }, force: 'nor' },
      { condition: { $not: { url: { $regex: 'x' }, country: 'fr' } }, force: 'not' },
    ]);
    const url = 'x'.repeat(2_049);
    expect(['de', 'fr', 'en'].map((country) => value({ attributes: { country, url } }))).toEqual([
      'or',
      'no',
      'not',
    ]);
  });

  it('FLAG-1: an address that is too long chooses no variation, and takes no flag away', () => {
    const value = by([{ key: 'exp', variations: ['a', 'b'] }]);
    const usual = value({ attributes: { id: 'p1' } });
    const other = usual === 'a' ? 1 : 0;
    const at = (length: number) =>
      value({ attributes: { id: 'p1' }, url: `/?exp=${other}&x=`.padEnd(length, 'x') });
    expect([at(8_192) === usual, at(8_193) === usual]).toEqual([false, true]);
  });

  it('FLAG-9: null and missing are distinguished where the rules do: every object has a constructor', () => {
    const value = by([{ condition: { constructor: { $exists: true } }, force: 'yes' }]);
    const ways: Record<string, unknown>[] = [{}, { constructor: null }, { constructor: 1 }];
    for (const _again of [1, 2, 3])
      expect(ways.map((attributes) => value({ attributes }))).toEqual(['yes', 'no', 'yes']);
  });

  it('FLAG-9: an experiment whose variation was chosen by hand is given without one that was reported', () => {
    const definitions: FeatureDefinitions = {
      FLAG: {
        defaultValue: 0,
        rules: [
          { key: 'holdout', variations: [1, 2], meta: [{ passthrough: true }, { passthrough: true }] },
          { key: 'exp', variations: [3, 4] },
        ],
      },
    };
    const tracks = (attributes: object, forcedVariations: Record<string, number>) =>
      evaluate(definitions, { attributes: { ...attributes }, forcedVariations })['FLAG']?.rules?.map((rule) =>
        (rule as { tracks: { experiment: { key: string } }[] }).tracks.map(
          ({ experiment }) => experiment.key,
        ),
      );
    expect(tracks({}, { exp: 1 })).toEqual([['exp']]);
    expect(tracks({ id: '1' }, { exp: 1 })).toEqual([['holdout']]);
    expect(tracks({ id: '1' }, {})).toEqual([['holdout', 'exp']]);
    expect(tracks({}, {})).toBeUndefined();
  });
});

describe('FLAG-1: what one evaluation may take', () => {
  const list = Array.from({ length: 1_000 }, () => 1);
  const many = Array.from({ length: 2_000 }, (_, index) => index);

  it.each([
    ['patterns', 'ab'.repeat(1_000), (index: number) => ({ $regex: `a.*b.*c${index}` })],
    ['patterns on lists', list, (index: number) => ({ $regex: `c${index}` })],
    ['orders of lists', list, (index: number) => ({ $gt: index })],
    ['lists as numbers', list, (index: number) => index],
    ['lists as texts', list, (index: number) => `x${index}`],
    ['lists as values', list, (index: number) => [...list, index]],
  ])('looks at nothing more once all of it is used up: %s', (_name, value, asked) => {
    const rules = many.map((index) => ({ condition: { email: asked(index) }, force: true }));
    let looks = 0;
    const attributes = {
      get email() {
        looks += 1;
        return value;
      },
    };
    const [flag] = prepareFlags({ FLAG: { defaultValue: false, rules } }, {}).decided;
    const work = { left: 600_000 };
    const nothing = { forcedFeatures: new Map(), forcedVariations: new Map(), choices: new Map() };
    flag?.decide({ ...nothing, attributes, work, answers: [], decisions: new Map() });
    expect(work.left).toBeLessThan(0);
    expect(looks).toBeLessThan(1_000);
  });

  it('FLAG-9: what is hashed is not written into more reports than one answer has room for', () => {
    const experiments = Object.fromEntries(
      many.map((index) => [`E${index}`, { rules: [{ variations: [1, 2] }] }]),
    );
    const parentConditions = [{ id: 'E0', condition: { value: { $gt: 0 } } }];
    const children = Object.fromEntries(
      many.map((index) => [`C${index}`, { rules: [{ parentConditions, force: 1 }] }]),
    );
    for (const features of [experiments, { E0: experiments['E0'] ?? {}, ...children }]) {
      const { features: text } = createEvaluator(features).evaluate({
        ...anonymous,
        attributes: { id: '\u0001'.repeat(2_048) },
      });
      expect(text.length).toBeLessThan(2_000_000);
      const ordinary = evaluate(features, { attributes: { id: 'a'.repeat(36) } });
      expect(Object.values(ordinary).filter(({ rules }) => rules !== undefined)).toHaveLength(
        Object.keys(features).length,
      );
    }
  });
});

describe('what rules see', () => {
  it('FLAG-1: names everything that a rule can see', () => {
    const { attributes: seen, experiments } = prepareFlags(
      {
        FLAG: {
          rules: [
            {
              condition: { 'address.city': 'Berlin', $or: [{ plan: 'pro' }, { $not: { beta: true } }] },
              force: 1,
            },
            { force: 1, coverage: 0.5, hashAttribute: 'company', fallbackAttribute: 'device' },
            { condition: { $savedGroup: { id: 'vip', attributeKey: 'vipId' } }, force: 1 },
            { condition: { team: { $inGroup: 'listed' } }, force: 1 },
            { condition: { 'mail.address': { $not: { $regex: '^a' } } }, force: 1 },
            { condition: { $or: [{ tags: { $elemMatch: { name: { $regexi: '^b' } } } }] }, force: 1 },
            {
              force: 1,
              coverage: 0.5,
              hashAttribute: 'company.id',
              filters: [{ seed: 's', hashVersion: 2, ranges: [], attribute: 'place' }],
            },
            { variations: [1, 2] },
            { key: 'colours', variations: [1, 2] },
          ],
        },
      },
      {
        vip: { type: 'condition', condition: { tier: 'gold', $savedGroup: { id: 'listed' } } as never },
        listed: { type: 'list', attributeKey: 'member', values: ['x'] },
      },
    );
    expect({ attributes: seen, experiments }).toEqual({
      attributes: [
        'address',
        'beta',
        'company',
        'company.id',
        'id',
        'mail',
        'member',
        'name',
        'place',
        'plan',
        'tags',
        'team',
        'tier',
      ],
      experiments: ['FLAG', 'colours'],
    });
  });

  it('FLAG-1: who a person is counts only where it is hashed', () => {
    const seenBy = (rule: object) => prepareFlags({ FLAG: { rules: [rule] } }, {}).attributes;
    expect(seenBy({ condition: { country: 'de' }, force: 1 })).toEqual(['country']);
    expect(seenBy({ condition: { country: 'de' }, force: 1, coverage: 0.5 })).toEqual(['country', 'id']);
    expect(seenBy({ force: 1, range: [0, 0.5] })).toEqual(['id']);
    expect(seenBy({ variations: [1, 2], hashAttribute: 'company' })).toEqual(['company']);
  });
});
