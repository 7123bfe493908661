import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clientKeyKind,
  evaluateFeatures,
  listClientKeys,
  readFeatures,
  type ClientKeyKind,
} from '#features/flags/contract/flags.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { openStatus } from '#features/maintenance/contract/testing/open-status.ts';
import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { type Right } from '#features/permissions/contract/permissions.ts';
import { type CallOf } from '#contract/route.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import {
  afterThisTest,
  engines,
  freshDatabase,
  openDatabase,
  provedOn,
} from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addToken, aTest } from '#server/testing/people.ts';
import { createLiveMaintenance } from './live-maintenance.ts';
import { writeMaintenance } from './maintenance.store.ts';
import { createOperations } from './operations.ts';

type Draft = CallOf<typeof setMaintenance>['body'];

const minute = 60_000;

/** Full maintenance with a notice, as the first change of an installation. */
const firstFull = (text: string) =>
  ({ mode: 'full', text, texts: {}, severity: 'HIGH', expectedEnd: null, version: 1 }) as const;

/** A change feed whose changes the test publishes itself. */
function manualFeed() {
  let publish = () => {};
  const feed: ChangeFeed = {
    on: (_topic, listener) => void (publish = listener as () => void),
    publishedAt: () => 0,
    close: () => Promise.resolve(),
  };
  return { feed, publish: () => publish() };
}

