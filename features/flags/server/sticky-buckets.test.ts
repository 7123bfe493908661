import { GrowthBook, StickyBucketService, type StickyAssignmentsDocument } from '@growthbook/growthbook';
import {
  createFlag,
  listClientKeys,
  readFeatures,
  renameClientKey,
  updateFlag,
  type FlagRule,
} from '#features/flags/contract/flags.ts';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, oneEngine, openFresh, provedOn, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import { systemClock } from '#server/platform/time/clock.ts';
import { createStickyBuckets } from './sticky-buckets.ts';
import { writeDocuments } from './sticky-buckets.store.ts';

type Features = Record<string, { defaultValue?: unknown; rules?: Record<string, unknown>[] }>;

const draft = { type: 'string' as const, description: '', defaultValue: 'none', rules: [], tags: [] };

async function open(engine: Engine, isSticky = true) {
  const clock = movableClock();
  const app = await startApp({ engine, clock });
  const operator = await signIn(app, { roles: ['operator'] });
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  const key = (wanted: string) => clientKeys.find(({ kind }) => kind === wanted)?.key ?? '';
  const body = { name: 'shop', stickyBuckets: isSticky, version: 1 };
  const set = await operator.call(renameClientKey, { params: { clientKey: key('remote-eval') }, body });
  expect(set.status).toBe(200);
  return { app, clock, operator, key };
}

async function write(operator: SignedIn, key: string, rules: FlagRule[]): Promise<void> {
  const made = await operator.call(createFlag, { body: { ...draft, key, rules, enabled: true } });
  expect([made.problem?.errors ?? [], made.status]).toEqual([[], 201]);
}

