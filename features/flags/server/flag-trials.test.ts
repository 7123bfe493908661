import {
  createFlag,
  getFlag,
  listClientKeys,
  type Flag,
  type FlagRule,
} from '#features/flags/contract/flags.ts';
import {
  listSeenAttributes,
  previewFlag,
  tryFlag,
  type FlagDefinition,
} from '#features/flags/contract/trials.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { openLive } from '#server/testing/live-events.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { createEvaluator, emptyRequest } from './evaluate.ts';
import { effectOn, prepareTrial } from './flag-trials.ts';
import { createSeenAttributes, createTally } from './seen-attributes.ts';

const none = { segments: [], lists: {}, now: 0 };
const calm = { mode: 'off', text: '', severity: 'INFO' } as const;

function flag(key: string, defaultValue: unknown, rules: FlagRule[], enabled = true): Flag {
  const nothing = { description: '', tags: [], createdAt: 0, changedAt: 0, changedBy: null, version: 1 };
  return {
    ...nothing,
    key,
    type: 'json',
    enabled,
    forSignedOut: false,
    killSwitch: false,
    defaultValue,
    rules,
  };
}

/** Tries rules without any other flag; answers value, rule and outcomes. */
function tried(rules: FlagRule[], attributes: Record<string, unknown>, others: Flag[] = []) {
  const { value, rule, steps } = prepareTrial(
    'F',
    { defaultValue: 0, rules },
    others,
    calm,
    none,
  )(attributes);
  return [value, rule, steps.map(({ outcome }) => outcome)];
}

describe('a trial of a flag', () => {
  it('FLAG-11: tells which rule decides, and why the others before it do not', () => {
    const rules: FlagRule[] = [
      { parentConditions: [{ id: 'OFF', condition: { value: true } }], force: 1 },
      { condition: { role: 'operator' }, force: 2 },
      { filters: [{ seed: 's', ranges: [] }], force: 3 },
      { coverage: 0, force: 4 },
      { hashAttribute: 'company', coverage: 0.5, force: 5 },
      { id: 'nothing' },
      { condition: { role: 'member' }, force: 6 },
      { force: 7 },
    ];
    expect(tried(rules, { id: 'a', role: 'member' }, [flag('OFF', true, [], false)])).toEqual([
      6,
      6,
      ['prerequisite', 'condition', 'filters', 'share', 'no-attribute', 'no-value', 'decides'],
    ]);
    expect(tried([{ condition: { id: 'b' }, force: 1 }], { id: 'a' })).toEqual([0, null, ['condition']]);
    const gate = [{ parentConditions: [{ id: 'P', condition: { value: true }, gate: true }] }];
    expect(tried(gate, {}, [flag('P', false, [])])).toEqual([null, 0, ['gate']]);
  });

  it('FLAG-11: gives the place of a person in a rollout and in an experiment', () => {
    const share = { coverage: 0.5, force: 1 };
    const split = { variations: [1, 2], weights: [0.5, 0.5], key: 'F', hashVersion: 1 };
    const { steps } = prepareTrial(
      'F',
      { defaultValue: 0, rules: [{ ...share, coverage: 0 }, split] },
      [],
      calm,
      none,
    )({
      id: 'a',
    });
    expect(steps.map(({ bucket }) => bucket)).toEqual([expect.any(Number), steps[0]?.bucket]);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['share', 'decides']);
  });

  it('FLAG-11: leaves time for others, and people out, where rules take long', async () => {
    // Each evaluation takes two milliseconds.
    let time = 0;
    const evaluate = (() => {
      time += 2;
      return { value: 0 };
    }) as unknown as ReturnType<typeof prepareTrial>;
    let turns = 0;
    const countTurns = () => {
      turns += 1;
      next = setImmediate(countTurns);
    };
    let next = setImmediate(countTurns);
    const people = (async function* () {
      for (let page = 0; page < 10; page += 1)
        yield Array.from({ length: 100 }, (_, at) => ({ id: `${page} ${at}` }));
    })();
    const { evaluated } = await effectOn(people, evaluate, evaluate, () => time);
    clearImmediate(next);
    expect(evaluated).toBe(127);
    expect(turns).toBeGreaterThan(40);
  });

  it('FLAG-11: has the value that clients are served, whatever the rules and the flags before it', () => {
    const rule = fc.record(
      {
        condition: fc.record({ role: fc.constantFrom('a', 'b') }, { requiredKeys: [] }),
        coverage: fc.constantFrom(0, 0.3, 1),
        parentConditions: fc.array(
          fc.record({
            id: fc.constantFrom('P', 'OFF'),
            condition: fc.constant({ value: 1 }),
            gate: fc.boolean(),
          }),
          { maxLength: 1 },
        ),
        force: fc.integer({ min: 1, max: 3 }),
        variations: fc.constant([1, 2]),
      },
      { requiredKeys: [] },
    );
    const rules = fc.array(rule, { maxLength: 4 });
    const attributes = fc.record({ id: fc.string(), role: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(rules, rules, attributes, (own, parents, person) => {
        const parent = flag(
          'P',
          1,
          parents.map(({ parentConditions: _none, ...each }) => each),
        );
        const others = [parent, flag('OFF', 1, [], false)];
        const served = createEvaluator({
          P: { defaultValue: 1, rules: parent.rules as never },
          F: { defaultValue: 0, rules: own as never },
        }).evaluate({ ...emptyRequest, attributes: person });
        const { F } = JSON.parse(served.features) as { F: { defaultValue: unknown } };
        expect(tried(own as FlagRule[], person, others)[0]).toEqual(F.defaultValue);
      }),
    );
  });
});

