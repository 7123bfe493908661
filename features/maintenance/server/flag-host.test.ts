import { createServer, type Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listClientKeys, type ClientKeyKind } from '#features/flags/contract/flags.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { freePort } from '#server/testing/free-port.ts';
import { followFlagHost } from './flag-host.ts';
import type { FollowedState } from './live-maintenance.ts';

/** A Portico whose flags another one follows, and what an operator does there. */
async function startHost(
  kind: ClientKeyKind,
  options: Parameters<typeof startApp>[0] = { engine: 'sqlite' },
) {
  const app = await startApp(options);
  const rights = ['MAINTENANCE_WRITE', 'MAINTENANCE_BYPASS', 'FLAGS_READ'] as const;
  const operator = { accessToken: await addToken(app, { rights }) };
  const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
  const clientKey = clientKeys.find((key) => key.kind === kind)?.key ?? '';
  return {
    app,
    source: { host: app.url, clientKey, remoteEval: kind === 'remote-eval' },
    async set(mode: 'off' | 'full', text = '', severity: 'HIGH' | 'MEDIUM' | 'INFO' = 'HIGH') {
      const { version } = (await app.call(getMaintenance, {}, operator)).body;
      const body = { mode, text, severity, expectedEnd: null, version };
      return (await app.call(setMaintenance, { body }, operator)).body;
    },
  };
}

const status = async (app: TestApp) => (await app.call(getMaintenanceStatus, {})).body;

