import {
  createFlag,
  getFlag,
  listClientKeys,
  listFlagVersions,
  steerRamp,
  type ClientKeyKind,
} from '#features/flags/contract/flags.ts';
import { guardedSteps, isTooMany } from '#features/flags/contract/schedules.ts';
import { newsOf } from './schedule-news.ts';
import { tryFlag } from '#features/flags/contract/trials.ts';
import { describe, expect, it } from 'vitest';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import type { Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';

const hour = 3_600_000;
const monday = Date.UTC(2026, 9, 26, 8);
const draft = { type: 'boolean' as const, description: '', defaultValue: false, tags: [] };

/** 20 % of a company from Monday 9 in Berlin, a day later 50 %, then all, for two weeks. */
const rollout = {
  condition: { company: 'ACME' },
  force: true,
  hashAttribute: 'id',
  schedule: { from: monday, until: monday + 14 * 24 * hour, zone: 'Europe/Berlin' },
  ramp: {
    steps: [{ coverage: 0.2, minutes: 1_440 }, { coverage: 0.5, minutes: 2_880 }, { coverage: 1 }],
  },
};

async function open(engine: Engine) {
  // A Friday: the first version is before all boundaries.
  const clock = movableClock(monday - 72 * hour);
  const app = await startApp({ engine, clock });
  const operator = { accessToken: await addToken(app, { rights: builtInRoles.operator }) };
  const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
  const keyOf = (kind: ClientKeyKind) => clientKeys.find((one) => one.kind === kind)?.key ?? '';
  return { clock, app, operator, keyOf };
}

/** What a plain key gets of the rules of a flag, and the version. */
async function served(app: TestApp, key: string) {
  const response = await fetch(`${app.url}/api/features/${key}`);
  const text = await response.text();
  expect(text).not.toMatch(/schedule|ramp|steps|zone/);
  const { features, dateUpdated } = JSON.parse(text) as {
    features: Record<string, { rules?: { coverage?: number }[] }>;
    dateUpdated: string;
  };
  return { share: features['ROLLOUT']?.rules?.[0]?.coverage ?? null, at: Date.parse(dateUpdated) };
}

// SQLite has one process; PostgreSQL proves both.
describe('schedules and ramps on two replicas', () => {
  it('FLAG-20: webhooks are told once over all replicas, and after a restart, that a rule began, grew and ended by its schedule', async () => {
    const { clock, app, operator } = await open('postgres');
    const other = await startApp({ replicaOf: app, clock });
    const receiver = await startReceiver();
    const hook = { url: `${receiver.url}/hook`, description: '', enabled: true, areas: ['flag' as const] };
    await app.call(addWebhook, { body: hook }, operator);
    const body = { ...draft, key: 'ROLLOUT', enabled: true, rules: [{ force: false }, rollout] };
    await app.call(createFlag, { body }, operator);
    const told = () =>
      receiver.received.map(({ body: sent }) => {
        const { change, rule, coverage, by } = (JSON.parse(sent) as { data: Record<string, unknown> }).data;
        return [change, rule, coverage, by];
      });
    /** And none is under way: over such a time another replica would send it again. */
    const sent = async (at: TestApp, ...expected: unknown[]) => {
      await expect.poll(told).toEqual(expected);
      const states = () =>
        at.database.read.selectFrom('webhook_delivery').select('state').distinct().execute();
      await expect.poll(states).toEqual([{ state: 'delivered' }]);
    };
    const made = ['create', undefined, undefined, 'a test'];
    const begun = ['begun', 2, 0.2, null];
    await sent(app, made);
    clock.move(72 * hour);
    await sent(app, made, begun);
    for (const each of [other, app]) await each.stop();
    // Two steps pass while no process runs: only the latest is published.
    clock.move(72 * hour);
    const again = await startApp({ after: app, clock });
    await sent(again, made, begun, ['step', 2, 1, null]);
    clock.move(11 * 24 * hour);
    await sent(again, made, begun, ['step', 2, 1, null], ['ended', 2, undefined, null]);
    await again.stop();
  });

  it('FLAG-15: every replica serves what holds now, with the time of the last boundary as its version, also after a restart', async () => {
    const { clock, app, operator, keyOf } = await open('postgres');
    const key = keyOf('plain');
    const body = { ...draft, key: 'ROLLOUT', enabled: true, rules: [rollout] };
    const { changedAt } = (await app.call(createFlag, { body }, operator)).body;
    expect(await served(app, key)).toEqual({ share: null, at: changedAt });

    const other = await startApp({ replicaOf: app, clock });
    const seen: unknown[] = [];
    for (const [moved, share] of [
      [72, 0.2],
      [24, 0.5],
      [48, 1],
      [11 * 24, null],
    ] as const) {
      clock.move(moved * hour - 1);
      expect(await served(app, key)).not.toMatchObject({ share });
      clock.move(1);
      for (const each of [app, other])
        await expect.poll(() => served(each, key)).toEqual({ share, at: clock.now() });
      seen.push(clock.now());
    }
    expect(seen).toEqual([monday, monday + 24 * hour, monday + 72 * hour, monday + 14 * 24 * hour]);

    // A clock that is set back takes no one's value away, also where a sweep has written something in the meantime.
    clock.move(-12 * 24 * hour);
    await app.stop();
    const again = await startApp({ after: app, clock, config: { allowClockBehind: true } });
    expect(await served(again, key)).toEqual({ share: 0.5, at: monday + 24 * hour });
    clock.move(24 * hour);
    await expect.poll(() => served(again, key)).toEqual({ share: 1, at: monday + 72 * hour });
  });
});

it('FLAG-15: the times of a flag that is off are no versions', async () => {
  const { clock, app, operator, keyOf } = await open('sqlite');
  const body = { ...draft, key: 'ROLLOUT', enabled: false, rules: [rollout] };
  await app.call(createFlag, { body }, operator);
  const before = await served(app, keyOf('plain'));
  clock.move(80 * hour);
  await app.stop();
  expect(await served(await startApp({ after: app, clock }), keyOf('plain'))).toEqual(before);
});

it('FLAG-15: a trial says that a rule does not apply at this time, and is made at another one', async () => {
  const { clock, app, operator } = await open('sqlite');
  const rules = [rollout, { force: true }];
  await app.call(createFlag, { body: { ...draft, key: 'ROLLOUT', enabled: true, rules: [] } }, operator);
  const attempt = async (at?: number) => {
    const definition = { type: draft.type, defaultValue: false, rules };
    const body = { definition, for: { attributes: {} }, ...(at === undefined ? {} : { at }) };
    const { steps, rule } = (await app.call(tryFlag, { params: { flagKey: 'ROLLOUT' }, body }, operator))
      .body;
    return { rule, steps: steps.map((step) => [step.rule, step.outcome]) };
  };
  const decides = [1, 'decides'];
  expect(await attempt()).toEqual({ rule: 1, steps: [[0, 'time'], decides] });
  const begun = { rule: 1, steps: [[0, 'condition'], decides] };
  expect([await attempt(monday - 1), await attempt(monday)]).toEqual([await attempt(), begun]);
  clock.move(73 * hour);
  expect(await attempt()).toEqual(begun);
});

it('FLAG-15: what is past, or ends before the ramp does, is a warning', async () => {
  const { clock, app, operator } = await open('sqlite');
  const short = { ...rollout, schedule: { ...rollout.schedule, until: monday + 25 * hour } };
  const body = { ...draft, key: 'ROLLOUT', enabled: true, rules: [rollout, short] };
  expect((await app.call(createFlag, { body }, operator)).status).toBe(201);
  const warnings = async () =>
    (await app.call(getFlag, { params: { flagKey: 'ROLLOUT' } }, operator)).body.warnings.map(
      ({ pointer, code }) => [pointer, code],
    );
  expect(await warnings()).toEqual([['/rules/1/schedule/until', 'too_early']]);
  // Before it is saved, too.
  const definition = {
    type: draft.type,
    defaultValue: false,
    rules: [{ condition: { id: { $like: 'a' } }, force: true }],
  };
  const trial = { params: { flagKey: 'ROLLOUT' }, body: { definition, for: { attributes: {} } } };
  expect((await app.call(tryFlag, trial, operator)).body.warnings.map(({ pointer }) => pointer)).toEqual([
    '/rules/0/condition/id/$like',
  ]);
  clock.move(100 * hour);
  expect(await warnings()).toEqual([['/rules/1/schedule/until', 'past']]);
});

it('FLAG-15: a person pauses, resumes and ends a ramp, each a version with an entry in the audit', async () => {
  const { clock, app, operator, keyOf } = await open('sqlite');
  const body = { ...draft, key: 'ROLLOUT', enabled: true, rules: [rollout] };
  let { version } = (await app.call(createFlag, { body }, operator)).body;
  const steer = async (action: 'pause' | 'resume' | 'end', rule = 0) => {
    const given = { params: { flagKey: 'ROLLOUT' }, body: { rule, action, version } };
    const answer = await app.call(steerRamp, given, operator);
    if (answer.status !== 200) return answer.problem?.code;
    ({ version } = answer.body);
    return version;
  };
  const share = async () => (await served(app, keyOf('plain'))).share;
  expect(await steer('pause')).toBe('CONFLICT');
  clock.move(84 * hour);
  await expect.poll(share).toBe(0.2);
  expect([await steer('pause', 1), await steer('resume'), await steer('pause')]).toEqual([
    'CONFLICT',
    'CONFLICT',
    2,
  ]);
  clock.move(100 * hour);
  expect(await share()).toBe(0.2);
  expect(await steer('resume')).toBe(3);
  clock.move(11 * hour);
  expect(await share()).toBe(0.2);
  clock.move(hour);
  await expect.poll(share).toBe(0.5);
  expect([await steer('end'), await share(), await steer('pause')]).toEqual([4, 1, 'CONFLICT']);
  const { versions } = (
    await app.call(listFlagVersions, { params: { flagKey: 'ROLLOUT' }, query: {} }, operator)
  ).body;
  expect(versions.map((each) => each.version)).toEqual([4, 3, 2, 1]);
});

describe('what a guard judges', () => {
  const minute = 60_000;
  const guard = { project: 1, events: 10, factor: 3, minutes: 60 };
  const guarded = (more: object = {}) => ({
    schedule: { from: 0, zone: 'UTC' },
    ramp: {
      steps: [{ coverage: 0, minutes: 90 }, { coverage: 0.5, minutes: 20 }, { coverage: 1 }],
      guard,
      ...more,
    },
  });
  const end = { step: 2, since: 0 };

  it.each<[string, number, number, object, [step: number, until: number][]]>([
    ['nothing before the ramp begins', -100, -1, {}, []],
    ['the step that runs', 0, 30, {}, [[0, 60]]],
    ['nothing after its minutes', 61, 80, {}, []],
    ['a step whose minutes ended since the last look', 59, 80, {}, [[0, 60]]],
    ['a shorter step until the next one', 100, 105, {}, [[1, 110]]],
    [
      'steps that began and were over in between',
      0,
      115,
      {},
      [
        [0, 60],
        [1, 110],
        [2, 170],
      ],
    ],
    ['nothing of a ramp that is paused', 0, 30, { paused: 10 * minute }, []],
    ['the last step where a person ended the ramp', 0, 30, { anchor: end }, [[2, 60]]],
    [
      'nothing before the first step, where it may have been taken back to',
      0,
      30,
      { anchor: { step: -1, since: 0 } },
      [],
    ],
  ])('FLAG-15: %s', (_what, since, now, more, expected) => {
    const found = guardedSteps(guarded(more), since * minute, now * minute);
    expect(found.map(({ step, until }) => [step, until / minute])).toEqual(expected);
  });

  it.each<[before: number, since: number, minutes: number, boolean]>([
    [0, 9, 60, false],
    [0, 10, 60, true],
    // 5 in half an hour are 10 in an hour, and 30 three times as many.
    [5, 29, 60, false],
    [5, 30, 60, true],
    // 5 in 10 minutes, where the next step begins then.
    [5, 9, 10, false],
    [5, 10, 10, true],
  ])(
    'FLAG-15: after %i errors in half an hour, %i in %i minutes are too many: %s',
    (before, since, minutes, tooMany) => {
      const step = { guard, step: 1, at: 0, until: minutes * minute };
      expect(isTooMany(step, { before, since })).toBe(tooMany);
    },
  );
});

describe('news of schedules', () => {
  it('FLAG-20: what lies before the last change of a flag, or of one that is off, is no news', () => {
    const rules = [rollout];
    const at = monday + 30 * hour;
    const news = [{ rule: 1, change: 'step', coverage: 0.5 }];
    expect(newsOf({ enabled: true, changedAt: monday, rules }, 0, at)).toEqual(news);
    expect(newsOf({ enabled: true, changedAt: monday, rules }, monday + 24 * hour, at)).toEqual([]);
    expect(newsOf({ enabled: true, changedAt: at - 1, rules }, 0, at)).toEqual([]);
    expect(newsOf({ enabled: false, changedAt: monday, rules }, 0, at)).toEqual([]);
    expect(newsOf({ enabled: true, changedAt: 0, rules: [{ force: true }] }, 0, at)).toEqual([]);
    const plain = { force: true, schedule: { from: monday, zone: 'UTC' } };
    expect(newsOf({ enabled: true, changedAt: 0, rules: [plain] }, 0, at)).toEqual([
      { rule: 1, change: 'begun' },
    ]);
    expect(newsOf({ enabled: true, changedAt: 0, rules: [plain] }, 0, monday - 1)).toEqual([]);
  });
});
