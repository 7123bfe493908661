import { describe, expect, it } from 'vitest';
import { listClientKeys, readFeatures } from '#features/flags/contract/flags.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import {
  cancelWindow,
  listMaintenanceHistory,
  listWindows,
  planWindow,
  startWindow,
  warnOfWindow,
  type MaintenanceWindow,
} from '#features/maintenance/contract/windows.ts';
import { listPeople } from '#features/people/contract/people.ts';
import type { CallOf, Route } from '#contract/route.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { callRoute } from './testing/client.ts';
import { freshDatabase, oneEngine } from './testing/fresh-database.ts';
import { movableClock } from './testing/movable-clock.ts';
import { addToken } from './testing/people.ts';
import { startServerProcess } from './testing/server-process.ts';

const minute = 60_000;
const hour = 60 * minute;
const rights = ['MAINTENANCE_WRITE', 'PEOPLE_READ', 'FLAGS_READ'] as const;

const draft = {
  text: '',
  severity: 'HIGH',
  mode: 'full',
  leadMinutes: 30,
  endsByItself: false,
} as const;

/** What has happened to each window, the first first. */
async function storyOf(app: TestApp, caller: { accessToken: string }): Promise<Record<string, string[]>> {
  const { entries } = (await app.call(listMaintenanceHistory, { query: { limit: 200 } }, caller)).body;
  const story: Record<string, string[]> = {};
  for (const { title, deed, phase } of entries.toReversed())
    (story[title ?? ''] ??= []).push(deed === 'phase' ? (phase ?? '') : deed);
  return story;
}

describe.each(oneEngine)('planned windows on %s', (engine) => {
  it('MAINT-5: a server killed with windows in every phase goes on with each, and records what time brought since, once', async () => {
    const place = await freshDatabase(engine);
    const { url, server, caller: operator } = await startServerProcess(place, rights);

    const call = <const R extends Route>(route: R, options: CallOf<R>) =>
      callRoute(url, route, options, operator);
    const plan = async (title: string, startsAt: number, length: number, endsByItself = false) => {
      const body = { ...draft, title, startsAt, endsAt: startsAt + length, endsByItself };
      return (await call(planWindow, { body })).body;
    };
    const step = async (
      route: typeof startWindow | typeof warnOfWindow | typeof cancelWindow,
      window: MaintenanceWindow,
    ) => (await call(route, { params: { windowId: window.id }, body: { version: window.version } })).body;
    const now = Date.now();
    await step(startWindow, await plan('overdue', now + hour, 1));
    const phases = async () => {
      const { windows } = (await call(listWindows, {})).body;
      return Object.fromEntries(windows.map(({ title, phase }) => [title, phase]));
    };
    await expect.poll(phases).toEqual({ overdue: 'overdue' });
    await step(startWindow, await plan('active', now + hour, 10 * minute));
    await step(warnOfWindow, await plan('imminent', now + hour, 10 * minute));
    await plan('scheduled', now + 2 * hour, 10 * minute, true);
    await step(cancelWindow, await plan('cancelled', now + 5 * hour, 10 * minute));
    const known = { active: 'active', imminent: 'imminent', overdue: 'overdue', scheduled: 'scheduled' };
    expect(await phases()).toEqual(known);
    const before = (await call(getMaintenanceStatus, {})).body;
    await server.kill();

    const app = await startApp({ on: place });
    const after = (await app.call(getMaintenanceStatus, {})).body;
    expect({ ...after, serverTime: 0 }).toEqual({ ...before, serverTime: 0 });
    const { windows } = (await app.call(listWindows, {}, operator)).body;
    expect(Object.fromEntries(windows.map(({ title, phase }) => [title, phase]))).toEqual(known);
    await app.stop();

    for (const _again of [1, 2]) {
      // Down for six hours, in which every boundary has passed; the phase changes are recorded once it
      // listens.
      const later = await startApp({ after: app, clock: movableClock(now + 6 * hour) });
      expect(await storyOf(later, operator)).toEqual({
        overdue: ['planned', 'started', 'overdue'],
        active: ['planned', 'started', 'overdue'],
        imminent: ['planned', 'warned', 'active', 'overdue'],
        scheduled: ['planned', 'imminent', 'active', 'ended'],
        cancelled: ['planned', 'cancelled'],
      });
      expect((await later.call(listPeople, {}, operator)).problem?.code).toBe('MAINTENANCE');
      await later.stop();
    }
  });
});

describe('two replicas on one PostgreSQL', () => {
  it.each([0, 3_000])(
    'RUN-1: change phase together at each boundary, and one of them records it, with clocks %i ms apart',
    async (apart) => {
      const clock = movableClock();
      const one = await startApp({ engine: 'postgres', clock });
      const other = await startApp({ replicaOf: one, clock: { now: () => clock.now() - apart } });
      const operator = { accessToken: await addToken(one, { rights, lifetimeMs: 1_000 * hour }) };
      const startsAt = clock.now() + hour;
      const body = { ...draft, title: 'pumps', startsAt, endsAt: startsAt + hour, endsByItself: true };
      await one.call(planWindow, { body }, operator);
      const { clientKeys } = (await one.call(listClientKeys, {}, operator)).body;
      const clientKey = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
      const seen = async (app: TestApp) => {
        const { mode, upcoming } = (await app.call(getMaintenanceStatus, {})).body;
        const flags = await app.call(readFeatures, { params: { clientKey } });
        const { features } = JSON.parse(flags.text) as { features: unknown };
        return { mode, upcoming: upcoming?.title ?? null, flags: JSON.stringify(features) };
      };
      const phases = ['planned'];
      for (const [ms, phase, mode, upcoming] of [
        [30 * minute, 'imminent', 'off', 'pumps'],
        [30 * minute, 'active', 'full', null],
        [hour, 'ended', 'off', null],
      ] as const) {
        clock.move(ms);
        expect(await seen(one)).toMatchObject({ mode, upcoming });
        await expect.poll(() => seen(other)).toMatchObject({ mode, upcoming });
        phases.push(phase);
        await expect.poll(() => storyOf(other, operator)).toEqual({ pumps: phases });
        // The same flags. Their versions may differ where a slow database made one replica go on without it.
        await expect
          .poll(async () => new Set([(await seen(one)).flags, (await seen(other)).flags]).size)
          .toBe(1);
      }
      // Nothing more comes of it, on either clock.
      clock.move(apart);
      await expect.poll(() => seen(other)).toMatchObject({ mode: 'off' });
      expect(await storyOf(one, operator)).toEqual({ pumps: phases });
    },
  );
});