describe('maintenance of another flag host', () => {
  it.each(['plain', 'remote-eval'] as const)(
    'MAINT-1: is followed by its stream, with a %s key, by notice, status and gate',
    async (kind) => {
      const host = await startHost(kind);
      const app = await startApp({ engine: 'sqlite', config: { flagsHost: host.source } });
      const caller = { accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE', 'PEOPLE_READ'] }) };
      expect((await app.call(listPeople, {}, caller)).status).toBe(200);

      await host.set('off', 'Tonight: new engine', 'MEDIUM');
      await expect
        .poll(() => status(app))
        .toMatchObject({ mode: 'off', text: 'Tonight: new engine', severity: 'MEDIUM' });

      const before = Date.now();
      await host.set('full', 'New engine', 'INFO');
      await expect.poll(() => status(app)).toMatchObject({ mode: 'full', text: 'New engine' });
      expect((await status(app)).since).toBeGreaterThanOrEqual(before);
      const refused = await app.call(listPeople, {}, caller);
      expect(refused.problem?.code).toBe('MAINTENANCE');
      expect(refused.headers.get('retry-after')).toBe('60');

      await host.set('off');
      await expect.poll(() => status(app)).toMatchObject({ mode: 'off', text: '', since: null });
      expect((await app.call(listPeople, {}, caller)).status).toBe(200);
    },
  );

  it('MAINT-1: cannot be set here, and the screen learns why', async () => {
    const host = await startHost('plain');
    await host.set('full', 'New engine', 'INFO');
    const app = await startApp({ engine: 'sqlite', config: { flagsHost: host.source } });
    const operator = { accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE'] }) };
    await expect.poll(() => status(app)).toMatchObject({ mode: 'full' });
    expect((await app.call(getMaintenance, {}, operator)).body).toMatchObject({
      source: 'flag-host',
      mode: 'full',
      text: 'New engine',
      severity: 'INFO',
    });

    const body = { mode: 'off', text: '', severity: 'HIGH', expectedEnd: null, version: 1 } as const;
    expect((await app.call(setMaintenance, { body }, operator)).problem).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    expect(await status(app)).toMatchObject({ mode: 'full' });
    expect(await app.database.read.selectFrom('audit').selectAll().execute()).toEqual([]);
  });

  it('MAINT-1: a host that is down neither stops the start nor changes anything, and is followed again', async () => {
    const host = await startHost('plain');
    await host.set('full', 'New engine');
    const app = await startApp({ engine: 'sqlite', config: { flagsHost: host.source } });
    await expect.poll(() => status(app)).toMatchObject({ mode: 'full' });
    await host.app.stop();
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const flagsHost = { ...host.source, host: nowhere };
    const another = await startApp({ engine: 'sqlite', config: { flagsHost } });
    await expect
      .poll(() => another.log.map(({ msg }) => msg))
      .toContain('the flag host does not answer; maintenance stays as it was');
    expect(await status(another)).toMatchObject({ mode: 'off', text: '' });
    expect(await status(app)).toMatchObject({ mode: 'full', text: 'New engine' });

    const again = await startHost('plain', { after: host.app });
    await again.set('full', 'Back again');
    await expect.poll(() => status(app)).toMatchObject({ mode: 'full', text: 'Back again' });
  });

  it('MAINT-1: a host that comes up after the start is soon followed', async () => {
    const host = await startPlainHost();
    host.stop();
    const log: string[] = [];
    const followed = follow(host.url, log, 12_000);
    await expect.poll(() => log.at(-1)).toContain('the flag host does not answer');
    await host.start();
    host.answer(payload(true, 'INFO:Hello'), 200);
    await expect.poll(() => followed.state()).toMatchObject({ mode: 'full', text: 'Hello' });
  });

  it('MAINT-1: is asked again where it streams nothing, and whatever it answers the last good state stays', async () => {
    const host = await startPlainHost();
    const log: string[] = [];
    const followed = follow(host.url, log, 20);
    const texts: string[] = [];
    followed.onChange(() => texts.push(followed.state().text));
    const answered = async (answer: string, code = 200) => {
      host.answer(answer, code);
      const asked = host.asked();
      await expect.poll(() => host.asked()).toBeGreaterThan(asked + 1);
    };
    await answered(payload(true, 'INFO:Hello'));
    const closed = { mode: 'full', text: 'Hello', severity: 'INFO' };
    expect(followed.state()).toMatchObject(closed);
    const { since } = followed.state();
    for (const [answer, code] of [
      ['', 500],
      ['<html>', 200],
      ['null', 200],
      ['[]', 200],
      ['{"status":400,"error":"x"}', 400],
      ['{"features":null}', 200],
    ] as const) {
      await answered(answer, code);
      expect(followed.state()).toMatchObject(closed);
    }
    host.stop();
    await expect.poll(() => log.at(-1)).toContain('the flag host does not answer');
    expect(followed.state()).toMatchObject(closed);
    await host.start();

    await answered(payload(true, 'No severity: 5 o’clock'));
    expect(followed.state()).toMatchObject({
      mode: 'full',
      text: 'No severity: 5 o’clock',
      severity: 'HIGH',
    });
    expect(followed.state().since).toBe(since);
    await answered(payload('true', 7));
    expect(followed.state()).toMatchObject({ mode: 'off', text: '', since: null });
    expect(texts).toEqual(['Hello', 'No severity: 5 o’clock', '']);
    // One line each time that the host fails and recovers, not for each request.
    expect(log.length).toBeLessThan(10);
  });
});

function follow(host: string, log: string[], pollMs: number): FollowedState {
  const followed = followFlagHost({
    source: { host, clientKey: 'sdk-x', remoteEval: false },
    clock: movableClock(),
    logger: createLogger('info', { write: (line) => log.push(line) }),
    pollMs,
  });
  afterThisTest(() => followed.close());
  return followed;
}

const payload = (on: unknown, text: unknown): string =>
  JSON.stringify({
    status: 200,
    features: { MAINTENANCE: { defaultValue: on }, MAINTENANCE_TEXT: { defaultValue: text } },
  });

/** A flag host that has no streams; it answers what the test sets. */
async function startPlainHost() {
  let body = '{"features":{}}';
  let status = 200;
  let asked = 0;
  let server: Server;
  const port = await freePort();
  const start = () =>
    new Promise<void>((done) => {
      server = createServer((_request, response) => {
        asked += 1;
        response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
        response.end(body);
      });
      server.listen(port, '127.0.0.1', done);
    });
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  await start();
  afterThisTest(stop);
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    answer(answer: string, code: number) {
      body = answer;
      status = code;
    },
    start,
    stop,
  };
}