describe.each(engines)('maintenance on %s', (engine) => {
  const once = provedOn(engine);
  let app: TestApp;
  let clock: MovableClock;
  let operator: { accessToken: string };

  beforeEach(async () => {
    clock = movableClock();
    app = await startApp({ engine, clock });
    operator = await holding(['MAINTENANCE_WRITE'], 'Ada');
  });

  const holding = async (rights: Right[], name = 'somebody') => ({
    accessToken: await addToken(app, { rights, name }),
  });
  const settings = async () => (await app.call(getMaintenance, {}, operator)).body;
  const status = async (at = app) => (await at.call(getMaintenanceStatus, {})).body;
  const set = async (draft: Partial<Draft>) => {
    const { mode, text, severity, expectedEnd, version } = await settings();
    return app.call(
      setMaintenance,
      { body: { mode, text, severity, expectedEnd, version, ...draft } },
      operator,
    );
  };
  const audit = () =>
    app.database.read
      .selectFrom('audit')
      .select(['actor_name', 'action', 'subject', 'before', 'after'])
      .orderBy('at')
      .execute();

  describe.each(provedOn(engine))('the status', () => {
    it('MAINT-6: is public, and off at first', async () => {
      expect(await status()).toEqual({ ...openStatus, serverTime: clock.now() });
    });

    it('MAINT-6: shows what is in force and nothing about who set it', async () => {
      const expectedEnd = clock.now() + 10 * minute;
      const answer = await set({ mode: 'full', text: 'New engine', severity: 'MEDIUM', expectedEnd });
      expect(await status()).toEqual({
        mode: 'full',
        text: 'New engine',
        texts: {},
        severity: 'MEDIUM',
        expectedEnd,
        since: answer.body.since,
        upcoming: null,
        returnWithin: 2_000,
        changedAt: answer.body.changedAt,
        serverTime: clock.now(),
      });
    });
  });

  describe('setting it', () => {
    it.each(once)('MAINT-1: stores switch and notice, records who did it, and makes a version', async () => {
      const answer = await set({ mode: 'read-only', text: '  Slow today  ', severity: 'INFO' });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        mode: 'read-only',
        text: 'Slow today',
        severity: 'INFO',
        expectedEnd: null,
        changedBy: 'Ada',
        version: 2,
        source: 'portico',
      });
      expect(answer.body.changedAt).toBe(answer.body.since);
      expect(await settings()).toEqual(answer.body);
    });

    it.each(once)('AUD-1: writes before and after into the audit, once for each change', async () => {
      await set({ text: 'Soon' });
      await set({ mode: 'full' });
      const rows = await audit();
      expect(rows.map(({ actor_name, action, subject }) => `${actor_name} ${action} ${subject}`)).toEqual([
        'Ada maintenance.set maintenance',
        'Ada maintenance.set maintenance',
      ]);
      expect(JSON.parse(rows[1]?.before ?? '')).toMatchObject({ mode: 'off', text: 'Soon', version: 2 });
      expect(JSON.parse(rows[1]?.after ?? '')).toMatchObject({ mode: 'full', text: 'Soon', version: 3 });
    });

    it('API-1: of two who set it at once one gets the conflict', async () => {
      const answers = await Promise.all(
        ['one', 'two', 'three'].map((text) => app.call(setMaintenance, { body: firstFull(text) }, operator)),
      );
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
      const taken = answers.find((answer) => answer.status === 200);
      expect((await status()).text).toBe(taken?.body.text);
      expect(await audit()).toHaveLength(1);
    });

    it.each(once)('MAINT-6: an end in the past is refused, with its place', async () => {
      const answer = await set({ mode: 'full', expectedEnd: clock.now() });
      expect(answer.problem).toMatchObject({
        status: 422,
        code: 'INVALID_BODY',
        errors: [{ pointer: '/expectedEnd', code: 'past' }],
      });
      expect((await status()).mode).toBe('off');
      expect(await audit()).toEqual([]);
    });

    it.each(once)('MAINT-3: the text can be set while work takes longer than was expected', async () => {
      await set({ mode: 'full', expectedEnd: clock.now() + minute });
      clock.move(5 * minute);
      const answer = await set({ text: 'It takes longer' });
      expect(answer.status).toBe(200);
      expect(await status()).toMatchObject({ mode: 'full', text: 'It takes longer' });
    });

    it.each(once)('MAINT-1: stores since when it is on, until it is off', async () => {
      const { since } = (await set({ mode: 'full', expectedEnd: clock.now() + 9 * minute })).body;
      clock.move(minute);
      expect((await set({ text: 'Still at it' })).body.since).toBe(since);
      clock.move(minute);
      const changed = (await set({ mode: 'read-only' })).body;
      expect(changed.since).toBe(changed.changedAt);
      expect(changed.since).toBeGreaterThan((since ?? 0) + minute);
      expect((await set({ mode: 'off' })).body).toMatchObject({ expectedEnd: null, since: null });
    });
  });

  it.each(once)(
    'MAINT-1: two flags hold it in every payload, as soon as the switch is answered',
    async () => {
      const flags = await holding(['FLAGS_READ']);
      const { clientKeys } = (await app.call(listClientKeys, {}, flags)).body;
      const served = async (kind: ClientKeyKind) => {
        const clientKey = clientKeys.find((key) => key.kind === kind)?.key ?? '';
        const answer = await (kind === 'remote-eval'
          ? app.call(evaluateFeatures, { params: { clientKey } })
          : app.call(readFeatures, { params: { clientKey } }));
        const { features } = JSON.parse(answer.text) as { features: Record<string, unknown> };
        return [features['MAINTENANCE'], features['MAINTENANCE_TEXT']];
      };
      for (const [draft, on, text] of [
        [{}, false, ''],
        [{ text: 'Soon: at noon', severity: 'INFO' }, false, 'INFO:Soon: at noon'],
        [{ mode: 'read-only' }, false, 'INFO:Soon: at noon'],
        [{ mode: 'full' }, true, 'INFO:Soon: at noon'],
        [{ mode: 'off', text: '' }, false, ''],
      ] as [Partial<Draft>, boolean, string][]) {
        await set(draft);
        for (const kind of clientKeyKind.options) {
          expect(await served(kind)).toEqual([{ defaultValue: on }, { defaultValue: text }]);
        }
      }
    },
  );

  describe('elsewhere and afterwards', () => {
    it.each(once)('RUN-5: a start finds it as it was', async () => {
      await set({ mode: 'full', text: 'Kept', expectedEnd: clock.now() + minute });
      const before = await status();
      await app.stop();
      app = await startApp({ after: app, clock });
      // The first call may find a connection of the stopped application.
      await expect.poll(() => status()).toEqual(before);
      expect((await app.call(listPeople, {}, await holding(['PEOPLE_READ']))).status).toBe(503);
    });

    it('CLI-1: follows what another process writes', async () => {
      const other = await openDatabase(app.place.location);
      await other.change((change) => writeMaintenance(change, firstFull('By hand'), aTest));
      await expect.poll(() => status()).toMatchObject({ mode: 'full', text: 'By hand' });
      expect((await app.call(listPeople, {}, await holding(['PEOPLE_READ']))).status).toBe(503);
    });
  });

  it('MAINT-6: the last state stays while the database cannot be read, and the followers of others go on', async () => {
    const { location, dataDir } = await freshDatabase(engine);
    const database = await openDatabase(location);
    const { feed, publish } = manualFeed();
    const log: string[] = [];
    const maintenance = await createLiveMaintenance({
      database,
      feed,
      clock,
      logger: createLogger('info', { write: (line) => log.push(line) }),
      followed: null,
      operations: { recordPhases: () => Promise.resolve(), noteHeldOpen: () => Promise.resolve() },
      dataDir,
      browsers: () => 0,
    });
    afterThisTest(() => maintenance.close());
    const notified: string[] = [];
    maintenance.onChange(() => {
      throw new Error('a follower with a bug');
    });
    maintenance.onChange(() => notified.push(maintenance.now().text));
    await database.change((change) => writeMaintenance(change, firstFull('Kept'), aTest));
    publish();
    await maintenance.caughtUp();
    expect(notified).toEqual(['Kept']);

    await database.close();
    publish();
    await maintenance.caughtUp();
    expect(maintenance.now()).toMatchObject({ mode: 'full', text: 'Kept' });
    expect(log.filter((line) => line.includes('maintenance could not be read'))).toHaveLength(1);
  });
});