const draft = { type: 'boolean' as const, description: '', defaultValue: false, rules: [], tags: [] };
const forOperators: FlagDefinition = {
  type: 'boolean',
  defaultValue: false,
  rules: [{ condition: { roles: { $in: ['operator'] } }, force: true }],
};

it('FLAG-11: an operator tries a definition that is not saved, for a person and for attributes', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const operator = await signIn(app, { roles: ['operator'] });
  const mia = await signIn(app, { roles: ['member'] });
  await operator.call(createFlag, { body: { ...draft, key: 'F', enabled: true } });
  const params = { flagKey: 'F' };
  const trial = (who: object, definition = forOperators) =>
    operator.call(tryFlag, { params, body: { definition, for: who as never } });
  expect((await trial({ personId: operator.id })).body).toMatchObject({
    value: true,
    rule: 0,
    attributes: { id: operator.id, roles: ['operator'] },
  });
  expect((await trial({ personId: mia.id })).body).toMatchObject({ value: false, rule: null });
  expect((await trial({ attributes: { roles: ['operator'] } })).body).toMatchObject({ value: true });
  expect((await trial({ personId: 'nobody' })).status).toBe(404);
  const wrong = { ...forOperators, rules: [{ condition: { id: { $inGroup: 1 } }, force: true }] };
  expect((await trial({ attributes: {} }, wrong)).problem).toMatchObject({
    code: 'INVALID_BODY',
    errors: [{ pointer: '/rules/0/condition/id/$inGroup' }],
  });
  expect((await operator.call(getFlag, { params })).body.rules).toEqual([]);

  const reader = { accessToken: await addToken(app, { rights: ['FLAGS_READ', 'FLAGS_WRITE'] }) };
  const body = { definition: forOperators, for: { personId: mia.id } };
  expect((await app.call(tryFlag, { params, body }, reader)).status).toBe(403);
  expect((await app.call(previewFlag, { params, body: { definition: forOperators } }, reader)).status).toBe(
    403,
  );
  expect(
    (await app.call(tryFlag, { params, body: { ...body, for: { attributes: {} } } }, reader)).status,
  ).toBe(200);
});

