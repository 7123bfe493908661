import type { BodyOf, CallOf } from '#contract/route.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';
import {
  cancelWindow,
  changeWindow,
  endWindow,
  extendWindow,
  getWindow,
  listMaintenanceHistory,
  listWindows,
  planWindow,
  removeFinishedText,
  startWindow,
  warnOfWindow,
  type MaintenanceHistoryEntry,
  type MaintenanceWindow,
} from '#features/maintenance/contract/windows.ts';
import { evaluateFeatures, listClientKeys } from '#features/flags/contract/flags.ts';
import { maintenancePage } from '#contract/pages.ts';
import { listPeople } from '#features/people/contract/people.ts';
import type { Right } from '#features/permissions/contract/permissions.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';

type Draft = Omit<CallOf<typeof changeWindow>['body'], 'version'>;

const minute = 60_000;
const hour = 60 * minute;
/** A quarter of a second here; `bench` measures it, and a machine may be busy. */

describe.each(engines)('planned windows on %s', (engine) => {
  const once = provedOn(engine);
  let app: TestApp;
  let clock: MovableClock;
  let operator: { accessToken: string };

  beforeEach(async () => {
    clock = movableClock();
    app = await startApp({ engine, clock });
    operator = await holding(['MAINTENANCE_WRITE', 'SETTINGS_WRITE', 'FLAGS_READ'], 'Ada');
  });

  const holding = async (rights: Right[], name = 'somebody') => ({
    // Hours pass here.
    accessToken: await addToken(app, { rights, name, lifetimeMs: 365 * 24 * hour }),
  });
  const inMinutes = (minutes: number) => clock.now() + minutes * minute;
  const draft = (changes: Partial<Draft> = {}): Draft => ({
    title: 'New pumps',
    text: 'Save your work.',
    severity: 'MEDIUM',
    mode: 'full',
    leadMinutes: 60,
    endsByItself: false,
    startsAt: inMinutes(120),
    endsAt: inMinutes(150),
    ...changes,
  });
  const tryPlan = (changes: Partial<Draft> = {}) => app.call(planWindow, { body: draft(changes) }, operator);
  const plan = async (changes: Partial<Draft> = {}) => {
    const answer = await tryPlan(changes);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const steps = {
    warn: warnOfWindow,
    start: startWindow,
    end: endWindow,
    cancel: cancelWindow,
    removeText: removeFinishedText,
  } as const;
  const step = (name: keyof typeof steps, { id, version }: MaintenanceWindow) =>
    app.call(steps[name], { params: { windowId: id }, body: { version } }, operator);
  const extend = ({ id, version }: MaintenanceWindow, endsAt: Draft['endsAt']) =>
    app.call(extendWindow, { params: { windowId: id }, body: { version, endsAt } }, operator);
  const change = (window: MaintenanceWindow, changes: Partial<Draft>) => {
    const { title, text, severity, mode, leadMinutes, endsByItself, startsAt, endsAt, version } = window;
    const body = { title, text, severity, mode, leadMinutes, endsByItself, startsAt, endsAt, version };
    return app.call(
      changeWindow,
      { params: { windowId: window.id }, body: { ...body, ...changes } },
      operator,
    );
  };
  const read = async ({ id }: MaintenanceWindow) =>
    (await app.call(getWindow, { params: { windowId: id } }, operator)).body;
  const status = async (at = app) => (await at.call(getMaintenanceStatus, {})).body;
  const open = async () => (await app.call(listWindows, {}, operator)).body.windows;
  const history = async (query: { windowId?: string } = {}) =>
    (await app.call(listMaintenanceHistory, { query }, operator)).body.entries;
  /** The history as short lines, the first first. */
  const recorded = async () => (await history()).toReversed().map(shortly);
  const shortly = ({ deed, by, phase, mode }: MaintenanceHistoryEntry) =>
    [deed, by ?? 'time', phase ?? mode].join(' ');
  const events = async () => {
    const rows = await app.database.read
      .selectFrom('webhook_delivery')
      .select(['event', 'body'])
      .orderBy('created_at')
      .execute();
    return rows.map(({ event }) => event).toSorted();
  };
  const addHook = () =>
    app.call(
      addWebhook,
      // No receiver answers there; what counts is what is written to be sent.
      { body: { url: 'https://192.0.2.1/x', description: '', enabled: true } },
      operator,
    );
  type Sent = { data: { text: string } };
  const audited = async () =>
    (
      await app.database.read
        .selectFrom('audit')
        .select(['action', 'actor_name', 'before', 'after'])
        .orderBy('at')
        .execute()
    ).filter(({ action }) => action.startsWith('maintenance'));

  it('MAINT-5: goes by itself from plan to end; the gate, the page and the flags follow each boundary at the same time', async () => {
    await addHook();
    const caller = await holding(['PEOPLE_READ']);
    const gate = async () => (await app.call(listPeople, {}, caller)).status;
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const clientKey = clientKeys.find(({ kind }) => kind === 'remote-eval')?.key ?? '';
    const flags = async () => {
      const answer = await app.call(evaluateFeatures, { params: { clientKey } });
      const { features } = JSON.parse(answer.text) as { features: Record<string, { defaultValue: unknown }> };
      return [features['MAINTENANCE']?.defaultValue, features['MAINTENANCE_TEXT']?.defaultValue];
    };
    const window = await plan({ endsByItself: true });
    expect(window).toMatchObject({
      phase: 'scheduled',
      overAt: null,
      createdBy: 'Ada',
      changedBy: 'Ada',
      timeZone: null,
      version: 1,
    });
    expect(await status()).toMatchObject({ mode: 'off', text: '', upcoming: null });

    clock.move(60 * minute);
    const { title, text, severity, mode, startsAt, endsAt } = window;
    const upcoming = { title, text, severity, mode, startsAt, endsAt };
    expect(await status()).toMatchObject({
      mode: 'off',
      text: 'Save your work.',
      severity: 'MEDIUM',
      upcoming,
    });
    expect((await read(window)).phase).toBe('imminent');
    await expect.poll(flags).toEqual([false, 'MEDIUM:Save your work.']);

    clock.move(60 * minute);
    expect(await status()).toMatchObject({
      mode: 'full',
      since: startsAt,
      expectedEnd: endsAt,
      upcoming: null,
      changedAt: startsAt,
    });
    expect(await gate()).toBe(503);
    await expect.poll(flags).toEqual([true, 'MEDIUM:Save your work.']);

    clock.move(30 * minute);
    expect(await status()).toMatchObject({ mode: 'off', text: '', since: null, expectedEnd: null });
    expect(await gate()).toBe(200);
    await expect.poll(flags).toEqual([false, '']);
    expect(await read(window)).toMatchObject({ phase: 'ended', overAt: endsAt, version: 1 });
    await expect
      .poll(recorded)
      .toEqual(['planned Ada scheduled', 'phase time imminent', 'phase time active', 'phase time ended']);
    expect(await events()).toEqual(
      ['scheduled', 'imminent', 'active', 'ended'].map((phase) => `maintenance.${phase}`).toSorted(),
    );
    expect(await open()).toEqual([]);
  });

  it.each(once)('MAINT-5: is shown as overdue past its planned end until an operator ends it', async () => {
    const window = await plan({ text: '' });
    clock.move(151 * minute);
    expect((await read(window)).phase).toBe('overdue');
    expect(await status()).toMatchObject({ mode: 'full', text: 'New pumps', expectedEnd: window.endsAt });
    const refused = await app.call(listPeople, {}, await holding(['PEOPLE_READ']));
    expect(refused.headers.get('retry-after')).toBe('60');
    const page = await app.call(maintenancePage, {});
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60']);
    expect(page.text).toContain('New pumps');
    const ended = await step('end', await read(window));
    expect(ended.body).toMatchObject({ phase: 'ended', overAt: clock.now() });
    expect(await status()).toMatchObject({ mode: 'off', text: '' });
    expect(await recorded()).toEqual([
      'planned Ada scheduled',
      'phase time imminent',
      'phase time active',
      'phase time overdue',
      'ended Ada ended',
    ]);
  });

  it.each(once)('FLAG-1 MAINT-5: a restart repeats no version of flags of a finished window', async () => {
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const clientKey = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
    const served = async () => {
      const text = await (await fetch(`${app.url}/api/features/${clientKey}`)).text();
      return { text, at: Date.parse((JSON.parse(text) as { dateUpdated: string }).dateUpdated) };
    };
    const texts = { finished: { en: 'The pumps are new.' } };
    const window = await plan({ texts, startsAt: inMinutes(1), endsAt: inMinutes(60) });
    clock.move(2 * minute);
    await status();
    await step('end', await read(window));
    await expect.poll(async () => (await served()).text).toContain('The pumps are new.');
    const finished = await served();
    clock.move(hour);
    const over = await status();

    for (const later of [minute, 6 * hour]) {
      clock.move(later);
      await app.stop();
      app = await startApp({ after: app, clock });
      expect((await status()).changedAt).toBe(over.changedAt);
      const now = await served();
      expect(now.text).not.toContain('The pumps are new.');
      expect(now.at).toBeGreaterThan(finished.at);
    }
  });

  it.each(once)('MAINT-5: publishes the text of the phase in each language, the last one hour', async () => {
    await addHook();
    const texts = {
      before: { en: 'Save your work before it starts.', de: 'Speichern Sie vor dem Beginn.' },
      during: { en: 'Pumping.', de: 'Es wird gepumpt.' },
      late: { de: 'Noch eine Pumpe.' },
      finished: { fr: 'Les pompes sont neuves.' },
    };
    const window = await plan({ text: '', texts, startsAt: inMinutes(30), endsAt: inMinutes(60) });
    expect(window.texts).toEqual(texts);
    const before = { text: 'Save your work before it starts.', texts: texts.before };
    expect(await status()).toMatchObject({ mode: 'off', ...before, upcoming: before });

    clock.move(30 * minute);
    expect(await status()).toMatchObject({ mode: 'full', text: 'Pumping.', texts: texts.during });
    const pages = await Promise.all(
      ['en', 'de', 'fr'].map(async (language) =>
        (await fetch(`${app.url}/system-maintenance`, { headers: { 'accept-language': language } })).text(),
      ),
    );
    for (const [index, text] of ['Pumping.', 'Es wird gepumpt.', 'Pumping.'].entries()) {
      expect(pages[index]).toContain(text);
      // In the text of the page, and nowhere in what its script begins with.
      expect(pages[index]).not.toContain('before it starts');
    }

    clock.move(31 * minute);
    expect(await status()).toMatchObject({
      text: 'Noch eine Pumpe.',
      texts: { en: 'Pumping.', de: 'Noch eine Pumpe.' },
    });

    await step('end', await read(window));
    const done = { text: 'Les pompes sont neuves.', texts: texts.finished, severity: 'INFO' };
    expect(await status()).toMatchObject({ mode: 'off', ...done });
    clock.move(59 * minute);
    expect(await status()).toMatchObject(done);
    clock.move(minute);
    expect(await status()).toMatchObject({ mode: 'off', text: '', texts: {} });

    const rows = await app.database.read.selectFrom('webhook_delivery').select(['event', 'body']).execute();
    const sent = rows.map(({ event, body }) => [event, (JSON.parse(body) as Sent).data.text]);
    expect(Object.fromEntries(sent)).toEqual({
      'maintenance.scheduled': 'Save your work before it starts.',
      'maintenance.imminent': 'Save your work before it starts.',
      'maintenance.active': 'Pumping.',
      'maintenance.overdue': 'Noch eine Pumpe.',
      'maintenance.ended': 'Les pompes sont neuves.',
    });
  });

  it.each(once)('MAINT-5: the text after the end can be removed before the hour is over', async () => {
    const finished = { en: 'The pumps are new.' };
    let window = await plan({ texts: { during: { en: 'Pumping.' }, finished } });
    window = (await step('start', window)).body;
    expect((await step('removeText', window)).problem?.code).toBe('CONFLICT');
    const ended = (await step('end', window)).body;
    expect(await status()).toMatchObject({ text: 'The pumps are new.', severity: 'INFO' });

    expect((await step('removeText', window)).problem?.code).toBe('VERSION_CONFLICT');
    const removed = (await step('removeText', ended)).body;
    expect(removed).toMatchObject({
      phase: 'ended',
      overAt: ended.overAt,
      texts: { during: { en: 'Pumping.' } },
    });
    expect(await status()).toMatchObject({ mode: 'off', text: '', texts: {} });
    // There is nothing left to remove.
    expect((await step('removeText', removed)).body).toEqual(removed);
    expect((await recorded()).at(-1)).toBe('text-removed Ada ended');
    const last = (await audited()).at(-1);
    expect(last?.action).toBe('maintenance-window.remove-text');
    expect(JSON.parse(last?.before ?? '')).toMatchObject({ texts: { finished } });
  });

  it('MAINT-5: an operator warns, starts, extends and ends; every answer is in force, recorded and published', async () => {
    await addHook();
    let window = await plan({ leadMinutes: 5 });
    window = (await step('warn', window)).body;
    expect(window).toMatchObject({ phase: 'imminent', leadMinutes: 120, version: 2 });
    expect((await status()).upcoming?.startsAt).toBe(window.startsAt);

    clock.move(1_500);
    window = (await step('start', window)).body;
    expect(window).toMatchObject({ phase: 'active', startsAt: clock.now(), endsAt: inMinutes(30) });
    expect(await status()).toMatchObject({ mode: 'full', since: clock.now(), expectedEnd: inMinutes(30) });

    window = (await extend(window, inMinutes(45))).body;
    expect(window).toMatchObject({ phase: 'active', endsAt: inMinutes(45) });
    clock.move(46 * minute);
    expect((await read(window)).phase).toBe('overdue');
    window = (await extend(await read(window), inMinutes(10))).body;
    expect(window.phase).toBe('active');
    expect((await status()).expectedEnd).toBe(inMinutes(10));

    window = (await step('end', window)).body;
    expect(window).toMatchObject({ phase: 'ended', overAt: clock.now(), version: 6 });
    expect((await status()).mode).toBe('off');
    expect(await recorded()).toEqual([
      'planned Ada scheduled',
      'warned Ada imminent',
      'started Ada active',
      'extended Ada active',
      'phase time overdue',
      'extended Ada active',
      'ended Ada ended',
    ]);
    expect(await events()).toEqual(
      ['scheduled', 'imminent', 'active', 'changed', 'overdue', 'active', 'ended']
        .map((event) => `maintenance.${event}`)
        .toSorted(),
    );
    const rows = await audited();
    expect(rows.map(({ action, actor_name }) => `${actor_name} ${action}`)).toEqual(
      ['plan', 'warn', 'start', 'extend', 'extend', 'end'].map((verb) => `Ada maintenance-window.${verb}`),
    );
    expect(JSON.parse(rows.at(-1)?.before ?? '')).toMatchObject({ phase: 'active', version: 5 });
    expect(JSON.parse(rows.at(-1)?.after ?? '')).toMatchObject({ phase: 'ended', version: 6 });
    const all = await history({ windowId: window.id });
    expect(all).toEqual(await history());
    expect(all[0]).toMatchObject({ windowId: window.id, title: 'New pumps', mode: 'full', by: 'Ada' });
  });

  it.each(once)('MAINT-5: is called off before it has started, and is over then', async () => {
    const window = (await step('cancel', await plan())).body;
    expect(window).toMatchObject({ phase: 'cancelled', overAt: clock.now() });
    expect(await open()).toEqual([]);
    const { windows } = (await app.call(listWindows, { query: { over: true } }, operator)).body;
    expect(windows).toEqual([window]);
    clock.move(10 * hour);
    expect((await read(window)).phase).toBe('cancelled');
    expect((await status()).mode).toBe('off');
    for (const name of ['warn', 'start', 'end', 'cancel'] as const)
      expect((await step(name, window)).problem?.code).toBe('WINDOW_OVER');
    expect((await extend(window, inMinutes(500))).problem?.code).toBe('WINDOW_OVER');
    expect((await change(window, {})).problem).toMatchObject({
      code: 'WINDOW_OVER',
      detail: expect.stringMatching(/^It was cancelled at .*Z and stays as it is; plan another one\.$/),
    });
    // Whose time is free again.
    expect((await tryPlan()).status).toBe(201);
  });

  it.each(once)(
    'MAINT-5: what does not fit the phase is refused, and what is so already is no mistake',
    async () => {
      const scheduled = await plan();
      expect((await step('end', scheduled)).problem).toMatchObject({ status: 409, code: 'CONFLICT' });
      const warned = (await step('warn', scheduled)).body;
      expect((await step('warn', warned)).body).toEqual(warned);
      const started = (await step('start', warned)).body;
      expect((await step('start', started)).body).toEqual(started);
      for (const name of ['warn', 'cancel'] as const)
        expect((await step(name, started)).problem).toMatchObject({ status: 409, code: 'CONFLICT' });
      expect((await step('end', warned)).problem).toMatchObject({
        code: 'VERSION_CONFLICT',
        detail: `Its version is ${started.version} now, not ${warned.version}: read it again before you change it.`,
      });
      expect(await recorded()).toHaveLength(3);
    },
  );

  it.each(once)('MAINT-5: no one is warned more than a week ahead', async () => {
    const week = 7 * 24 * 60;
    const far = await plan({ startsAt: inMinutes(week + 1), endsAt: inMinutes(week + 60) });
    expect((await step('warn', far)).problem).toMatchObject({ status: 409, code: 'CONFLICT' });
    clock.move(minute);
    expect((await step('warn', far)).body).toMatchObject({ phase: 'imminent', leadMinutes: week });
  });

  describe('changing one', () => {
    it.each(once)('MAINT-5: moves it, back to scheduled as well, and all clients follow', async () => {
      const window = await plan({ leadMinutes: 240 });
      expect(window.phase).toBe('imminent');
      const moved = (await change(window, { startsAt: inMinutes(600), endsAt: inMinutes(700) })).body;
      expect(moved).toMatchObject({ phase: 'scheduled', version: 2 });
      expect((await status()).upcoming).toBeNull();
      const near = (await change(moved, { startsAt: inMinutes(200), endsAt: inMinutes(210), title: 'Pumps' }))
        .body;
      expect(near).toMatchObject({ phase: 'imminent', title: 'Pumps' });
      expect((await status()).upcoming?.title).toBe('Pumps');
      expect(await recorded()).toEqual([
        'planned Ada scheduled',
        'phase time imminent',
        'changed Ada scheduled',
        'changed Ada imminent',
      ]);
    });

    it.each(once)('MAINT-5: once it has started all but its start and lead time may change', async () => {
      const window = (await step('start', await plan())).body;
      clock.move(minute);
      const answer = await change(window, { startsAt: inMinutes(5), leadMinutes: 7 });
      expect(answer.problem).toMatchObject({
        status: 422,
        errors: [
          { pointer: '/startsAt', code: 'started' },
          { pointer: '/leadMinutes', code: 'started' },
        ],
      });
      const changed = (await change(window, { text: 'It takes longer', mode: 'read-only' })).body;
      expect(changed).toMatchObject({ phase: 'active', startsAt: window.startsAt, text: 'It takes longer' });
      expect((await status()).mode).toBe('read-only');
      clock.move(hour);
      expect((await change(changed, { text: 'Even longer' })).body.phase).toBe('overdue');
      const overdue = await read(changed);
      const announce = await change(overdue, { mode: 'announce' });
      expect(announce.problem?.errors).toMatchObject([{ pointer: '/endsAt', code: 'past' }]);
      expect((await change(overdue, { endsAt: inMinutes(5) })).body.phase).toBe('active');
    });

    it('API-1: of two at once one gets the conflict', async () => {
      const window = await plan();
      const answers = await Promise.all([
        change(window, { title: 'Mine' }),
        change(window, { title: 'Yours' }),
        step('cancel', window),
      ]);
      expect(answers.map(({ status: code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    });
  });

  describe.each(provedOn(engine))('bad input', () => {
    // Every wrong time: window-times.test.ts.
    it('MAINT-5: is refused where it is wrong, and nothing is stored', async () => {
      const startsAt = { local: '2050-10-30T02:30', timeZone: 'Europe/Berlin' };
      for (const [wrong, pointer, code] of [
        [{ startsAt: inMinutes(-1) }, '/startsAt', 'past'],
        [{ startsAt, endsAt: { ...startsAt, local: '2050-10-30T05:00' } }, '/startsAt/local', 'time_doubled'],
      ] as const) {
        const { problem } = await tryPlan(wrong);
        expect([problem?.status, problem?.errors]).toMatchObject([422, [{ pointer, code }]]);
      }
      expect([await open(), await history(), await audited()]).toEqual([[], [], []]);
    });

    it('MAINT-5: without a text its title is what people read', async () => {
      const { text: _none, ...body } = draft();
      const answer = await app.call(planWindow, { body }, operator);
      expect([answer.status, answer.body.text]).toEqual([201, '']);
      clock.move(hour);
      expect((await status()).text).toBe('New pumps');
    });
  });

  describe('overlaps', () => {
    it.each(once)('MAINT-5: are refused with the other window; windows may touch', async () => {
      const window = await plan();
      const around: [from: number, to: number, status: number][] = [
        [100, 121, 409],
        [149, 200, 409],
        [130, 140, 409],
        [100, 200, 409],
        [120, 150, 409],
        [100, 120, 201],
        [150, 200, 201],
      ];
      for (const [from, to, expected] of around) {
        const answer = await tryPlan({ title: 'Other', startsAt: inMinutes(from), endsAt: inMinutes(to) });
        expect([from, to, answer.status]).toEqual([from, to, expected]);
        const detail = answer.problem?.detail ?? '';
        expect(expected === 201 || detail.includes('New pumps')).toBe(true);
        expect(
          expected === 201 || detail.includes(new Date(window.startsAt).toISOString().slice(0, 16)),
        ).toBe(true);
      }
      expect((await extend(window, inMinutes(151))).problem?.code).toBe('WINDOW_OVERLAPS');
      const moved = await change(window, { startsAt: inMinutes(110), endsAt: inMinutes(130) });
      expect(moved.problem?.code).toBe('WINDOW_OVERLAPS');
      // A change that keeps the times does not check them.
      expect((await change(window, { title: 'Renamed' })).status).toBe(200);
    });

    it.each(once)('MAINT-5: a window that would run into another when started now is refused', async () => {
      await plan({ startsAt: inMinutes(10), endsAt: inMinutes(20) });
      const later = await plan();
      expect((await step('start', later)).problem?.code).toBe('WINDOW_OVERLAPS');
    });

    it('MAINT-5: of plans for the same time that come at once one is taken', async () => {
      const answers = await Promise.all(['one', 'two', 'three', 'four'].map((title) => tryPlan({ title })));
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
      expect(await open()).toHaveLength(1);
    });
  });

  it('MAINT-5: lists in pages, what is to come the next first and what is over the last first', async () => {
    for (let index = 1; index <= 5; index += 1)
      await plan({
        title: `w${index}`,
        startsAt: inMinutes(200 - 10 * index),
        endsAt: inMinutes(205 - 10 * index),
      });
    const all = async (query: { over?: string }) => {
      const titles: string[] = [];
      let cursor: string | undefined;
      do {
        const page = { ...query, limit: 2, ...(cursor === undefined ? {} : { cursor }) };
        const { body } = await app.call(listWindows, { query: page }, operator);
        expect(body.windows.length).toBeLessThanOrEqual(2);
        titles.push(...body.windows.map(({ title }) => title));
        cursor = body.next ?? undefined;
      } while (cursor !== undefined);
      return titles;
    };
    expect(await all({})).toEqual(['w5', 'w4', 'w3', 'w2', 'w1']);
    for (const window of await open()) {
      clock.move(1);
      await step('cancel', window);
    }
    expect(await all({ over: 'true' })).toEqual(['w1', 'w2', 'w3', 'w4', 'w5']);
    const entries = await history();
    expect(entries).toHaveLength(10);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 3, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await app.call(listMaintenanceHistory, { query }, operator);
      paged.push(...body.entries.map(({ id }) => id));
      cursor = body.next ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(entries.map(({ id }) => id));
    for (const route of [listWindows, listMaintenanceHistory])
      expect((await app.call(route, { query: { cursor: 'nonsense' } }, operator)).status).toBe(400);
  });

  it.each(once)(
    'MAINT-7: the switch and the notice are in the history and sent to webhooks, like the windows',
    async () => {
      await addHook();
      const set = async (changes: Partial<BodyOf<typeof setMaintenance>>) => {
        const { mode, text, severity, expectedEnd, version } = (await app.call(getMaintenance, {}, operator))
          .body;
        await app.call(
          setMaintenance,
          { body: { mode, text, severity, expectedEnd, version, ...changes } },
          operator,
        );
      };
      await set({ text: 'Soon', texts: { de: 'Bald' } });
      await set({ mode: 'full', text: 'Now' });
      await set({ mode: 'off' });
      await set({ severity: 'INFO' });
      expect(await recorded()).toEqual([
        'notice Ada off',
        'switched Ada full',
        'switched Ada off',
        'notice Ada off',
      ]);
      expect((await history())[0]).toMatchObject({
        text: 'Now',
        severity: 'INFO',
        before: { text: 'Now', severity: 'HIGH', endsAt: null },
      });
      expect((await history())[2]).toMatchObject({
        text: 'Now',
        severity: 'HIGH',
        windowId: null,
        phase: null,
        before: { text: 'Soon', texts: { de: 'Bald' }, severity: 'HIGH', endsAt: null },
      });
      expect(await events()).toEqual(Array.from({ length: 4 }, () => 'maintenance.switched'));
    },
  );
});

describe('with another flag host', () => {
  it('MAINT-1: windows are not planned here, as the switch is not set here', async () => {
    const flagsHost = { host: 'http://127.0.0.1:9', clientKey: 'sdk-x', remoteEval: false };
    const app = await startApp({ engine: 'sqlite', config: { flagsHost } });
    const operator = { accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE'] }) };
    const body: Draft = {
      title: 'x',
      text: '',
      severity: 'INFO',
      mode: 'full',
      leadMinutes: 0,
      endsByItself: true,
      startsAt: Date.now() + hour,
      endsAt: Date.now() + 2 * hour,
    };
    expect((await app.call(planWindow, { body }, operator)).problem).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    expect((await app.call(listWindows, {}, operator)).body).toEqual({ windows: [], next: null });
  });
});
