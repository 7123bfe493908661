import { GrowthBook, type FeatureDefinitions, type SavedGroupsPayload } from '@growthbook/growthbook';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { listAudit } from '#features/audit/contract/audit.ts';
import { erasePerson } from '#features/erasure/contract/erasure.ts';
import {
  addClientKey,
  createFlag,
  listClientKeys,
  renameClientKey,
  type FlagRule,
} from '#features/flags/contract/flags.ts';
import {
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
  updateSegment,
} from '#features/flags/contract/segments.ts';
import { GrowthBook as GrowthBook0 } from 'growthbook-0';
import { GrowthBook as GrowthBook1 } from 'growthbook-1';
import { tryFlag } from '#features/flags/contract/trials.ts';
import { startApp } from '#server/testing/app.ts';
import { flagClient } from '#server/testing/flag-client.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { compileCondition } from './compile-condition.ts';
import { createWriter } from './segments.ts';

type NewSegment = z.input<typeof createSegment.body>;
type Served = { features: FeatureDefinitions; savedGroups?: SavedGroupsPayload; dateUpdated: string };

const list = { kind: 'list', description: '', attribute: 'id', numbers: false } as const;
const condition = { ...list, kind: 'condition', attribute: '' } as const;

async function open(engine: (typeof engines)[number]) {
  const app = await startApp({ engine });
  const operator = await signIn(app, { roles: ['operator'] });
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  const keyOf = (wanted: string) => clientKeys.find(({ kind }) => kind === wanted)?.key ?? '';
  const made = (await operator.call(addClientKey, { body: { kind: 'plain', name: 'old' } })).body;
  const older = { params: { clientKey: made.key }, body: { name: 'old', olderSdks: true, version: 1 } };
  const served = async (key = keyOf('plain')) =>
    (await (await fetch(`${app.url}/api/features/${key}`)).json()) as Served;
  const evaluated = async (attributes: object) => {
    const answer = await fetch(`${app.url}/api/eval/${keyOf('remote-eval')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ attributes }),
    });
    return (await answer.json()) as Served;
  };
  return { app, operator, plain: keyOf('plain'), older, served, evaluated };
}

const add = (by: SignedIn, body: NewSegment) => by.call(createSegment, { body });

const addFlag = (by: SignedIn, key: string, asked: FlagRule['condition']) =>
  by.call(createFlag, {
    body: {
      key,
      type: 'boolean',
      description: '',
      defaultValue: false,
      enabled: true,
      rules: [{ condition: asked, force: true }],
      tags: [],
    },
  });

const refusal = ({ status, problem }: Awaited<ReturnType<typeof add>>) => [
  status,
  ...(problem?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
];

describe.each(engines)('segments on %s', (engine) => {
  const once = provedOn(engine);

  it('FLAG-12 FLAG-9: SDKs compute the same from each payload, and a change reaches them at once', async () => {
    const { app, operator, plain, older, served, evaluated } = await open(engine);
    await add(operator, { ...list, id: 'grp_acme', name: 'ACME', values: ' ada \r\n\nbob\nada' });
    await add(operator, {
      ...list,
      id: 'grp_big',
      name: 'Big',
      attribute: 'n',
      numbers: true,
      values: '7\n8',
    });
    const inner = { country: 'de', $savedGroup: { id: 'grp_acme' } };
    await add(operator, { ...condition, id: 'grp_rule', name: 'Rule', condition: inner });
    const flags: [string, object][] = [
      ['IN', { $savedGroup: { id: 'grp_acme' } }],
      ['OUT', { $not: { $savedGroup: { id: 'grp_acme' } } }],
      ['NOT_IN', { tags: { $notInGroup: 'grp_acme' } }],
      ['BY', { $savedGroup: { id: 'grp_acme', attributeKey: 'tags' } }],
      ['NUMBER', { n: { $inGroup: 'grp_big' } }],
      ['RULE', { $or: [{ $savedGroup: { id: 'grp_rule' } }, { id: 'cyd' }] }],
    ];
    for (const [key, asked] of flags) expect((await addFlag(operator, key, asked)).status).toBe(201);
    const before = await served(older.params.clientKey);
    expect((await operator.call(renameClientKey, older)).status).toBe(200);
    const [named, written] = [await served(), await served(older.params.clientKey)];
    // The key gets another payload: its version moves.
    expect(written.dateUpdated > before.dateUpdated).toBe(true);
    expect(named.savedGroups).toEqual({ grp_acme: ['ada', 'bob'], grp_big: [7, 8] });
    expect(JSON.stringify(named)).not.toContain('$savedGroup');
    expect(JSON.stringify(written)).not.toMatch(/savedGroups|inGroup/i);

    const clients = [plain, older.params.clientKey].map((key) => flagClient(app.url, key));
    const clientKey = older.params.clientKey;
    const former = [
      new GrowthBook0({ apiHost: app.url, clientKey }),
      new GrowthBook1({ apiHost: app.url, clientKey }),
    ];
    await Promise.all(former.map((sdk) => sdk.loadFeatures({ skipCache: true })));
    const streaming = await Promise.all(clients);
    const sdks = [...streaming, ...former];
    const same = async (attributes: Record<string, unknown>) => {
      const remote = await evaluated(attributes);
      expect(JSON.stringify(remote)).not.toMatch(/savedGroups|rules|grp_/);
      const values = flags.map(([key]) => remote.features[key]?.defaultValue as unknown);
      for (const sdk of sdks) {
        await sdk.setAttributes(attributes);
        expect(flags.map(([key]) => sdk.getFeatureValue(key, null))).toEqual(values);
      }
      return values;
    };
    expect(await same({ id: 'ada', country: 'de' })).toEqual([true, false, true, false, false, true]);
    expect(await same({ id: 'eve', tags: ['x', 'bob'], n: 7 })).toEqual([
      false,
      true,
      false,
      true,
      true,
      false,
    ]);
    expect(await same({ id: ['bob'], n: '7', country: 'fr' })).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(await same({})).toEqual([false, true, true, false, false, false]);

    const { kind: _kind, ...fields } = list;
    const body = { ...fields, name: 'ACME', values: 'eve', version: 1 };
    const sent = { params: { segmentId: 'grp_acme' }, body };
    expect((await operator.call(updateSegment, sent)).body).toMatchObject({ size: 1, version: 2 });
    expect((await operator.call(updateSegment, sent)).problem?.code).toBe('VERSION_CONFLICT');
    await expect
      .poll(() => streaming.map((sdk) => sdk.getPayload().dateUpdated))
      .toEqual(Array(2).fill((await served()).dateUpdated));
    await Promise.all(former.map((sdk) => sdk.refreshFeatures({ skipCache: true })));
    expect((await same({ id: 'eve' })).slice(0, 2)).toEqual([true, false]);

    const trial = {
      definition: {
        type: 'boolean',
        defaultValue: false,
        rules: [{ condition: flags[0]?.[1], force: true }],
      },
    };
    const tried = await operator.call(tryFlag, {
      params: { flagKey: 'IN' },
      body: { ...trial, for: { attributes: { id: 'eve' } } } as never,
    });
    expect(tried.body).toMatchObject({ value: true, rule: 0 });
  });

  it('FLAG-12: names what uses it, cannot be deleted meanwhile, and is audited without its values', async () => {
    const { operator } = await open(engine);
    await add(operator, { ...list, id: 'grp_a', name: 'A', values: 'ada@example.org' });
    await add(operator, {
      ...condition,
      id: 'grp_b',
      name: 'B',
      condition: { $savedGroup: { id: 'grp_a' } },
    });
    await addFlag(operator, 'F', { $savedGroup: { id: 'grp_b' } });
    const params = { segmentId: 'grp_a' };
    const { usedBy, values } = (await operator.call(getSegment, { params })).body;
    expect([values, usedBy.map(({ kind, id }) => `${kind} ${id}`)]).toEqual([
      'ada@example.org',
      ['flag F', 'segment grp_b'],
    ]);
    expect((await operator.call(listSegments, {})).body.segments.map(({ flags }) => flags)).toEqual([1, 1]);
    const refused = await operator.call(deleteSegment, { params, query: { version: 1 } });
    expect(refused.problem).toMatchObject({
      code: 'CONFLICT',
      errors: [
        { code: 'flag', message: 'F' },
        { code: 'segment', message: 'grp_b' },
      ],
    });
    await add(operator, { ...list, id: 'grp_c', name: 'C', values: 'eve@example.org' });
    const gone = { params: { segmentId: 'grp_c' }, query: { version: 1 } };
    expect((await operator.call(deleteSegment, gone)).status).toBe(204);
    const { entries } = (await operator.call(listAudit, { query: { search: 'segment' } })).body;
    expect(entries.map(({ action }) => action)).toContain('segment.delete');
    expect(JSON.stringify(entries)).not.toMatch(/(ada|eve)@example/);
  });

  it('FLAG-12 BUG-10: an erasure takes a person out of lists, and out of conditions', async () => {
    const { app, operator, served } = await open(engine);
    const ada = await signIn(app, { email: 'ada.gone@example.org', roles: [] });
    const values = `${ada.id}\nada.gone@example.org\nAda.Gone@example.org\nbob`;
    await add(operator, { ...list, id: 'grp_l', name: 'L', values });
    const asked = { email: { $in: ['ada.gone@example.org', 'bob'] } };
    await add(operator, { ...condition, id: 'grp_r', name: 'R', condition: asked });
    await addFlag(operator, 'F', {
      $or: [{ $savedGroup: { id: 'grp_l' } }, { $savedGroup: { id: 'grp_r' } }],
    });
    const body = { confirmation: 'ada.gone@example.org', reports: 'keep' as const };
    expect((await operator.call(erasePerson, { params: { personId: ada.id }, body })).status).toBe(200);
    const left = (await operator.call(getSegment, { params: { segmentId: 'grp_l' } })).body;
    expect([left.values, left.size, left.version]).toEqual(['bob', 1, 2]);
    await expect
      .poll(async () => JSON.stringify(await served()))
      .not.toMatch(new RegExp(`gone|${ada.id}`, 'i'));
  });

  it.each(once)('FLAG-12: refuses what no list and no condition can be, and says where', async () => {
    const { operator } = await open(engine);
    const named = { ...list, name: 'x' };
    const lines = (count: number, of: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => of(n)).join('\n');
    const long = '0f8fad5b-d9cb-469f-a165-708';
    const all = lines(100_000, (n) => `${long}${String(n).padStart(9, '0')}`);
    const largest = await add(operator, { ...named, id: 'grp_all', values: all });
    expect([largest.status, largest.body.size]).toEqual([201, 100_000]);
    expect((await operator.call(getSegment, { params: { segmentId: 'grp_all' } })).body.values).toBe(all);
    expect(
      (await add(operator, { ...named, values: lines(1_000_000, (n) => `user-${n}`) })).problem?.code,
    ).toBe('TOO_LARGE');
    await add(operator, { ...condition, id: 'grp_x', name: 'X', condition: {} });
    await add(operator, {
      ...condition,
      id: 'grp_y',
      name: 'Y',
      condition: { $savedGroup: { id: 'grp_x' } },
    });
    const bad: [object, string][] = [
      [{ values: lines(100_001, String) }, '/values too_big'],
      [{ values: 'a'.repeat(201) }, '/values too_long'],
      [{ values: '1\nx', numbers: true }, '/values type'],
      [{ values: '9007199254740993', numbers: true }, '/values type'],
      [{ values: '\ud83d' }, '/values invalid'],
      [{ values: ['a'] }, '/values type'],
      [{ values: { a: 1 } }, '/values type'],
      [{ attribute: '' }, '/attribute required'],
      [{ id: '__proto__' }, '/id format'],
      [{ id: 'constructor' }, '/id format'],
      [{ kind: 'condition', condition: [] }, '/condition type'],
      [{ kind: 'condition', condition: { id: { $inGroup: 'grp_none' } } }, '/condition/id/$inGroup unknown'],
      [{ kind: 'condition', condition: { id: { $inGroup: 'grp_x' } } }, '/condition/id/$inGroup type'],
      [
        { kind: 'condition', condition: { $savedGroup: { id: 'grp_none' } } },
        '/condition/$savedGroup/id unknown',
      ],
    ];
    for (const [part, place] of bad) {
      const answer = await add(operator, { ...named, ...part });
      expect([part, ...refusal(answer)]).toEqual([part, 422, place]);
    }
    const { kind: _kind, ...fields } = condition;
    const circle = await operator.call(updateSegment, {
      params: { segmentId: 'grp_x' },
      body: { ...fields, name: 'X', condition: { $or: [{ $savedGroup: { id: 'grp_y' } }] }, version: 1 },
    });
    expect(circle.problem?.errors).toEqual([
      { pointer: '/condition', code: 'cycle', message: expect.stringContaining('X → Y → X') as string },
    ]);
    // Doubled at each level it would be written out a thousand times.
    const twice = (id: string) => ({
      $or: [{ $savedGroup: { id } }, { $savedGroup: { id } }],
      pad: 'x'.repeat(200),
    });
    const sizes = [];
    for (let level = 0; level < 9; level += 1) {
      const of = level === 0 ? 'grp_y' : `grp_t${level - 1}`;
      sizes.push(
        refusal(await add(operator, { ...condition, id: `grp_t${level}`, name: 't', condition: twice(of) })),
      );
    }
    expect(sizes).toContainEqual([422, '/condition too_big']);
    const odd = await add(operator, { ...named, id: 'grp_odd', values: '__proto__\nconstructor' });
    expect(odd.status).toBe(201);
    expect(refusal((await addFlag(operator, 'F', { $savedGroup: { id: 'grp_gone' } })) as never)).toEqual([
      422,
      '/rules/0/condition/$savedGroup/id unknown',
    ]);
  });
});

describe('a list of a segment', () => {
  it('FLAG-12: costs one look at a set, whatever its size, and one set for all rules', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `user-${index}`);
    const surroundings = { savedGroups: { grp_l: values }, sees: () => undefined };
    const work = { left: 1_000 };
    const { user } = process.cpuUsage();
    const conditions = Array.from({ length: 2_000 }, () =>
      compileCondition({ id: { $inGroup: 'grp_l' } }, surroundings),
    );
    // One hundred thousand entries for each of the rules would take minutes.
    expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
    expect(conditions[0]?.({ id: 'user-99999' }, work)).toBe(true);
    expect(conditions[0]?.({ id: '__proto__' }, work)).toBe(false);
    expect(compileCondition({ id: { $notInGroup: 'grp_none' } }, surroundings)({}, work)).toBe(true);
    expect(work.left).toBeGreaterThan(990);
  });

  it('FLAG-12: is written out next to what asks for the same attribute', () => {
    const lists = { grp_l: ['a', 'b'] };
    const segment = {
      id: 'grp_l',
      name: 'L',
      description: '',
      kind: 'list',
      attribute: 'id',
      numbers: false,
    } as const;
    const row = {
      ...segment,
      condition: null,
      size: 2,
      createdAt: 0,
      changedAt: 0,
      changedBy: null,
      version: 1,
    };
    const write = createWriter([row], lists);
    const asked = {
      id: { $in: ['b', 'c'], $nin: ['x'], $not: { $eq: 'd' }, $inGroup: 'grp_l', $notInGroup: 'grp_l' },
    };
    const written = write({ rules: [{ condition: asked, force: 1 } as never] }).rules?.[0]
      ?.condition as object;
    expect(written).toEqual({
      id: {
        $in: ['b', 'c'],
        $nin: ['x', 'a', 'b'],
        $not: { $not: { $in: ['a', 'b'], $not: { $eq: 'd' } } },
      },
    });
  });
});

it('FLAG-18: an encrypted key publishes neither rules nor lists, SDKs with the decryption key read all, and each replica serves the same', async () => {
  const { app, operator, older, served } = await open('postgres');
  const other = await startApp({ replicaOf: app });
  await add(operator, { ...list, id: 'grp_pilots', name: 'Pilots', values: 'ada' });
  await addFlag(operator, 'NEW_MAP', { id: { $inGroup: 'grp_pilots' } });
  const { clientKey } = older.params;
  const rename = (body: object, params = older.params) =>
    operator.call(renameClientKey, { params, body: { name: 'k', version: 1, ...body } });

  const { decryptionKey } = (await rename({ encrypted: true })).body;
  const text = await (await fetch(`${app.url}/api/features/${clientKey}`)).text();
  expect(text).not.toMatch(/NEW_MAP|\bada\b/);
  expect(text).toContain('"features":{}');
  const isOn = async (id: string) => {
    const sdk = new GrowthBook({
      apiHost: app.url,
      clientKey,
      decryptionKey: decryptionKey ?? '',
      attributes: { id },
    });
    await sdk.init({ skipCache: true });
    return sdk.isOn('NEW_MAP');
  };
  expect([await isOn('ada'), await isOn('mia')]).toEqual([true, false]);
  await expect.poll(async () => (await fetch(`${other.url}/api/features/${clientKey}`)).text()).toBe(text);

  // Older SDKs decrypt too; another name keeps the key, and off and on again makes a new one.
  expect((await rename({ olderSdks: true, version: 2 })).body.decryptionKey).toBe(decryptionKey);
  expect(await isOn('ada')).toBe(true);
  expect((await rename({ encrypted: false, version: 3 })).body.decryptionKey).toBeNull();
  expect((await served(clientKey)).features['NEW_MAP']).toBeDefined();
  const renewed = (await rename({ encrypted: true, version: 4 })).body.decryptionKey;
  expect(renewed).not.toBe(decryptionKey);
  const { entries } = (await operator.call(listAudit, { query: {} })).body;
  expect(JSON.stringify(entries)).not.toContain(renewed);

  const remote = (await operator.call(listClientKeys, {})).body.clientKeys.find(
    ({ kind }) => kind === 'remote-eval',
  );
  expect((await rename({ encrypted: true }, { clientKey: remote?.key ?? '' })).problem).toMatchObject({
    errors: [{ pointer: '/encrypted' }],
  });
});