it.each(['sqlite', 'postgres'] as const)(
  'FLAG-11: a preview tells for how many people the value changes, and who they are (%s)',
  async (engine) => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    await signIn(app, { roles: ['member'] });
    await operator.call(createFlag, { body: { ...draft, key: 'ON', enabled: true } });
    await operator.call(createFlag, { body: { ...draft, key: 'OFF', enabled: false } });
    await signIn(app, { roles: ['member'] });
    const preview = async (flagKey: string) =>
      (await operator.call(previewFlag, { params: { flagKey }, body: { definition: forOperators } })).body;
    const values = [
      { value: false, people: 2, before: 3 },
      { value: true, people: 1, before: 0 },
    ];
    expect(await preview('ON')).toEqual({
      people: 3,
      evaluated: 3,
      changed: 1,
      changes: [
        {
          from: false,
          to: true,
          people: 1,
          who: [{ id: operator.id, name: expect.any(String), email: operator.email }],
        },
      ],
      values,
    });
    expect(await preview('OFF')).toMatchObject({ people: 3, changed: 0, changes: [], values });
  },
);

it('FLAG-11: the attributes of connected people and of applications are named, with the values seen, to those who may see people', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const operator = await signIn(app, { roles: ['operator'] });
  await openLive(app, operator.accessToken);
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  const key = clientKeys.find(({ kind }) => kind === 'remote-eval')?.key ?? '';
  const answer = await fetch(`${app.url}/api/eval/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ attributes: { company: 'ACME', roles: ['guest'], manager: 'mia@example.org' } }),
  });
  expect(answer.status).toBe(200);
  const seen = async (caller?: { accessToken: string }) =>
    (await (caller ? app.call(listSeenAttributes, {}, caller) : operator.call(listSeenAttributes, {}))).body
      .attributes;
  const all = await seen();
  expect(all).toContainEqual({
    name: 'company',
    kind: 'text',
    values: [{ value: 'ACME', times: 1 }],
    isMore: false,
  });
  expect(all).toContainEqual({
    name: 'roles',
    kind: 'list',
    values: [{ value: 'operator', times: 1 }],
    isMore: false,
  });
  expect(all).toContainEqual({ name: 'manager', kind: 'text', values: [], isMore: false });
  expect(all).toContainEqual(expect.objectContaining({ name: 'id', values: [] }));
  const reader = { accessToken: await addToken(app, { rights: ['FLAGS_READ'] }) };
  expect((await seen(reader)).flatMap(({ values }) => values)).toEqual([]);
});

describe('attributes that were seen', () => {
  it('FLAG-11: are bounded in names, values and lengths, whatever is sent', () => {
    const values = fc.oneof(fc.string({ maxLength: 200 }), fc.integer(), fc.boolean(), fc.array(fc.string()));
    const people = fc.array(fc.dictionary(fc.string({ maxLength: 200 }), fc.oneof(values, fc.anything())));
    fc.assert(
      fc.property(people, (all) => {
        const tally = createTally();
        for (const person of all) tally.note(person);
        const list = tally.list();
        expect(list.length).toBeLessThanOrEqual(100);
        for (const { name, values: kept } of list) {
          expect(name.length).toBeLessThanOrEqual(100);
          expect(kept.length).toBeLessThanOrEqual(50);
          for (const { value } of kept) expect(String(value)).toSatisfy((text: string) => text.length <= 100);
        }
      }),
    );
    const crowd = createTally();
    for (let at = 0; at < 200; at++) crowd.note({ badge: `b${at}`, [`name${at}`]: 1, __proto__: null });
    expect(crowd.list()).toHaveLength(100);
    expect(crowd.list()[0]).toEqual({ name: 'badge', kind: 'text', values: [], isMore: true });
  });

  it('FLAG-11: are a sample, so that evaluations cost the same', () => {
    let at = 0;
    const seen = createSeenAttributes(() => at);
    for (; at < 1_000; at += 1) seen.note({ company: 'ACME' });
    expect(seen.list()[0]?.values).toEqual([{ value: 'ACME', times: 20 }]);
  });
});
