import { getError, getErrorEvent, listErrors } from '#features/diagnostics/contract/diagnostics.ts';
import { getDiagnosticSettings, setDiagnosticSettings } from '#features/diagnostics/contract/projects.ts';
import { listSourceMaps } from '#features/diagnostics/contract/source-maps.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { addError } from '#server/testing/errors.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { uploadMap } from '#server/testing/source-map.ts';

const dayMs = 86_400_000;

describe.each(engines)('how long errors are stored on %s', (engine) => {
  async function start(settings: object) {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const { stored: _stored, mails: _mails, ...now } = (await operator.call(getDiagnosticSettings, {})).body;
    const set = await operator.call(setDiagnosticSettings, { body: { ...now, ...settings } });
    expect(set.status).toBe(200);
    return { app, clock, operator };
  }

  it('DIAG-2: events older than the setting go, then errors that have none, and maps that nothing came from; reports stay', async () => {
    const { app, clock, operator } = await start({ eventDays: 20 });
    const now = clock.now();
    const old = { at: now - 21 * dayMs, release: '1.0.0', sample: { message: 'old' } };
    const fresh = { at: now - 1, release: '2.0.0', sample: { message: 'fresh' } };
    const gone = await addError(app, { events: [old, old] });
    const stays = await addError(app, { events: [old, ...Array.from({ length: 130 }, () => fresh)] });
    const map = (release: string) =>
      uploadMap(app.url, operator.accessToken, { query: `release=${release}&file=/a.js` });
    await map('1.0.0');
    await map('2.0.0');
    await app.database.transaction((tx) =>
      tx
        .updateTable('source_map')
        .set({ created_at: now - 30 * dayMs })
        .execute(),
    );
    await operator.call(saveFeedback, { body: { message: 'It is broken.' } });
    await app.database.transaction((tx) =>
      tx
        .insertInto('error_facet')
        .values(
          Array.from({ length: 50 }, (_, n) => ({
            group_id: stays.id,
            facet: 'environment',
            value: `env-${n}`,
            events: 1,
            last_seen_at: now + n,
          })),
        )
        .execute(),
    );
    await app.sweep();
    const { errors } = (await operator.call(listErrors, {})).body;
    expect(errors.map(({ id }) => id)).toEqual([stays.id]);
    expect(errors[0]?.events).toBe(131);
    const { read } = app.database;
    expect(await read.selectFrom('error_event').select('n').execute()).toHaveLength(130);
    expect(await read.selectFrom('error_sample').select('n').execute()).toHaveLength(130);
    const { facets } = (await operator.call(getError, { params: { errorId: stays.id } })).body;
    expect(facets.release.map(({ value }) => value)).toContain('2.0.0');
    // The oldest of them have made room for newer ones.
    const { facets: of } = (await operator.call(getError, { params: { errorId: stays.id } })).body;
    expect(of.environment).toHaveLength(40);
    expect(of.environment.map(({ value }) => value)).not.toContain('env-9');
    for (const table of ['error_count', 'error_facet'] as const)
      expect(await read.selectFrom(table).selectAll().where('group_id', '=', gone.id).execute()).toEqual([]);
    const maps = (await operator.call(listSourceMaps, {})).body.releases;
    expect(maps.map(({ release }) => release)).toEqual(['2.0.0']);
    expect(await read.selectFrom('report').select('id').execute()).toHaveLength(1);
  });

  it('DIAG-2: above the megabytes the oldest events go, and the error stays with what it counts in all', async () => {
    const { app, clock, operator } = await start({ eventMegabytes: 10 });
    const at = clock.now();
    const { id, numbers } = await addError(app, {
      events: Array.from({ length: 250 }, () => ({ at, sample: { message: 'x' } })),
    });
    // As if each sample had 60 kB.
    await app.database.transaction((tx) => tx.updateTable('error_sample').set({ size: 60_000 }).execute());
    const before = (await operator.call(getDiagnosticSettings, {})).body.stored;
    expect([before.events, Math.floor(before.bytes / 1_000_000)]).toEqual([250, 15]);
    await app.sweep();
    const { stored } = (await operator.call(getDiagnosticSettings, {})).body;
    expect(stored.events).toBe(150);
    const params = { errorId: id, event: 'oldest' };
    expect((await operator.call(getErrorEvent, { params })).body.number).toBe(numbers[100]);
    expect((await operator.call(listErrors, {})).body.errors[0]?.events).toBe(250);
    expect(app.log.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('DIAG-2: above the megabytes strangers’ events go first, then what their errors counted; then those of people who were signed in', async () => {
    const { app, clock, operator } = await start({ eventMegabytes: 10 });
    const at = clock.now() - 1;
    const known = await addError(app, { events: [{ at, sample: { message: 'known' } }] });
    await app.database.transaction((tx) => tx.updateTable('error_event').set({ from_known: 1 }).execute());
    const strange = await addError(app, { events: [{ at, sample: { message: 'strange' } }] });
    const empty = await addError(app, { events: [{ at }] });
    const stored = async () => (await operator.call(getDiagnosticSettings, {})).body.stored;
    const before = await stored();
    const setSize = (size: number) =>
      app.database.transaction((tx) => tx.updateTable('error_sample').set({ size }).execute());
    const numbers = async () =>
      (await app.database.read.selectFrom('error_event').select('n').execute()).map(({ n }) => n);
    // Each of the three groups is counted, with its rows.
    expect(before.bytes).toBeGreaterThan(3 * 1_500);
    await setSize(6 * 1024 * 1024);
    await app.sweep();
    expect(await numbers()).toEqual(known.numbers);
    expect((await operator.call(listErrors, {})).body.errors.map(({ id }) => id)).toEqual(
      expect.arrayContaining([known.id, strange.id, empty.id]),
    );
    await setSize(11 * 1024 * 1024);
    clock.move(1_000);
    await app.sweep();
    expect(await numbers()).toEqual([]);
    expect((await operator.call(listErrors, {})).body.errors.map(({ id }) => id)).toEqual([known.id]);
  });
});

it('DIAG-2: settings of an older version are refused', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const operator = await signIn(app, { roles: ['operator'] });
  const { stored: _stored, mails: _mails, ...now } = (await operator.call(getDiagnosticSettings, {})).body;
  const stale = await operator.call(setDiagnosticSettings, { body: { ...now, version: 2 } });
  expect(stale.problem?.code).toBe('VERSION_CONFLICT');
});