it('MAINT-5: a clock that is merely slow undoes nothing that another replica has recorded; one that was set back does, once', async () => {
  const { location, dataDir } = await freshDatabase('sqlite');
  const clock = movableClock();
  const database = await openDatabase(location);
  const operations = createOperations(clock);
  const actor = { kind: 'command-line', id: null, name: 'Ada' } as const;
  const startsAt = clock.now() + 30 * minute;
  const { id } = await database.change((change) =>
    operations.plan(change, actor, {
      title: 'Pumps',
      text: '',
      texts: {},
      severity: 'HIGH',
      mode: 'full',
      leadMinutes: 0,
      endsByItself: false,
      startsAt,
      endsAt: startsAt + minute,
    }),
  );
  const { feed, publish } = manualFeed();
  let checkClock = () => {};
  const timer = vi.spyOn(globalThis, 'setInterval').mockImplementationOnce((check) => {
    checkClock = check;
    return {} as NodeJS.Timeout;
  });
  const recorded: boolean[] = [];
  const maintenance = await createLiveMaintenance({
    database,
    feed,
    clock,
    logger: createLogger('silent'),
    followed: null,
    operations: {
      ...operations,
      recordPhases: (change, options) => {
        recorded.push(options.backward);
        return operations.recordPhases(change, options);
      },
    },
    dataDir,
    browsers: () => 0,
  });
  afterThisTest(() => maintenance.close());
  timer.mockRestore();
  checkClock();
  // Another replica, whose clock is 20 seconds ahead of this one.
  clock.move(30 * minute - 20_000);
  await database.change(async (change) => {
    await change.tx.updateTable('maintenance_window').set({ phase: 'active' }).where('id', '=', id).execute();
  });
  publish();
  await maintenance.caughtUp();
  for (let check = 0; check < 5; check += 1) checkClock();
  expect([maintenance.now().mode, recorded]).toEqual(['off', []]);
  clock.move(15_000);
  expect(maintenance.now().mode).toBe('full');
  checkClock();
  expect(recorded).toEqual([]);

  clock.move(-10 * minute);
  expect(maintenance.now().mode).toBe('off');
  checkClock();
  await expect.poll(() => recorded).toEqual([true]);
  const row = database.read.selectFrom('maintenance_window').select('phase').where('id', '=', id);
  await expect.poll(() => row.executeTakeFirst()).toEqual({ phase: 'scheduled' });
  await maintenance.caughtUp();
  checkClock();
  expect(recorded).toEqual([true]);
});

it('RUN-1: every replica on PostgreSQL follows', async () => {
  const app = await startApp({ engine: 'postgres' });
  const replica = await startApp({ replicaOf: app });
  const rights: Right[] = ['MAINTENANCE_WRITE', 'PEOPLE_READ'];
  const caller = { accessToken: await addToken(app, { rights }) };
  await app.call(setMaintenance, { body: firstFull('Everywhere') }, caller);
  await expect
    .poll(async () => (await replica.call(getMaintenanceStatus, {})).body)
    .toMatchObject({ mode: 'full', text: 'Everywhere' });
  expect((await replica.call(listPeople, {}, caller)).problem?.code).toBe('MAINTENANCE');
});
