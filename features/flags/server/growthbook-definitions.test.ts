import {
  GrowthBook,
  type FeatureDefinition,
  type FeatureDefinitions,
  type SavedGroupsPayload,
} from '@growthbook/growthbook';
import {
  addClientKey,
  createFlag,
  getFlag,
  listClientKeys,
  renameClientKey,
  updateFlag,
  type FlagRule,
} from '#features/flags/contract/flags.ts';
import { createSegment } from '#features/flags/contract/segments.ts';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { oneEngine, type Engine } from '#server/testing/fresh-database.ts';
import { addToken } from '#server/testing/people.ts';
import { createEvaluator } from './evaluate.ts';

type Installation = {
  app: TestApp;
  operator: { accessToken: string };
  plain: string;
  /** A plain key for SDKs that know no groups. */
  older: string;
};

async function open(engine: Engine): Promise<Installation> {
  const app = await startApp({ engine });
  const operator = { accessToken: await addToken(app, { rights: [...rights] }) };
  const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
  const made = await app.call(addClientKey, { body: { kind: 'plain', name: 'old' } }, operator);
  const { key: older } = made.body;
  const params = { clientKey: older };
  await app.call(renameClientKey, { params, body: { name: 'old', olderSdks: true, version: 1 } }, operator);
  return { app, operator, older, plain: clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '' };
}

const draft = {
  type: 'json' as const,
  description: '',
  defaultValue: null as unknown,
  rules: [] as FlagRule[],
  tags: [],
};

type Served = { features: FeatureDefinitions; savedGroups?: SavedGroupsPayload };

/** The payload as a plain key reads it. */
async function served({ app }: Installation, key: string): Promise<Served> {
  return (await (await fetch(`${app.url}/api/features/${key}`)).json()) as Served;
}

const rights = ['FLAGS_READ', 'FLAGS_WRITE', 'SETTINGS_WRITE'] as const;

/** As GrowthBook's back end sends them to SDK 1.8. */
const groups: SavedGroupsPayload = {
  grp_staff: { type: 'list', attributeKey: 'id', values: ['a', 'c', '7'] },
  grp_nobody: { type: 'list', attributeKey: 'country', values: [] },
  grp_rule: { type: 'condition', condition: { $savedGroup: { id: 'grp_staff' }, country: { $ne: 'fr' } } },
};

async function addGroups({ app, operator }: Installation): Promise<void> {
  for (const [id, group] of Object.entries(groups)) {
    const typed = group as { type: 'list' | 'condition'; attributeKey?: string; values?: string[] };
    const { type: kind, attributeKey: attribute = '', values = [], ...rest } = typed;
    const fields = { id, name: id, description: '', kind, attribute, numbers: false };
    const body = { ...fields, values: values.join('\n'), ...(kind === 'list' ? {} : rest) };
    expect((await app.call(createSegment, { body }, operator)).status).toBe(201);
  }
}

const attributeName = fc.constantFrom(
  'id',
  'country',
  'age',
  '$plan',
  '$in',
  'version',
  'tags',
  'company.plan',
  'toString',
);
const text = fc.constantFrom('', 'de', 'DE', 'pro', '1.4.0', '2', 'a', 'b/c~d', '\ud83d\ude00', '\u0000');
const scalar = fc.oneof(text, fc.integer({ min: -1, max: 3 }), fc.boolean(), fc.constant(null));
/** Any JSON but for the names that no body may have (they change prototypes). */
const anything = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => !/"(?:__proto__|constructor|toString|valueOf)":/.test(JSON.stringify(value)));
const regex = fc.constantFrom('^de$', '@example\\.com$', '[a-z]', 'a/b');
const few = { maxLength: 3 };

