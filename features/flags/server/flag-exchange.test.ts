import { GrowthBook, type FeatureDefinitions, type SavedGroupsPayload } from '@growthbook/growthbook';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listAudit } from '#features/audit/contract/audit.ts';
import {
  exportFlags,
  importFlags,
  mostImported,
  previewImport,
} from '#features/flags/contract/flag-exchange.ts';
import {
  createFlag,
  deleteFlag,
  listClientKeys,
  listFlagVersions,
  listFlags,
  switchFlag,
} from '#features/flags/contract/flags.ts';
import { createSegment, getSegment } from '#features/flags/contract/segments.ts';
import { startApp } from '#server/testing/app.ts';
import { engines, provedOn, type Engine } from '#server/testing/fresh-database.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import unleashExport from './testing/unleash-export.json' with { type: 'json' };

async function open(engine: Engine) {
  const app = await startApp({ engine });
  const operator = await signIn(app, { roles: ['operator'] });
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  const plain = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
  const served = async () =>
    (await (await fetch(`${app.url}/api/features/${plain}`)).json()) as {
      features: FeatureDefinitions;
      savedGroups?: SavedGroupsPayload;
    };
  return { operator, served };
}

const preview = (by: SignedIn, document: unknown, environment?: string) =>
  by.call(previewImport, {
    body: { document: JSON.stringify(document), ...(environment === undefined ? {} : { environment }) },
  });

async function take(by: SignedIn, document: unknown) {
  const { basis } = (await preview(by, document)).body;
  return by.call(importFlags, { body: { document: JSON.stringify(document), basis } });
}

const flag = {
  key: 'checkout',
  type: 'string' as const,
  description: 'The new one',
  defaultValue: 'old',
  enabled: true,
  forSignedOut: true,
  killSwitch: true,
  rules: [
    { condition: { $savedGroup: { id: 'grp_both' } }, force: 'new', coverage: 0.2, hashAttribute: 'id' },
  ],
  tags: ['team'],
};

const staff = {
  id: 'grp_staff',
  name: 'Staff',
  description: '',
  kind: 'list' as const,
  attribute: 'id',
  numbers: false,
  values: 'a\nb',
};
// Named before it comes in the order of ids.
const both = {
  ...staff,
  id: 'grp_both',
  name: 'Both',
  kind: 'condition' as const,
  attribute: '',
  values: undefined,
  condition: { $and: [{ $savedGroup: { id: 'grp_staff' } }, { beta: true }] },
};

async function fill(by: SignedIn): Promise<void> {
  for (const body of [staff, both]) expect((await by.call(createSegment, { body })).status).toBe(201);
  expect((await by.call(createFlag, { body: flag })).status).toBe(201);
}

