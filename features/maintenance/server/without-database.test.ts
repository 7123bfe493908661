import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listClientKeys, readFeatures } from '#features/flags/contract/flags.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { setMaintenance } from '#features/maintenance/contract/settings.ts';
import { planWindow } from '#features/maintenance/contract/windows.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';

const minute = 60_000;

/** The public routes that need no database. */
async function installationOf(app: TestApp, clientKey: string) {
  const { mode, upcoming } = (await app.call(getMaintenanceStatus, {})).body;
  const flags = JSON.parse((await app.call(readFeatures, { params: { clientKey } })).text) as {
    dateUpdated: string;
    features: Record<string, { defaultValue: unknown }>;
  };
  const { MAINTENANCE: on, MAINTENANCE_TEXT: text, ...others } = flags.features;
  return { mode, upcoming, on: on?.defaultValue, text: text?.defaultValue, others: Object.keys(others) };
}

async function deedsOf(app: TestApp) {
  const rows = await app.database.read
    .selectFrom('maintenance_history')
    .select('deed')
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map(({ deed }) => deed);
}

describe.each(engines)('maintenance on %s whose database has gone away', (engine) => {
  it('MAINT-6: opens at a file in the data folder, closes again when it is gone, and goes by the clock until then', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const rights = ['MAINTENANCE_WRITE', 'FLAGS_READ'] as const;
    const operator = { accessToken: await addToken(app, { rights }) };
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const clientKey = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
    const close = { mode: 'full', text: 'Down', severity: 'HIGH', expectedEnd: null, version: 1 } as const;
    await app.call(setMaintenance, { body: close }, operator);
    const window = {
      title: 'Pumps',
      text: '',
      severity: 'HIGH',
      mode: 'full',
      leadMinutes: 0,
      endsByItself: false,
      startsAt: clock.now() + 10 * minute,
      endsAt: clock.now() + 20 * minute,
    } as const;
    await app.call(planWindow, { body: window }, operator);
    const installation = () => installationOf(app, clientKey);
    expect(await installation()).toMatchObject({ mode: 'full', on: true, text: 'HIGH:Down' });

    await app.database.close();
    const file = join(app.place.dataDir, 'maintenance-off');
    writeFileSync(file, '');
    await expect.poll(installation).toEqual({ mode: 'off', upcoming: null, on: false, text: '', others: [] });
    rmSync(file);
    await expect.poll(installation).toMatchObject({ mode: 'full', on: true, text: 'HIGH:Down' });
    // A boundary is crossed all the same, though it cannot be recorded.
    clock.move(11 * minute);
    expect((await installation()).mode).toBe('full');
    await expect.poll(installation).toMatchObject({ on: true, text: 'HIGH:Pumps' });
    // Whatever lies there.
    mkdirSync(file);
    await expect.poll(installation).toMatchObject({ mode: 'off', on: false, text: '' });
    const messages = app.log.map(({ msg }) => msg);
    expect(messages.filter((msg) => msg.includes('a file keeps maintenance off, whatever'))).toHaveLength(2);
    expect(messages.filter((msg) => msg.includes('cannot be recorded'))).toHaveLength(1);
  });

  it('MAINT-6: a start finds the file, and what was recorded of it, and sends webhooks its coming and going', async () => {
    const app = await startApp({ engine });
    const operator = {
      accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE', 'SETTINGS_WRITE'] }),
    };
    // Nothing answers at this address: the test checks only which deliveries are written.
    const hook = { url: 'https://192.0.2.1/x', description: '', enabled: true };
    await app.call(addWebhook, { body: hook }, operator);
    const close = { mode: 'full', text: 'Down', severity: 'HIGH', expectedEnd: null, version: 1 } as const;
    await app.call(setMaintenance, { body: close }, operator);
    await app.stop();
    const file = join(app.place.dataDir, 'maintenance-off');
    writeFileSync(file, '');
    for (const _again of [1, 2]) {
      const next = await startApp({ after: app });
      expect(await deedsOf(next)).toEqual(['switched', 'held-open']);
      await next.stop();
    }
    const last = await startApp({ after: app });
    rmSync(file);
    await expect.poll(() => deedsOf(last)).toEqual(['switched', 'held-open', 'let-go']);
    const deliveries = await last.database.read
      .selectFrom('webhook_delivery')
      .select(['event', 'body'])
      .orderBy('created_at')
      .execute();
    expect(deliveries.map(({ event }) => event).slice(1)).toEqual([
      'maintenance.held-open',
      'maintenance.let-go',
    ]);
    expect(deliveries.slice(1).map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toMatchObject(
      [
        { mode: 'off', text: '', since: null },
        { mode: 'full', text: 'Down', severity: 'HIGH' },
      ],
    );
  });
});