const { condition } = fc.letrec<{ condition: unknown; expectation: unknown; operators: unknown }>((tie) => ({
  operators: fc
    .array(
      fc.oneof(
        fc.tuple(fc.constantFrom('$eq', '$ne', '$exists', '$type'), anything),
        fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), fc.oneof(scalar, fc.array(scalar, few))),
        fc.tuple(fc.constantFrom('$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte'), anything),
        fc.tuple(fc.constantFrom('$in', '$nin', '$ini', '$nini'), fc.oneof(fc.array(scalar, few), anything)),
        fc.tuple(fc.constantFrom('$all', '$alli'), fc.oneof(fc.array(tie('expectation'), few), scalar)),
        fc.tuple(fc.constantFrom('$inGroup', '$notInGroup'), fc.constantFrom('grp_staff', 'grp_nobody')),
        fc.tuple(fc.constantFrom('$regex', '$regexi'), regex),
        fc.tuple(fc.constantFrom('$not', '$size'), tie('expectation')),
        fc.tuple(fc.constant('$elemMatch'), fc.oneof(tie('operators'), tie('condition'))),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((pairs) => Object.fromEntries(pairs)),
  expectation: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.constant({ city: 'x' }),
    fc.constant({ $in: [], x: 1 }),
    tie('operators'),
  ),
  condition: fc
    .array(
      fc.oneof(
        { maxDepth: 3 },
        fc.tuple(attributeName, tie('expectation')),
        fc.tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('condition'), few)),
        fc.tuple(fc.constant('$not'), tie('condition')),
        fc.tuple(
          fc.constant('$savedGroup'),
          fc.oneof(
            scalar,
            fc.record(
              {
                id: fc.constantFrom('grp_staff', 'grp_nobody', 'grp_rule', 7),
                attributeKey: fc.constantFrom('id', 'country'),
                since: text,
              },
              { requiredKeys: ['id'] },
            ),
          ),
        ),
      ),
      few,
    )
    .map((pairs) => {
      // All keys operators: `$elemMatch` would take it for one, in which these cannot stand.
      const found = Object.fromEntries(pairs);
      return Object.keys(found).every((key) => key.startsWith('$')) ? { ...found, country: 'de' } : found;
    }),
}));