async function evaluate(app: TestApp, clientKey: string, attributes: object): Promise<Features> {
  const answer = await fetch(`${app.url}/api/eval/${clientKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ attributes }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { features: Features }).features;
}

/** Each document as `key experiment variation …`. */
async function stored(app: Pick<TestApp, 'database'>): Promise<string[]> {
  const rows = await app.database.read.selectFrom('sticky_bucket').selectAll().execute();
  return rows
    .map(({ key, assignments }) => written(key, JSON.parse(assignments) as Record<string, string>))
    .toSorted();
}

function written(key: string, assignments: Record<string, string>): string {
  const all = Object.entries(assignments).map(([name, variation]) => `${name} ${variation}`);
  return [key, ...all.toSorted()].join(' ');
}

/** As an application keeps them. */
class Documents extends StickyBucketService {
  readonly all = new Map<string, StickyAssignmentsDocument>();
  getAssignments(name: string, value: string) {
    return Promise.resolve(this.all.get(this.getKey(name, value)) ?? null);
  }
  saveAssignments(doc: StickyAssignmentsDocument) {
    this.all.set(this.getKey(doc.attributeName, doc.attributeValue), structuredClone(doc));
    return Promise.resolve();
  }
}

const variations = ['a', 'b', 'c'];
const meta = [{ key: 'x' }, { key: 'y' }, { key: 'z' }];
const experiment = fc.record(
  {
    key: fc.constantFrom('one', 'one', 'two'),
    variations: fc.constant(variations),
    meta: fc.constantFrom(meta, meta, meta, [{ key: 'y' }, { key: 'x' }, {}], [{}, {}, {}]),
    weights: fc.constantFrom([1, 0, 0], [0, 0, 1], [0.3, 0.3, 0.4]),
    coverage: fc.constantFrom(0, 0.5, 1, 1),
    hashAttribute: fc.constantFrom('id', 'id', 'device', ''),
    fallbackAttribute: fc.constantFrom('device', 'company', ''),
    bucketVersion: fc.constantFrom(0, 0, 0, 1, 2),
    minBucketVersion: fc.constantFrom(0, 0, 0, 1),
    disableStickyBucketing: fc.constantFrom(false, false, false, true),
    condition: fc.constantFrom({ country: 'de' }, { country: 'de' }, { country: 'fr' }),
    namespace: fc.constantFrom(['n', 0, 0.5], ['n', 0, 1]),
  },
  { requiredKeys: ['key', 'variations', 'meta'] },
);
/** What is asked before the variation that somebody has. */
const filtered = experiment.map((rule) => ({
  ...rule,
  filters: [{ seed: 'f', ranges: [[0, 0.5]], attribute: 'id' }],
}));
const rollout = fc.record(
  {
    force: fc.constant('forced'),
    coverage: fc.constantFrom(0.3, 1),
    fallbackAttribute: fc.constantFrom('device', ''),
    disableStickyBucketing: fc.boolean(),
    condition: fc.constant({ country: 'de' }),
  },
  { requiredKeys: ['force', 'coverage'] },
);
const rules = fc.array(fc.oneof({ arbitrary: experiment, weight: 8 }, rollout, filtered), {
  minLength: 1,
  maxLength: 3,
});
const person = fc.record(
  {
    id: fc.constantFrom('ada', 'ada', 'ada', '', 7),
    device: fc.constantFrom('phone', 'phone', ''),
    company: fc.constantFrom('acme', 'acme', 12),
    country: fc.constantFrom('de', 'fr'),
  },
  { requiredKeys: ['id'] },
);

const day = 86_400_000;
/** An experiment of two variations. */
const split = (weights: number[]): FlagRule => ({ variations: ['a', 'b'], meta: meta.slice(0, 2), weights });

/** What an SDK says of an experiment that it reports. */
const reported = (result: Record<string, unknown>) =>
  ['key', 'variationId', 'hashAttribute', 'hashValue', 'stickyBucketUsed'].map((name) => result[name]);

describe.each(engines)('variations of people, kept on %s', (engine) => {
  it.each(provedOn(engine))(
    'FLAG-21: are those that SDK 1.8 gives with a StickyBucketService, whatever an operator changes between',
    async () => {
      const { app, operator, key } = await open(engine);
      await write(operator, 'FIRST', []);
      await write(operator, 'SECOND', [
        { parentConditions: [{ id: 'FIRST', condition: { value: 'a' } }], force: 'p' },
      ]);
      const versions: Record<string, number> = { FIRST: 1, SECOND: 1 };
      let run = 0;
      let kept = 0;
      const all: string[] = [];
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(rules, rules, fc.array(person, { minLength: 1, maxLength: 3 })), {
            minLength: 2,
            maxLength: 4,
          }),
          async (steps) => {
            run += 1;
            const documents = new Documents();
            for (const [first, second, people] of steps) {
              for (const [flagKey, given] of Object.entries({ FIRST: first, SECOND: second })) {
                const body = { ...draft, rules: given as FlagRule[], version: versions[flagKey] ?? 0 };
                const answer = await operator.call(updateFlag, { params: { flagKey }, body });
                expect([answer.problem?.errors ?? [], answer.status]).toEqual([[], 200]);
                versions[flagKey] = answer.body.version;
              }
              const plain = await app.call(readFeatures, { params: { clientKey: key('plain') } });
              const { features } = plain.body as unknown as { features: Features };
              for (const one of people) {
                // Each run has people of its own: what is stored stays.
                const attributes = Object.fromEntries(
                  Object.entries(one).map(([name, value]) =>
                    name === 'country' || value === ''
                      ? [name, value]
                      : [name, typeof value === 'number' ? run * 100 + value : `${value} ${run}`],
                  ),
                );
                const client = new GrowthBook({ attributes, stickyBucketService: documents });
                await client.init({ payload: { features } });
                const remote = await evaluate(app, key('remote-eval'), attributes);
                for (const flagKey of Object.keys(versions)) {
                  const { value, source, experimentResult } = client.evalFeature(flagKey);
                  const { defaultValue, rules: [rule] = [] } = remote[flagKey] ?? {};
                  expect(defaultValue).toEqual(value);
                  if (source !== 'experiment') continue;
                  const tracks = rule?.['tracks'] as { result: Record<string, unknown> }[];
                  if (experimentResult?.stickyBucketUsed === true) kept += 1;
                  expect(tracks.map(({ result }) => reported(result))).toContainEqual(
                    reported({ ...experimentResult }),
                  );
                }
                client.destroy();
              }
            }
            for (const [name, { assignments }] of documents.all) all.push(written(name, assignments));
          },
        ),
        { numRuns: 60 },
      );
      expect(kept).toBeGreaterThan(20);
      await expect.poll(() => stored(app)).toEqual(all.toSorted());
    },
  );

  it('FLAG-21: outlive a restart, and end 90 days after they were last read', async () => {
    const { app, clock, operator, key } = await open(engine);
    await write(operator, 'SPLIT', [split([1, 0])]);
    const variation = async (by: TestApp, id: string) => {
      const { SPLIT } = await evaluate(by, key('remote-eval'), { id });
      return SPLIT?.defaultValue;
    };
    expect([await variation(app, 'ada'), await variation(app, 'eve')]).toEqual(['a', 'a']);
    await app.stop();

    const after = await startApp({ after: app, clock });
    const body = { ...draft, rules: [split([0, 1])], version: 1 };
    clock.move(80 * day);
    const again = await signIn(after, { roles: ['operator'] });
    expect((await again.call(updateFlag, { params: { flagKey: 'SPLIT' }, body })).status).toBe(200);
    expect([await variation(after, 'ada'), await variation(after, 'new')]).toEqual(['a', 'b']);
    // A rule without keys of variations, as the console makes it, keeps them by their places.
    const { meta: _meta, ...unnamed } = split([0, 1]);
    await write(again, 'UNNAMED', [{ ...unnamed, key: 'both', weights: [1, 0] }]);
    await write(again, 'UNNAMED_TOO', [{ ...unnamed, key: 'both', weights: [0, 1] }]);
    expect((await evaluate(after, key('remote-eval'), { id: 'ada' }))['UNNAMED_TOO']?.defaultValue).toBe('a');
    const ada = 'id||ada SPLIT__0 x both__0 0';
    await expect.poll(() => stored(after)).toEqual([ada, 'id||eve SPLIT__0 x', 'id||new SPLIT__0 y']);
    const readAt = (value: string) =>
      after.database.read.selectFrom('sticky_bucket').select('read_at').where('value', '=', value).execute();
    await expect.poll(() => readAt('ada')).toEqual([{ read_at: clock.now() }]);
    clock.move(11 * day);
    await after.sweep();
    expect(await stored(after)).toEqual([ada, 'id||new SPLIT__0 y']);
    expect(await variation(after, 'eve')).toBe('b');
  });

  it('FLAG-21: are kept of values that a database takes, without those that come with them', async () => {
    const { app, clock, operator, key } = await open(engine);
    await write(operator, 'SPLIT', [split([1, 0])]);
    for (const id of [
      'a\0b',
      '\ud83d',
      'x'.repeat(1_000),
      { toString: 1 },
      ['a'.repeat(999)],
      'ada',
      { a: 1 },
    ]) {
      const { SPLIT } = await evaluate(app, key('remote-eval'), { id });
      expect(SPLIT?.defaultValue).toBe(
        typeof id === 'object' && 'toString' in id && id.toString === 1 ? 'none' : 'a',
      );
    }
    const kept = async () => {
      // Where the database has not answered in time it is asked again a second later.
      clock.move(1_000);
      for (const id of ['ada', { a: 1 }]) await evaluate(app, key('remote-eval'), { id });
      return stored(app);
    };
    await expect.poll(kept).toEqual(['id||ada SPLIT__0 x', 'id||{"a":1} SPLIT__0 x']);
  });
});

describe.each(oneEngine)('a client key on %s', (engine) => {
  it('FLAG-21: keeps nothing of people until an operator says so, which is for remote evaluation alone', async () => {
    const { app, operator, key } = await open(engine, false);
    await write(operator, 'SPLIT', [split([1, 0])]);
    await evaluate(app, key('remote-eval'), { id: 'ada' });
    const set = (clientKey: string, version: number) =>
      operator.call(renameClientKey, {
        params: { clientKey },
        body: { name: 'shop', stickyBuckets: true, version },
      });
    const refused = await set(key('plain'), 1);
    expect(refused.problem?.errors?.map(({ pointer }) => pointer)).toEqual(['/stickyBuckets']);
    expect((await set(key('remote-eval'), 2)).body.stickyBuckets).toBe(true);
    await evaluate(app, key('remote-eval'), { id: 'eve' });
    await expect.poll(() => stored(app)).toEqual(['id||eve SPLIT__0 x']);
    const audited = await app.database.read
      .selectFrom('audit')
      .select('after')
      .where('action', '=', 'client-key.rename')
      .execute();
    expect(audited.at(-1)?.after).toContain('"stickyBuckets":true');
  });
});

describe.each(oneEngine)('what is kept on %s', (engine) => {
  const ids = Array.from({ length: 1_000 }, (_, at) => `invented-${at}`);
  async function buckets(limits: { stored: number; waiting: number }, on = engine) {
    const database = await openFresh(on);
    const unkept: string[] = [];
    const warnings: string[] = [];
    const logger = { warn: (_about: unknown, text: string) => warnings.push(text) } as unknown as Logger;
    const parts = { database, clock: systemClock, logger };
    const made = createStickyBuckets(parts, { note: (key, kind) => unkept.push(`${key} ${kind}`) }, limits);
    const keep = async (attributeValue: string) => {
      const { saveStickyBucketAssignmentDoc: save } = await made.read('sdk-1', { id: attributeValue }, [
        'id',
      ]);
      await save({ attributeName: 'id', attributeValue, assignments: { exp__0: '1' } });
    };
    return { ...made, database, unkept, warnings, keep };
  }

  it('FLAG-21: is bounded, and what is not kept is counted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { database, unkept, keep, close } = await buckets({ stored: 100, waiting: 200 });
    for (const id of ids.slice(0, 500)) await keep(id);
    await vi.runOnlyPendingTimersAsync();
    vi.useRealTimers();
    await expect.poll(() => stored({ database })).toHaveLength(200);
    expect([unkept.length, new Set(unkept)]).toEqual([300, new Set(['sdk-1 unkept'])]);
    await close();

    const next = await buckets({ stored: 0, waiting: 200 });
    await next.keep('first');
    await expect.poll(async () => next.keep('second').then(() => next.unkept.length)).toBeGreaterThan(0);
    await next.close();
    await database.close();
    await next.database.close();
  });

  it.each(engines.filter((one) => one === 'postgres'))(
    'FLAG-21: is not waited for where %s does not answer',
    async (postgres) => {
      const { database, keep, unkept, warnings, close, read } = await buckets(
        { stored: 100, waiting: 100 },
        postgres,
      );
      const known = { attributeName: 'id', attributeValue: 'known', assignments: { exp__0: '1' } };
      await database.transaction((tx) => writeDocuments(tx, [['id||known', known]], systemClock.now()));
      await database.transaction(async (tx) => {
        await sql`lock table sticky_bucket in access exclusive mode`.execute(tx);
        for (const id of ids) await keep(id);
        expect((await read('sdk-1', { id: 'known' }, ['id'])).stickyBucketAssignmentDocs).toEqual({});
      });
      expect([unkept.length, warnings]).toEqual([1_000, []]);
      await close();
      await database.close();
    },
  );
});
