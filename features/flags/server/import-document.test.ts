import { describe, expect, it } from 'vitest';
import growthbookApi from './testing/growthbook-api.json' with { type: 'json' };
import unleashExport from './testing/unleash-export.json' with { type: 'json' };
import { readImport } from './import-document.ts';

const read = (document: unknown, environment?: string) =>
  readImport({ document: JSON.stringify(document), environment });

describe('the REST answers of GrowthBook', () => {
  const { environments, environment, mapped } = read(growthbookApi);
  const flagOf = (key: string, of = mapped) => of.flags.find((flag) => flag.key === key);

  it('FLAG-17: name their environments, and production counts where no other is asked for', () => {
    expect([environments, environment]).toEqual([['dev', 'production'], 'production']);
    expect(() => read(growthbookApi, 'stage')).toThrow('not valid');
  });

  it('FLAG-17: rules of the environment become those of SDKs, with groups and prerequisites', () => {
    expect(flagOf('new-search')).toEqual({
      key: 'new-search',
      type: 'boolean',
      enabled: false,
      description: 'The new search',
      tags: ['search'],
      defaultValue: false,
      rules: [
        { parentConditions: [{ id: 'base', condition: { value: true }, gate: true }] },
        {
          id: 'fr_1',
          condition: {
            $and: [
              { plan: 'pro' },
              { $or: [{ $savedGroup: { id: 'grp_testers' } }] },
              { $nor: [{ $savedGroup: { id: 'grp_german' } }] },
            ],
          },
          force: true,
        },
        { id: 'fr_2', force: true, coverage: 0.25, hashAttribute: 'company' },
      ],
    });
    expect(flagOf('config')?.defaultValue).toEqual({ size: 3 });
  });

  it('FLAG-17: a schedule of one span becomes the start and end of its rule, any other leaves the flag out', () => {
    const [early, late] = ['2026-12-01T08:00:00.000Z', '2026-12-23T16:09:37.769Z'];
    const schedules = (...times: [enabled: boolean, timestamp: string | null][]) => {
      const scheduleRules = times.map(([enabled, timestamp]) => ({ enabled, timestamp }));
      const rule = { id: 'fr', type: 'force', value: 'true', scheduleRules };
      const definition = JSON.stringify({ defaultValue: false, rules: [{ force: true }] });
      const environments = { production: { enabled: true, rules: [rule], definition } };
      const feature = { id: 'f', valueType: 'boolean', defaultValue: 'false', environments };
      const { flags, unmapped } = read([{ features: [feature] }]).mapped;
      return flags[0]?.rules?.map((one) => one['schedule']) ?? unmapped.map(({ reason }) => reason);
    };
    const [from, until] = [Date.parse(early), Date.parse(late)];
    expect(schedules([true, early], [false, late])).toEqual([{ from, until, zone: 'UTC' }]);
    expect(schedules([true, null], [false, late])).toEqual([{ until, zone: 'UTC' }]);
    expect(schedules([true, null], [false, null])).toEqual([undefined]);
    for (const times of [
      [
        [false, early],
        [true, late],
      ],
      [
        [true, early],
        [true, late],
      ],
      [[true, 'soon']],
    ] as [boolean, string][][])
      expect(schedules(...times)).toEqual(['schedule']);
    expect(flagOf('timed')?.rules).toEqual([{ id: 'fr_7', force: true, schedule: { until, zone: 'UTC' } }]);
  });

  it('FLAG-17: an experiment becomes its variations, and a flag that is on its own definition', () => {
    expect(flagOf('color')?.rules).toEqual([
      {
        id: 'fr_5',
        coverage: 0.8,
        hashAttribute: 'id',
        key: 'color-test',
        variations: ['blue', 'red'],
        weights: [0.5, 0.5],
        meta: [
          { key: '0', name: 'Control' },
          { key: '1', name: 'Red' },
        ],
        namespace: ['ns', 0, 0.5],
      },
    ]);
    const inDev = read(growthbookApi, 'dev').mapped;
    expect(flagOf('new-search', inDev)).toMatchObject({
      enabled: true,
      rules: [{ id: 'fr_1', force: true, condition: { id: { $inGroup: 'grp_testers' } } }],
    });
  });

  it('FLAG-17: segments are lists or conditions, and what does not map is named', () => {
    expect(mapped.segments).toMatchObject([
      { id: 'grp_testers', kind: 'list', attribute: 'id', values: 't1\nt2' },
      { id: 'grp_german', kind: 'condition', condition: { country: 'DE' } },
    ]);
    expect(mapped.unmapped.map(({ name, reason, detail }) => [name, reason, detail])).toEqual([
      ['referenced', 'rule', 'experiment-ref'],
      ['old', 'archived', ''],
      ['elsewhere', 'environment', 'production'],
    ]);
  });
});

