import {
  createFlag,
  getFlag,
  listClientKeys,
  listFlagVersions,
  steerRamp,
  updateFlag,
} from '#features/flags/contract/flags.ts';
import { addProject } from '#features/diagnostics/contract/projects.ts';
import { countEventsAround } from '#features/diagnostics/server/error-counts.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { describe, expect, it } from 'vitest';
import type { CallOf, Route } from '#contract/route.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { errorEnvelope, ownProjectKey, sendEnvelope } from '#server/testing/envelopes.ts';
import type { Engine } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';

const minute = 60_000;
const params = { flagKey: 'ROLLOUT' };
const draft = { type: 'boolean' as const, description: '', defaultValue: false, tags: [] };

/** A ramp in steps of an hour that begins in an hour; its guard asks for 3 errors and twice as many as before. */
async function open(engine: Engine, guard: object = {}) {
  const clock = movableClock(Date.UTC(2026, 9, 26, 8));
  const app = await startApp({ engine, clock });
  const accessToken = await addToken(app, { rights: builtInRoles.operator });
  const operator = {
    call: <const R extends Route>(route: R, call: CallOf<R>) => app.call(route, call, { accessToken }),
  };
  const { clientKeys } = (await operator.call(listClientKeys, {})).body;
  const key = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
  const rule = {
    force: true,
    hashAttribute: 'id',
    schedule: { from: clock.now() + 60 * minute, zone: 'UTC' },
    ramp: {
      steps: [{ coverage: 0.1, minutes: 60 }, { coverage: 0.2, minutes: 60 }, { coverage: 1 }],
      guard: { project: 1, events: 3, factor: 2, minutes: 30, ...guard },
    },
  };
  const body = { ...draft, key: 'ROLLOUT', enabled: true, rules: [rule] };
  expect((await operator.call(createFlag, { body })).status).toBe(201);
  const dsn = await ownProjectKey(app);
  return { clock, app, operator, key, rule, dsn };
}

async function errors(app: TestApp, dsn: string, count: number, project = 1): Promise<void> {
  for (let sent = 0; sent < count; sent += 1)
    expect((await sendEnvelope(app.url, dsn, errorEnvelope(), { project })).status).toBe(200);
}

async function share(app: TestApp, key: string): Promise<number | null> {
  const { features } = (await (await fetch(`${app.url}/api/features/${key}`)).json()) as {
    features: Record<string, { rules?: { coverage?: number }[] }>;
  };
  return features['ROLLOUT']?.rules?.[0]?.coverage ?? null;
}

async function nextStep(
  clock: MovableClock,
  app: TestApp,
  key: string,
  expected: number,
  minutes = 60,
): Promise<void> {
  clock.move(minutes * minute);
  await expect.poll(() => share(app, key)).toBe(expected);
}

const held = (app: TestApp) =>
  app.database.read.selectFrom('audit').selectAll().where('action', '=', 'flag.guard').execute();

describe('guards of ramps on two replicas', () => {
  it('FLAG-15: take a ramp back one step once, on whichever replica, tell operators, and wait for a person', async () => {
    const { clock, app, operator, key, dsn } = await open('postgres');
    const replicas = [app, await startApp({ replicaOf: app, clock })];
    const look = () => Promise.all(replicas.map((each) => each.sweep()));
    const receiver = await startReceiver();
    await operator.call(addWebhook, {
      body: { url: `${receiver.url}/hook`, description: '', enabled: true, areas: ['flag'] },
    });
    await nextStep(clock, app, key, 0.1);
    clock.move(50 * minute);
    // In the half hour before the second step: so 4 are twice as many.
    await errors(app, dsn, 2);
    await nextStep(clock, app, key, 0.2, 10);
    await errors(app, dsn, 3);
    await look();
    expect(await share(app, key)).toBe(0.2);
    await errors(app, dsn, 1);
    await look();
    await look();
    for (const each of replicas) await expect.poll(() => share(each, key)).toBe(0.1);

    expect(await held(app)).toMatchObject([
      { actor_kind: 'guard', actor_name: 'Portico', subject: 'ROLLOUT' },
    ]);
    const told = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string });
    // The steps are told, too.
    await expect
      .poll(() => told().filter(({ type }) => type === 'flag.held'))
      .toMatchObject([{ type: 'flag.held', data: { key: 'ROLLOUT', version: 2, by: null } }]);
    const { versions } = (await operator.call(listFlagVersions, { params, query: {} })).body;
    expect(versions.map(({ version, by }) => [version, by])).toEqual([
      [2, 'Portico'],
      [1, 'a test'],
    ]);
    expect((await operator.call(getFlag, { params })).body.rules).toMatchObject([{ ramp: { held: 4 } }]);

    clock.move(300 * minute);
    await look();
    expect(await share(app, key)).toBe(0.1);
    const resume = { rule: 0, action: 'resume' as const, version: 2 };
    expect((await operator.call(steerRamp, { params, body: resume })).status).toBe(200);
    expect(await share(app, key)).toBe(0.1);
    // The time of a change is a little after the clock's where many come at once.
    await nextStep(clock, app, key, 0.2, 61);
    await look();
    expect(await held(app)).toHaveLength(1);
  });
});