const range = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1, 7));
const future = fc.dictionary(
  fc.constantFrom('metadata', 'isContextualBandit', 'contexts', 'x', 'ruleV9'),
  anything,
);
const hashing = fc.record(
  {
    coverage: fc.constantFrom(0, 0.2, 0.5, 1),
    hashAttribute: fc.constantFrom('', 'id', 'company', '$plan'),
    hashVersion: fc.constantFrom(1, 2, 3, 17),
    seed: fc.constantFrom('', 'seed'),
  },
  { requiredKeys: [] },
);
const parents = fc.array(
  fc.record(
    {
      id: fc.constantFrom('ON', 'OFF', 'PARENT', '$holdout:hld_1', 'NOT_HERE'),
      condition: fc.oneof(
        condition,
        fc.constantFrom({ value: true }, { value: { $exists: true } }, { value: 'holdoutcontrol' }),
      ),
      gate: fc.boolean(),
      label: text,
    },
    { requiredKeys: ['id'] },
  ),
  { maxLength: 2 },
);
const targeting = fc.record(
  {
    id: text,
    condition,
    parentConditions: parents,
    filters: fc.array(
      fc.record(
        {
          seed: text,
          ranges: fc.array(range, few),
          hashVersion: fc.constantFrom(1, 2, 9),
          attribute: fc.constantFrom('id', ''),
          later: anything,
        },
        { requiredKeys: ['seed', 'ranges'] },
      ),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);
const experiment = fc.record(
  {
    variations: fc.array(anything, { minLength: 3, maxLength: 3 }),
    weights: fc.constantFrom([0.2, 0.3, 0.5], [0.3333, 0.3333, 0.3333]),
    key: fc.constantFrom('', 'exp'),
    meta: fc.constantFrom(
      [{ key: 'x' }, { name: '', later: 1 }, {}],
      [{}, { passthrough: true }, {}, { key: 'more' }],
    ),
    namespace: fc.tuple(fc.constant('n'), fc.constant(0), fc.constantFrom(0, 0.5, 1)),
    ranges: fc.array(range, { maxLength: 4 }),
    phase: fc.constant('0'),
    name: text,
    bucketVersion: fc.nat(3),
    minBucketVersion: fc.nat(3),
    disableStickyBucketing: fc.boolean(),
    fallbackAttribute: fc.constantFrom('', 'company'),
    contextualBanditRef: fc.constant('cb_1'),
    contextualVariations: fc.array(anything, { minLength: 3, maxLength: 3 }),
  },
  { requiredKeys: ['variations'] },
);
const rule = fc
  .oneof(
    fc.constant({}),
    parents.map((parentConditions) => ({ parentConditions })),
    fc.tuple(targeting, hashing, future, fc.record({ force: anything })),
    fc.tuple(targeting, hashing, future, fc.record({ force: anything, range })),
    fc.tuple(targeting, hashing, future, experiment),
    fc.tuple(
      targeting,
      hashing,
      future,
      fc.record({ variations: fc.array(anything, { maxLength: 1 }), key: fc.constantFrom('', 'exp') }),
    ),
  )
  .map((made) => (Array.isArray(made) ? Object.assign({}, ...made) : made) as FlagRule);

/** As JSON makes it: with prototypes. */
const person = fc
  .record(
    {
      id: fc.constantFrom('', 'a', 'b', 'c', 7),
      country: fc.constantFrom('de', 'DE', 'fr', null),
      age: fc.integer({ min: -1, max: 3 }),
      $plan: fc.constantFrom('pro', 'de', ''),
      $in: fc.constantFrom('de', 'x'),
      version: fc.constantFrom('1.4.0', 'v2', 3),
      tags: fc.array(scalar, few),
      company: fc.oneof(fc.constant('x'), fc.record({ plan: scalar })),
    },
    { requiredKeys: [] },
  )
  .map((one) => JSON.parse(JSON.stringify(one)) as Record<string, unknown>);

/** What GrowthBook's client makes of definitions, for one person. */
function evaluated(
  { features, savedGroups = {} }: Served,
  attributes: Record<string, unknown>,
): Record<string, unknown> {
  const client = new GrowthBook({ features, savedGroups, attributes });
  const values = Object.keys(features).map((key) => [key, client.evalFeature(key).value] as const);
  client.destroy();
  return JSON.parse(JSON.stringify(Object.fromEntries(values))) as Record<string, unknown>;
}

describe.each(oneEngine)("definitions of GrowthBook's back end, written on %s", (engine) => {
  it('FLAG-3: are stored, served and evaluated as they were sent, with what no SDK knows yet', async () => {
    const installation = await open(engine);
    const { app, operator } = installation;
    const complaints = vi.spyOn(console, 'error');
    await addGroups(installation);
    const others: [string, unknown, FlagRule[]][] = [
      ['ON', true, []],
      ['PARENT', 'x', [{ condition: { country: 'de' }, force: null }]],
      ['$holdout:hld_1', 'genpop', [{ variations: ['holdoutcontrol', 'holdouttreatment'], coverage: 0.5 }]],
      ['TARGET', null, []],
    ];
    for (const [key, defaultValue, rules] of others) {
      const body = { ...draft, key, defaultValue, rules, enabled: true };
      expect((await app.call(createFlag, { body }, operator)).status).toBe(201);
    }
    let version = 1;
    /** A definition without segments stays as it is. */
    const asSent: [got: unknown, sent: unknown][] = [];
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.array(rule, { maxLength: 4 }),
        fc.array(person, { minLength: 4, maxLength: 8 }),
        async (defaultValue, rules, people) => {
          const body = { ...draft, defaultValue, rules, version };
          const answer = await app.call(updateFlag, { params: { flagKey: 'TARGET' }, body }, operator);
          expect([answer.problem?.errors ?? [], answer.status]).toEqual([[], 200]);
          ({ version } = answer.body);

          const sent = JSON.parse(JSON.stringify({ defaultValue, rules })) as FeatureDefinition;
          const stored = (await app.call(getFlag, { params: { flagKey: 'TARGET' } }, operator)).body;
          expect({ defaultValue: stored.defaultValue, rules: stored.rules }).toEqual(sent);
          const plain = await served(installation, installation.plain);
          const older = await served(installation, installation.older);
          const { features } = plain;
          expect(JSON.stringify(older)).not.toMatch(/"savedGroups"|nGroup":"grp_/);
          if (!/"\$(?:savedGroup|inGroup|notInGroup)":/.test(JSON.stringify(rules)))
            asSent.push([
              features['TARGET'],
              rules.length === 0 ? { defaultValue: sent.defaultValue } : sent,
            ]);

          const evaluator = createEvaluator(features, plain.savedGroups);
          for (const attributes of people) {
            const original = evaluated(
              { features: { ...features, TARGET: sent }, savedGroups: groups },
              attributes,
            );
            expect(evaluated(plain, attributes)).toEqual(original);
            expect(evaluated(older, attributes)).toEqual(original);
            const request = {
              attributes,
              forcedVariations: {},
              forcedFeatures: new Map<string, unknown>(),
              url: '',
            };
            const remote = JSON.parse(evaluator.evaluate(request).features) as FeatureDefinitions;
            expect(
              Object.fromEntries(
                Object.entries(remote).map(([key, { defaultValue: value }]) => [key, value]),
              ),
            ).toEqual(original);
          }
        },
      ),
      { numRuns: 50 },
    );
    expect(asSent.length).toBeGreaterThan(5);
    expect(asSent.map(([got]) => got)).toEqual(asSent.map(([, sent]) => sent));
    // An SDK that complains does so at each evaluation.
    expect(complaints).not.toHaveBeenCalled();
  });

  it('FLAG-3: two people who differ in an attribute that begins with $ get values of their own', async () => {
    const { app, operator } = await open(engine);
    const rules = [{ condition: { $plan: 'pro' }, force: 'for pro' }];
    await app.call(createFlag, { body: { ...draft, key: 'PLANS', rules, enabled: true } }, operator);
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const key = clientKeys.find(({ kind }) => kind === 'remote-eval')?.key ?? '';
    const values = await Promise.all(
      ['pro', 'free', 'pro', 'free'].map(async ($plan) => {
        const answer = await fetch(`${app.url}/api/eval/${key}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ attributes: { id: 'a', $plan } }),
        });
        return ((await answer.json()) as { features: FeatureDefinitions }).features['PLANS']
          ?.defaultValue as unknown;
      }),
    );
    expect(values).toEqual(['for pro', null, 'for pro', null]);
  });

  it('FLAG-3 API-1: hold no value that would be stored as another one, wherever it stands', async () => {
    const { app, operator } = await open(engine);
    const sent = JSON.stringify({ ...draft, key: 'EXACT', enabled: true, defaultValue: 'HERE' });
    const send = async (part: string, member = '"defaultValue":"HERE"') => {
      const answer = await fetch(`${app.url}/v1/flags`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${operator.accessToken}` },
        body: sent.replace(member, part),
      });
      const { code, errors } = (await answer.json()) as {
        code: string;
        errors?: { pointer: string; code: string }[];
      };
      return [answer.status, code, ...(errors ?? []).map((error) => `${error.pointer} ${error.code}`)];
    };
    for (const [part, place] of [
      ['"defaultValue":9007199254740993', '/defaultValue inexact'],
      ['"defaultValue":{"a":[0.1000000000000000055511151231257827]}', '/defaultValue/a/0 inexact'],
      ['"defaultValue":-0', '/defaultValue inexact'],
      ['"defaultValue":1e400', '/defaultValue too_big'],
      ['"defaultValue":{"a":1,"a":2}', '/defaultValue/a duplicate'],
      ['"defaultValue":["\\ud83d"]', '/defaultValue/0 invalid'],
    ] as const)
      expect([part, ...(await send(part))]).toEqual([part, 422, 'INVALID_BODY', place]);
    for (const [rules, place] of [
      ['[{"condition":{"n":{"$gt":9007199254740993}},"force":1}]', '/rules/0/condition/n/$gt inexact'],
      ['[{"condition":{"n":{"$in":[1,9007199254740993]}},"force":1}]', '/rules/0/condition/n/$in/1 inexact'],
      ['[{"variations":[1,1e999]}]', '/rules/0/variations/1 too_big'],
      ['[{"force":1,"force":2}]', '/rules/0/force duplicate'],
    ] as const)
      expect([rules, ...(await send(`"rules":${rules}`, '"rules":[]'))]).toEqual([
        rules,
        422,
        'INVALID_BODY',
        place,
      ]);
    expect(await send('"defaultValue":{"__proto__":1}')).toEqual([
      400,
      'BAD_JSON',
      '/defaultValue/__proto__ reserved',
    ]);
    expect((await send('"defaultValue":["\\u0000",1.50,{"10":1,"2":2}]'))[0]).toBe(201);
    const { defaultValue } = (await app.call(getFlag, { params: { flagKey: 'EXACT' } }, operator)).body;
    expect(defaultValue).toEqual(['\u0000', 1.5, { 2: 2, 10: 1 }]);
  });

  it('FLAG-3: nested 60,000 deep are refused wherever they stand', async () => {
    const { app, operator } = await open(engine);
    const before = JSON.stringify({ ...draft, key: 'DEEP', enabled: true, rules: [], defaultValue: 1 });
    const deep = `${'[{"a":'.repeat(30_000)}1${'}]'.repeat(30_000)}`;
    const bodies = [
      deep,
      before.replace('"defaultValue":1', `"defaultValue":${deep}`),
      before.replace('"rules":[]', `"rules":${deep}`),
      ...['force', 'condition', 'parentConditions', 'variations', 'filters', 'meta', 'later', 'id'].map(
        (field) => before.replace('"rules":[]', `"rules":[{"${field}":${deep}}]`),
      ),
      before.replace('"rules":[]', `"rules":[{"force":1,"condition":{"a":{"$in":${deep}}}}]`),
      before.replace(
        '"rules":[]',
        `"rules":[{"force":1,"condition":${'{"$not":'.repeat(60_000)}{}${'}'.repeat(60_000)}}]`,
      ),
      before.replace('"tags":[]', `"tags":${deep}`),
      before.replace('"description":""', `"description":${deep}`),
      before.replace('"key":"DEEP"', `"key":${deep}`),
      before.replace('"type":"json"', `"type":${deep}`),
      before.replace('"tags":[]', `"tags":[],"later":${deep}`),
    ];
    for (const body of bodies) {
      expect(body.length).toBeGreaterThan(180_000);
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', '/DEEP'],
      ]) {
        const answer = await fetch(`${app.url}/v1/flags${path}`, {
          method: method ?? '',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${operator.accessToken}` },
          body,
        });
        expect([answer.status, await answer.json()]).toEqual([
          400,
          expect.objectContaining({ code: 'BAD_JSON' }),
        ]);
      }
    }
  });

  it('FLAG-3: report what they do not do, together with the flag', async () => {
    const { app, operator } = await open(engine);
    const rules = [
      { conditon: { country: 'de' }, force: true },
      {},
      { condition: { id: { $in: 'a' } }, force: 1 },
    ];
    const body = { ...draft, key: 'ODD', rules, enabled: false };
    expect((await app.call(createFlag, { body }, operator)).status).toBe(201);
    const { warnings } = (await app.call(getFlag, { params: { flagKey: 'ODD' } }, operator)).body;
    expect(warnings.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/rules/0/conditon', 'unknown'],
      ['/rules/1', 'no_effect'],
      ['/rules/2/condition/id/$in', 'type'],
    ]);
  });
});