describe('an SDK payload of GrowthBook', () => {
  it('FLAG-17: gives types by the values, the attribute of an array by its use, and names unknown parts', () => {
    const { mapped } = read({
      features: {
        color: { defaultValue: 'a', rules: [{ force: 'b' }, { variations: ['a', null] }] },
        mixed: { defaultValue: 1, rules: [{ force: 'b' }] },
        empty: {},
        seen: {
          defaultValue: true,
          rules: [{ condition: { $and: [{ shop: { $notInGroup: 'grp_a' } }] }, force: false }],
          project: 'p',
        },
      },
      savedGroups: { grp_a: [1, 2], grp_b: ['x', ' y'], grp_c: { type: 'condition', condition: { a: 1 } } },
    });
    expect(
      mapped.flags.map(({ key, type, defaultValue, enabled }) => [key, type, defaultValue, enabled]),
    ).toEqual([
      ['color', 'string', 'a', true],
      ['mixed', 'json', 1, true],
      ['empty', 'json', null, true],
      ['seen', 'boolean', true, true],
    ]);
    expect(mapped.segments).toEqual([
      { id: 'grp_a', kind: 'list', attribute: 'shop', numbers: true, values: '1\n2' },
      { id: 'grp_c', kind: 'condition', attribute: '', condition: { a: 1 } },
    ]);
    expect(mapped.unmapped).toEqual([
      { kind: 'flag', name: 'seen', reason: 'field', detail: 'project' },
      { kind: 'segment', name: 'grp_b', reason: 'invalid', detail: '" y"' },
    ]);
  });
});