describe('guards of ramps', () => {
  it('FLAG-15: judge a step that was watched while Portico was down by the stored errors, as a look then would have', async () => {
    const { clock, app, key, dsn } = await open('sqlite');
    await nextStep(clock, app, key, 0.1);
    await nextStep(clock, app, key, 0.2);
    await errors(app, dsn, 3);
    await app.stop();
    clock.move(300 * minute);
    const again = await startApp({ after: app, clock });
    expect(await share(again, key)).toBe(1);
    await again.sweep();
    await expect.poll(() => share(again, key)).toBe(0.1);
    expect(await held(again)).toHaveLength(1);
  });

  it('FLAG-15: leave what a person decided after the watched minutes, also after a restart', async () => {
    const { clock, app, operator, key, rule, dsn } = await open('sqlite');
    const { guard: _guard, ...ramp } = rule.ramp;
    const write = (rules: object[], version: number) =>
      operator.call(updateFlag, { params, body: { ...draft, rules: rules as never, version } });
    await write([{ ...rule, ramp }], 1);
    await nextStep(clock, app, key, 0.1);
    await errors(app, dsn, 3);
    clock.move(40 * minute);
    expect((await write([rule], 2)).status).toBe(200);
    await app.stop();
    const again = await startApp({ after: app, clock });
    await again.sweep();
    expect([await share(again, key), await held(again)]).toEqual([0.1, []]);
  });

  it('FLAG-15: take a ramp back before its first step, from which it is resumed, and count no errors of other projects', async () => {
    const { clock, app, operator, key, dsn } = await open('sqlite', { project: 2 });
    const { keys } = (await operator.call(addProject, { body: { name: 'Shop' } })).body;
    await nextStep(clock, app, key, 0.1);
    await errors(app, dsn, 3);
    await app.sweep();
    expect(await held(app)).toEqual([]);
    await errors(app, keys[0]?.key ?? '', 3, 2);
    await app.sweep();
    await expect.poll(() => share(app, key)).toBeNull();
    clock.move(minute);
    const resume = { rule: 0, action: 'resume' as const, version: 2 };
    expect((await operator.call(steerRamp, { params, body: resume })).status).toBe(200);
    expect(await share(app, key)).toBe(0.1);
  });

  it('FLAG-15: do nothing for a project that was removed or never there', async () => {
    const { clock, app, operator, key } = await open('sqlite', { project: 2, events: 1 });
    const { id, keys } = (await operator.call(addProject, { body: { name: 'Shop' } })).body;
    await nextStep(clock, app, key, 0.1);
    await errors(app, keys[0]?.key ?? '', 2, id);
    const counted = () =>
      countEventsAround(app.database.read, id, { from: 0, at: 0, until: clock.now() + minute });
    expect(await counted()).toEqual({ before: 0, since: 2 });
    // The errors of the project are removed after it, little by little.
    const removed = { removed_at: clock.now() };
    await app.database.transaction((tx) =>
      tx.updateTable('diagnostic_project').set(removed).where('id', '=', id).execute(),
    );
    expect(await counted()).toEqual({ before: 0, since: 0 });
    await app.sweep();
    await nextStep(clock, app, key, 0.2);
    expect(await held(app)).toEqual([]);
    expect(app.log.filter(({ task }) => task === 'guards of ramps')).toEqual([]);
  });
});
