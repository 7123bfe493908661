import { beforeEach, describe, expect, it } from 'vitest';
import type { Change, Database } from '#server/platform/database/database.ts';
import { oneEngine, openFresh } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { aTest } from '#server/testing/people.ts';
import { insertWebhook } from '#features/webhooks/server/webhooks.store.ts';
import { createOperations, type Operations } from './operations.ts';
import { openWindows } from './windows.store.ts';

const minute = 60_000;
const ada = { kind: 'command-line', id: null, name: 'Ada' } as const;

describe.each(oneEngine)('what operators do to windows on %s', (engine) => {
  let database: Database;
  let clock: MovableClock;
  let operations: Operations;
  let topics: string[];

  beforeEach(async () => {
    database = await openFresh(engine);
    clock = movableClock();
    await database.change((change) =>
      insertWebhook(
        change,
        { url: 'https://hooks.example', description: '', enabled: true },
        { secret: 's', author: aTest },
      ),
    );
    topics = [];
    database.onChange((changes) =>
      topics.push(...changes.map(({ topic }) => topic).filter((topic) => topic !== 'webhooks')),
    );
    operations = createOperations(clock);
  });

  /** What webhooks are sent, in order. */
  const events = async () =>
    (await database.read.selectFrom('webhook_delivery').select('event').orderBy('created_at').execute()).map(
      ({ event }) => event,
    );
  /** What the audit records, in order. */
  const audited = async () =>
    (await database.read.selectFrom('audit').select(['actor_name', 'action']).orderBy('at').execute()).map(
      ({ actor_name: name, action }) => `${name} ${action}`,
    );

  const inMinutes = (minutes: number) => clock.now() + minutes * minute;
  const act = <T>(work: (change: Change) => Promise<T>) => database.change(work);
  const draft = (from: number, to: number, more: object = {}) => ({
    title: `from ${from}`,
    text: '',
    texts: {},
    severity: 'HIGH' as const,
    mode: 'full' as const,
    leadMinutes: 0,
    endsByItself: false,
    startsAt: inMinutes(from),
    endsAt: inMinutes(to),
    ...more,
  });
  const plan = (from: number, to: number, more: object = {}) =>
    act((change) => operations.plan(change, ada, draft(from, to, more)));
  const phases = async () => (await openWindows(database.read)).map(({ phase }) => phase);
  const recordPhases = (backward: boolean) => act((change) => operations.recordPhases(change, { backward }));

  it('MAINT-6: all that are in force are ended at once, and what is to come stays', async () => {
    await plan(10, 20);
    await plan(30, 40);
    await plan(50, 60, { leadMinutes: 30 });
    clock.move(35 * minute);
    const ended = await act((change) => operations.endAll(change, ada));
    expect(ended.map(({ title, phase, overAt }) => [title, phase, overAt])).toEqual([
      ['from 10', 'ended', clock.now()],
      ['from 30', 'ended', clock.now()],
    ]);
    expect(await phases()).toEqual(['imminent']);
    expect((await events()).filter((event) => event === 'maintenance.ended')).toHaveLength(2);
    expect((await audited()).filter((line) => line === 'Ada maintenance-window.end')).toHaveLength(2);
    expect(await act((change) => operations.endAll(change, ada))).toEqual([]);
  });

  it('MAINT-5: one that is not there, over, or another one by now is refused, with the reason', async () => {
    const window = await plan(10, 20);
    const end = (id: string, version: number) =>
      act((change) => operations.end(change, ada, id, { version }));
    await expect(end('nothing', 1)).rejects.toThrow('There is no such window.');
    await expect(end(window.id, 2)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    await expect(end(window.id, 1)).rejects.toMatchObject({ code: 'CONFLICT' });
    clock.move(10 * minute);
    await end(window.id, 1);
    await expect(end(window.id, 2)).rejects.toThrow(
      /^It ended at .*Z and stays as it is; plan another one\.$/,
    );
    const other = await plan(10, 20);
    await act((change) => operations.cancel(change, ada, other.id, { version: 1 }));
    await expect(end(other.id, 2)).rejects.toThrow(/^It was cancelled at /);
  });

  it('MAINT-5: what time has brought is recorded and published once, and nothing where it has brought nothing', async () => {
    await plan(10, 20);
    topics.length = 0;
    await recordPhases(false);
    expect([topics, await phases()]).toEqual([[], ['scheduled']]);
    clock.move(10 * minute);
    await recordPhases(false);
    expect([topics, await phases()]).toEqual([['maintenance'], ['active']]);
    await recordPhases(false);
    expect(topics).toEqual(['maintenance']);
    // A clock that is merely slow takes nothing back, whatever an operator does; one that was set
    // back does.
    clock.move(-8 * minute);
    const other = await plan(30, 40);
    await act((change) => operations.cancel(change, ada, other.id, { version: 1 }));
    await act((change) => operations.endAll(change, ada));
    await recordPhases(false);
    expect(await phases()).toEqual(['active']);
    await recordPhases(true);
    expect(await phases()).toEqual(['scheduled']);
  });

  it('MAINT-5: webhooks are sent by the phase that an operator brings about, or of a change', async () => {
    const window = await plan(10, 20, { endsByItself: true });
    const later = { version: 1, endsAt: inMinutes(25) };
    const changed = await act((change) => operations.extend(change, ada, window.id, later));
    // Extending a window before its start does not put it in force.
    expect([changed.version, changed.phase]).toEqual([2, 'scheduled']);
    const started = await act((change) => operations.start(change, ada, window.id, { version: 2 }));
    expect([started.startsAt, started.endsAt]).toEqual([clock.now(), inMinutes(15)]);
    expect(await events()).toEqual(['maintenance.scheduled', 'maintenance.changed', 'maintenance.active']);
    expect((await audited()).map((line) => line.split('.')[1])).toEqual(['plan', 'extend', 'start']);
  });

  it('MAINT-5: a window can be started while another is overdue, also where the clock moves during it', async () => {
    await plan(10, 20);
    const other = await plan(30, 40);
    clock.move(25 * minute);
    const ticking = createOperations({
      now: () => {
        clock.move(1);
        return clock.now();
      },
    });
    await act((change) => ticking.start(change, ada, other.id, { version: 1 }));
    expect(await phases()).toEqual(['overdue', 'active']);
  });

  it('MAINT-5: a change of one end alone is looked at for overlaps, and a window never overlaps with itself', async () => {
    const window = await plan(10, 20);
    await plan(30, 40);
    const change = (more: object) =>
      act((under) => operations.change(under, ada, window.id, { ...draft(10, 20), ...more, version: 1 }));
    await expect(change({ endsAt: inMinutes(31) })).rejects.toMatchObject({ code: 'WINDOW_OVERLAPS' });
    await plan(1, 5);
    await expect(change({ startsAt: inMinutes(4) })).rejects.toMatchObject({ code: 'WINDOW_OVERLAPS' });
    expect((await change({ startsAt: inMinutes(5), endsAt: inMinutes(30) })).version).toBe(2);
  });

  it('MAINT-5: one that is overdue has lasted until now, to the millisecond; one that is not lasts until its end', async () => {
    await plan(10, 20);
    clock.move(25 * minute);
    await expect(plan(0, 5)).rejects.toMatchObject({ code: 'INVALID_BODY' });
    const next = await plan(1, 5);
    expect(next.phase).toBe('scheduled');
    await act((change) => operations.start(change, ada, next.id, { version: 1 }));
    await expect(plan(3, 9)).rejects.toThrow(/overlaps with “from 1”/);
  });
});