// Made by unleash-server 8.2 from features that its API was given.
describe('an export of Unleash', () => {
  const { environment, mapped } = read(unleashExport);
  const rulesOf = (key: string, of = mapped) => of.flags.find((flag) => flag.key === key)?.rules;
  const not = (key: string, of = mapped) =>
    of.unmapped.filter(({ name }) => name === key).map(({ reason, detail }) => [reason, detail]);

  it('FLAG-17: of several exports in a list only the strategies of the environment count', () => {
    const exportOf = (name: string, strategies: object[]) => ({
      features: [{ name: 'f' }],
      featureEnvironments: [{ featureName: 'f', environment: name, enabled: true }],
      featureStrategies: strategies.map((one) => ({ ...one, featureName: 'f' })),
    });
    const everyone = { name: 'default', parameters: {} };
    const list = [exportOf('production', []), exportOf('staging', [everyone])];
    const rules = (of: string) => read(list, of).mapped.flags[0]?.rules?.length;
    expect([rules('staging'), rules('production')]).toEqual([1, 0]);
  });

  it('FLAG-17: strategies become rules with their shares, attributes and people', () => {
    expect(environment).toBe('development');
    expect(rulesOf('plain-on')).toEqual([{ force: true }]);
    expect(rulesOf('half-of-people')).toEqual([
      { coverage: 0.5, hashAttribute: 'id', seed: 'half-of-people', force: true },
    ]);
    expect(rulesOf('acme-by-company')).toEqual([
      {
        condition: { company: { $in: ['ACME', 'Umbrella'] } },
        coverage: 0.2,
        hashAttribute: 'company',
        seed: 'by-company',
        force: true,
      },
    ]);
    expect(rulesOf('named-users')).toEqual([{ condition: { id: { $in: ['u1', 'u2', 'u3'] } }, force: true }]);
    expect(rulesOf('old-rollout')).toEqual([
      { coverage: 0.3, hashAttribute: 'id', seed: 'old', force: true },
    ]);
    expect(not('half-of-people')).toEqual([['bucketing', 'id']]);
    expect(mapped.flags.find(({ key }) => key === 'plain-on')?.tags).toEqual(['checkout']);
    expect(mapped.flags.find(({ key }) => key === 'switched-off')?.enabled).toBe(false);
  });

  it('FLAG-17: constraints become conditions, and those on the time the start and end of the rule', () => {
    const schedule = { from: Date.parse('2026-01-01T00:00:00Z'), zone: 'UTC' };
    expect([rulesOf('constraints')?.map((rule) => rule['schedule']), not('constraints')]).toEqual([
      [schedule],
      [],
    ]);
    const changed = (from: string, to: string) => {
      const text = JSON.stringify(unleashExport).replaceAll(from, to);
      const { mapped: other } = read(JSON.parse(text) as unknown);
      return rulesOf('constraints', other)?.map((rule) => rule['schedule']) ?? [];
    };
    expect(changed('"DATE_AFTER"', '"DATE_BEFORE"')).toEqual([{ until: schedule.from, zone: 'UTC' }]);
    expect(changed('"inverted":false', '"inverted":true')).toEqual([{ until: schedule.from, zone: 'UTC' }]);
    expect(changed('"2026-01-01T00:00:00.000Z"', '"soon"')).toEqual([]);
    const withoutTime = JSON.parse(
      JSON.stringify(unleashExport).replaceAll('"currentTime"', '"since"'),
    ) as unknown;
    expect(rulesOf('constraints', read(withoutTime).mapped)).toEqual([
      {
        condition: {
          $and: [
            { plan: { $nin: ['free'] } },
            { email: { $exists: true, $regexi: String.raw`(a\.b|x\+y)` } },
            { $not: { email: { $exists: true, $regex: '^(info@)' } } },
            { age: { $exists: true, $gte: 18 } },
            { $not: { age: { $exists: true, $eq: 99 } } },
            { since: { $exists: true, $gt: '2026-01-01T00:00:00.000Z' } },
            { appVersion: { $exists: true, $vgt: '1.2.3' } },
          ],
        },
        force: true,
      },
    ]);
  });

  it.each([
    ['IN', { host: { $in: ['db', 'DB2'] } }, { host: { $ini: ['db', 'DB2'] } }],
    ['NOT_IN', { host: { $nin: ['db', 'DB2'] } }, { host: { $nini: ['db', 'DB2'] } }],
    ['REGEX', { host: { $exists: true, $regex: '^db' } }, { host: { $exists: true, $regexi: '^db' } }],
  ])(
    'FLAG-17: %s of Unleash becomes its operator, in any case where it says so',
    (operator, exact, inAnyCase) => {
      const constraint = { contextName: 'host', operator, values: ['db', 'DB2'], value: '^db' };
      const conditions = [false, true].map((caseInsensitive) => {
        const constraints = [{ ...constraint, caseInsensitive }];
        const text = JSON.stringify(unleashExport, (name, each: unknown) =>
          name === 'constraints' ? constraints : each,
        );
        return rulesOf('constraints', read(JSON.parse(text) as unknown).mapped)?.[0]?.['condition'];
      });
      expect(conditions).toEqual([exact, inAnyCase]);
    },
  );

  it('FLAG-17: segments need the answer that has their constraints', () => {
    expect(rulesOf('staff-only')).toEqual([
      { condition: { $savedGroup: { id: 'grp_unleash_1' } }, force: true },
    ]);
    expect(mapped.segments).toMatchObject([
      {
        id: 'grp_unleash_1',
        name: 'Staff',
        condition: { email: { $exists: true, $regexi: String.raw`(@example\.org)$` } },
      },
    ]);
    const alone = read(unleashExport[0]).mapped;
    expect([rulesOf('staff-only', alone), not('staff-only', alone)]).toEqual([
      [],
      [['constraint', 'segment 1']],
    ]);
    expect(not('Staff', alone)).toEqual([['missing', 'constraints']]);
  });

  it('FLAG-17: variants become values, dependencies prerequisites, and the rest is named', () => {
    expect(rulesOf('button-color')).toEqual([
      {
        coverage: 1,
        hashAttribute: 'id',
        key: 'button-color',
        variations: ['#00f', '#f00'],
        weights: [0.5, 0.5],
        meta: [{ key: 'blue' }, { key: 'red' }],
      },
    ]);
    expect(mapped.flags.find(({ key }) => key === 'page-size')).toMatchObject({
      type: 'number',
      defaultValue: 0,
      rules: [{ force: 50 }],
    });
    expect(rulesOf('child')?.[0]).toEqual({
      parentConditions: [{ id: 'plain-on', condition: { value: true }, gate: true }],
    });
    expect([rulesOf('disabled-strategy'), not('disabled-strategy')]).toEqual([[], [['strategy', 'random']]]);
    expect([rulesOf('by-host'), not('by-host')]).toEqual([[], [['strategy', 'applicationHostname']]]);
  });
});