describe.each(engines)('flags out and in, on %s', (engine) => {
  const once = provedOn(engine);

  it('FLAG-17: what one installation exports another imports, and has the same; in again changes nothing', async () => {
    const [one, other] = [await open(engine), await open(engine)];
    await fill(one.operator);
    const document = (await one.operator.call(exportFlags, {})).body;
    expect(document.flags).toEqual([flag]);
    expect((await preview(other.operator, document)).body).toMatchObject({
      format: 'portico',
      flags: [{ key: 'checkout', state: 'new', after: { rules: flag.rules } }],
      segments: [
        { id: 'grp_staff', state: 'new', size: 2 },
        { id: 'grp_both', state: 'new' },
      ],
      unmapped: [],
      kept: [],
    });
    expect((await take(other.operator, document)).body).toEqual({ created: 1, changed: 0 });
    expect((await other.operator.call(exportFlags, {})).body).toEqual(document);
    const again = (await preview(other.operator, document)).body;
    expect(again.flags).toEqual([{ key: 'checkout', state: 'same' }]);
    expect(again.segments.map(({ state }) => state)).toEqual(['same', 'same']);
    expect((await take(other.operator, document)).body).toEqual({ created: 0, changed: 0 });
    expect((await other.operator.call(listFlags, {})).body.flags[0]?.version).toBe(1);
    expect((await other.served()).features).toEqual((await one.served()).features);
  });

  it('FLAG-17: a changed flag gets a version, one that is not in the document stays, and the audit has each', async () => {
    const { operator, served } = await open(engine);
    await fill(operator);
    await operator.call(createFlag, { body: { ...flag, key: 'other' } });
    const values = { ...staff, values: 'a\nb\nc' };
    const document = {
      portico: 'flags',
      flags: [{ ...flag, enabled: false, defaultValue: 'x' }],
      segments: [values],
    };
    const shown = (await preview(operator, document)).body;
    expect(shown).toMatchObject({
      flags: [{ state: 'changed', before: { enabled: true }, after: { enabled: false } }],
      segments: [{ state: 'changed', size: 3 }],
      kept: ['other'],
    });
    expect((await take(operator, document)).body).toEqual({ created: 0, changed: 1 });
    const params = { flagKey: 'checkout' };
    const { versions } = (await operator.call(listFlagVersions, { params })).body;
    expect(versions.map(({ version, flag: { enabled } }) => [version, enabled])).toEqual([
      [2, false],
      [1, true],
    ]);
    expect(Object.keys((await served()).features)).toContain('other');
    expect(Object.keys((await served()).features)).not.toContain('checkout');
    expect((await operator.call(getSegment, { params: { segmentId: 'grp_staff' } })).body.values).toBe(
      'a\nb\nc',
    );
    const { entries } = (await operator.call(listAudit, { query: {} })).body;
    expect(
      entries
        .slice(0, 2)
        .map(({ action }) => action)
        .toSorted(),
    ).toEqual(['flag.update', 'segment.update']);

    await operator.call(deleteFlag, { params: { flagKey: 'other' }, query: { version: 1 } });
    const archived = { ...document, flags: [{ ...flag, key: 'other' }] };
    expect((await preview(operator, archived)).body).toMatchObject({
      flags: [],
      unmapped: [{ kind: 'flag', name: 'other', reason: 'archived' }],
    });
  });

  it.each(once)('FLAG-17: the project here is named that watches an imported ramp', async () => {
    const { operator } = await open(engine);
    const ramp = (project: number) => ({
      force: 'new',
      hashAttribute: 'id',
      schedule: { from: 1, zone: 'UTC' },
      ramp: { steps: [{ coverage: 1 }], guard: { project, events: 5, factor: 2, minutes: 10 } },
    });
    const rules = [ramp(1), ramp(77)];
    const document = { portico: 'flags', flags: [{ ...flag, rules }], segments: [] };
    const named = [
      { kind: 'flag', name: 'checkout', reason: 'guard', detail: 'Portico' },
      { kind: 'flag', name: 'checkout', reason: 'guard', detail: '77' },
    ];
    expect((await preview(operator, document)).body.unmapped).toEqual(named);
    expect((await take(operator, document)).body).toEqual({ created: 1, changed: 0 });
    expect((await preview(operator, document)).body.unmapped).toEqual([]);
  });

  it('FLAG-17: is refused whole where a flag has changed since the preview', async () => {
    const { operator } = await open(engine);
    await fill(operator);
    const document = JSON.stringify({ portico: 'flags', flags: [{ ...flag, key: 'new' }], segments: [] });
    const { basis } = (await operator.call(previewImport, { body: { document } })).body;
    const params = { flagKey: 'checkout' };
    await operator.call(switchFlag, { params, body: { enabled: false, version: 1 } });
    const refused = await operator.call(importFlags, { body: { document, basis } });
    expect([refused.status, refused.problem?.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect((await operator.call(listFlags, {})).body.flags.map(({ key }) => key)).toEqual(['checkout']);
  });

  it('FLAG-17: a payload of GrowthBook is evaluated as before', async () => {
    const { operator, served } = await open(engine);
    const condition = { $or: [{ id: { $inGroup: 'grp_few' } }, { $savedGroup: { id: 'grp_german' } }] };
    const meta = [{ key: '0' }, { key: '1' }];
    const payload = {
      features: {
        base: { defaultValue: false, rules: [{ condition, force: true }] },
        color: {
          defaultValue: 'blue',
          rules: [
            { parentConditions: [{ id: 'base', condition: { value: true } }], force: 'green' },
            {
              variations: ['blue', 'red'],
              weights: [0.3, 0.7],
              coverage: 0.6,
              hashAttribute: 'id',
              key: 'test',
              meta,
            },
          ],
        },
        size: {
          defaultValue: { px: 3 },
          rules: [{ condition: { age: { $gte: 18 } }, force: null, coverage: 0.5, hashAttribute: 'id' }],
        },
      },
      savedGroups: {
        grp_few: ['p1', 'p3'],
        grp_german: { type: 'condition' as const, condition: { country: 'DE' } },
      },
    };
    expect((await take(operator, payload)).body).toEqual({ created: 3, changed: 0 });
    const here = await served();
    const values = (
      of: { features: FeatureDefinitions; savedGroups?: SavedGroupsPayload },
      attributes: object,
    ) => {
      const sdk = new GrowthBook({ attributes }).initSync({ payload: of });
      return Object.keys(payload.features).map((key) => sdk.evalFeature(key).value as unknown);
    };
    const person = fc.record({
      id: fc.integer({ min: 0, max: 500 }).map((number) => `p${number}`),
      country: fc.constantFrom('DE', 'FR'),
      age: fc.nat(40),
    });
    fc.assert(
      fc.property(person, (attributes) => {
        expect(values(here, attributes)).toEqual(values(payload, attributes));
      }),
      { examples: [[{ id: 'p1', country: 'FR', age: 3 }], [{ id: 'p2', country: 'DE', age: 30 }]] },
    );
  });

  it.each(once)('FLAG-17: an export of Unleash passes the checks of saved flags', async () => {
    const { operator } = await open(engine);
    const { format, environment, flags, unmapped } = (await preview(operator, unleashExport)).body;
    expect([format, environment, flags.length]).toEqual(['unleash', 'development', 14]);
    expect(unmapped.filter(({ reason }) => reason === 'invalid')).toEqual([]);
    expect((await take(operator, unleashExport)).body).toEqual({ created: 14, changed: 0 });
  });

  it.each(once)(
    'FLAG-17: what the checks of a saved flag refuse is named, and the rest comes in',
    async () => {
      const { operator } = await open(engine);
      const bad = { condition: { id: { $inGroup: 'grp_missing' } }, force: 'x' };
      const gate = (id: string) => ({ parentConditions: [{ id, condition: { value: 'x' } }], force: 'x' });
      const document = {
        portico: 'flags',
        segments: [
          { ...staff, values: 'x'.repeat(300) },
          { ...both, id: 'grp_circle', condition: { $savedGroup: { id: 'grp_circle' } } },
        ],
        flags: [
          { ...flag, rules: [] },
          { ...flag, rules: [] },
          { ...flag, key: 'bad-rule', rules: [bad] },
          {
            ...flag,
            key: 'in-staff',
            rules: [{ condition: { $savedGroup: { id: 'grp_staff' } }, force: 'x' }],
          },
          { ...flag, key: 'one', rules: [gate('two')] },
          { ...flag, key: 'two', rules: [gate('one')] },
          { ...flag, key: 'not a key', rules: [] },
          { ...flag, key: 'MAINTENANCE', rules: [] },
        ],
      };
      const { flags, segments, unmapped } = (await preview(operator, document)).body;
      expect([flags.map(({ key }) => key), segments]).toEqual([['checkout'], []]);
      expect(unmapped.find(({ name }) => name === 'not a key')?.detail).toContain('A–Z a–z 0–9');
      expect(unmapped.map(({ name, reason, detail }) => [name, reason, detail.split(':')[0]])).toEqual([
        ['Staff', 'invalid', 'values'],
        ['Both', 'invalid', 'condition'],
        ['not a key', 'invalid', 'key'],
        ['checkout', 'duplicate', ''],
        ['MAINTENANCE', 'reserved', ''],
        ['bad-rule', 'invalid', 'rules/0/condition/id/$inGroup'],
        ['in-staff', 'invalid', 'rules/0/condition/$savedGroup/id'],
        ['one', 'invalid', 'rules/0/parentConditions/0/id'],
        ['two', 'invalid', 'rules/0/parentConditions/0/id'],
      ]);
    },
  );

  it.each(once)(
    'FLAG-17: a document that is none, too deep or too large is refused with its reason',
    async () => {
      const { operator } = await open(engine);
      const many = Array.from({ length: mostImported + 1 }, (_, at) => ({
        ...flag,
        key: `f${at}`,
        rules: [],
      }));
      const code = async (document: string) => {
        const { status, problem } = await operator.call(previewImport, { body: { document } });
        return [status, problem?.errors?.[0]?.code];
      };
      expect(await code('{')).toEqual([422, 'json']);
      expect(await code('[]')).toEqual([422, 'format']);
      expect(await code('{"features":[]}')).toEqual([422, 'empty']);
      expect(await code(`${'['.repeat(60_000)}${']'.repeat(60_000)}`)).toEqual([422, 'too_big']);
      expect(await code(JSON.stringify({ portico: 'flags', flags: many, segments: [] }))).toEqual([
        422,
        'too_big',
      ]);
      expect(await code('{"features":{"__proto__":{"defaultValue":true}}}')).toEqual([400, 'reserved']);
      expect(await code('{"portico":"flags","flags":[{}],"segments":[]}')).toEqual([422, 'invalid']);
    },
  );

  it.each(once)('FLAG-17: two thousand flags come in, and hold up no one for long', async () => {
    const { operator } = await open(engine);
    const flags = Array.from({ length: mostImported }, (_, at) => ({ ...flag, key: `f${at}`, rules: [] }));
    expect((await take(operator, { portico: 'flags', flags, segments: [] })).body).toEqual({
      created: mostImported,
      changed: 0,
    });
  });
});
