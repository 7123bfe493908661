import { readFileSync } from 'node:fs';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  type Check,
  checks,
  getLog,
  lookAt,
  otherLevelMs,
  setLogLevel,
} from '#features/health/contract/doctor.ts';
import { readUpstreams, type UpstreamsFile } from '#server/config-upstreams.ts';
import { startApp } from '#server/testing/app.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { listening } from '#server/testing/gateway.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { sentences } from './findings.ts';

/** Passes requests on; upgrades only where it knows them. */
async function startProxy(to: () => number, knowsUpgrades: boolean): Promise<string> {
  const proxy = createServer((incoming, answer) => {
    const { connection: _connection, upgrade: _upgrade, ...headers } = incoming.headers;
    const onward = send({ port: to(), method: incoming.method, path: incoming.url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.once('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  if (knowsUpgrades) {
    proxy.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
      const onward = send({ port: to(), path: incoming.url, headers: incoming.headers });
      onward.once('upgrade', () =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      );
      onward.end();
    });
  }
  const port = await listening(proxy);
  afterThisTest(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `http://localhost:${port}`;
}

describe('RUN-8: what is looked at by screen', () => {
  it('answers one check after the other, and tells whether the proxy passes WebSockets on', async () => {
    let port = 0;
    const publicUrl = `${await startProxy(() => port, true)}/portico`;
    const upstreams = [{ name: 'application', url: 'http://127.0.0.1:9' }];
    const file = readUpstreams(JSON.stringify({ upstreams })) as UpstreamsFile;
    const app = await startApp({ engine: 'sqlite', config: { publicUrl, basePath: '/portico', ...file } });
    port = app.config.port;
    const operator = await signIn(app, { roles: ['operator'] });
    const look = async (check: Check) =>
      (await operator.call(lookAt, { params: { check } })).body.steps.map(({ outcome }) => outcome);
    const outcomes: Record<string, string[]> = {};
    for (const check of checks) outcomes[check] = await look(check);
    const good = Object.fromEntries(checks.map((check) => [check, ['ok']]));
    // Tests scale the rate limits.
    const doubts = { configuration: ['warning'], mail: ['warning'], backup: ['warning'] };
    expect(outcomes).toEqual({ ...good, ...doubts, notifications: [], 'object-store': [] });

    app.config.publicUrl = `${await startProxy(() => port, false)}/portico`;
    expect(await look('websockets')).toEqual(['failed']);
  });
});

describe('RUN-12: the log by screen', () => {
  it('shows warnings with the id of their request and the reason, and no secret', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const operator = await signIn(app, { roles: ['operator'] });
    const logged = app.fastify.log;
    logged.warn(
      { requestId: 'abc', err: new Error('outer', { cause: new Error('inner') }), token: 's3cret' },
      'bad',
    );
    logged.info('nothing to worry about');
    const { warnings } = (await operator.call(getLog, {})).body;
    expect(warnings[0]).toMatchObject({ level: 'warn', message: 'bad', requestId: 'abc' });
    expect(warnings[0]?.reason).toMatch(/outer.*inner/);
    expect(JSON.stringify(warnings)).not.toMatch(/s3cret|worry/);
    for (let n = 0; n < 510; n += 1) logged.warn(`number ${n}`);
    const later = (await operator.call(getLog, {})).body.warnings;
    expect([later.length, later[0]?.message]).toEqual([500, 'number 509']);
  });

  it('another level counts for 15 minutes, on every replica and after a restart', async () => {
    const clock = movableClock();
    const app = await startApp({ engine: 'postgres', clock });
    const other = await startApp({ replicaOf: app, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const usual = app.fastify.log.level;
    expect((await operator.call(setLogLevel, { body: { level: 'warn' } })).body).toMatchObject({
      level: 'warn',
      until: expect.closeTo(clock.now() + otherLevelMs, -4),
    });
    await expect.poll(() => other.fastify.log.level).toBe('warn');
    await other.stop();
    const again = await startApp({ after: other, clock });
    await expect.poll(() => again.fastify.log.level).toBe('warn');
    await again.stop();
    clock.move(otherLevelMs + 1_000);
    const later = await startApp({ after: again, clock });
    expect(later.fastify.log.level).toBe(usual);

    const { call } = await signIn(app, { roles: ['operator'] });
    await call(setLogLevel, { body: { level: null } });
    expect(app.fastify.log.level).toBe(usual);
  });
});

it('LOOK-3: the screen has every sentence that a check may find', () => {
  const catalogue = readFileSync(new URL('../web/texts/en.json', import.meta.url), 'utf8');
  expect(JSON.parse(catalogue)).toMatchObject({ HEALTH: { FINDINGS: sentences } });
});
