import { describe, expect, it, vi } from 'vitest';
import { createFlag } from '#features/flags/contract/flags.ts';
import { healthz, readyz } from '#features/health/contract/health.ts';
import { startApp } from './testing/app.ts';
import { startBalancer } from './testing/balancer.ts';
import { startProcess, type Child } from './testing/child-process.ts';
import { callRoute } from './testing/client.ts';
import { environmentOf } from './testing/command-line.ts';
import {
  afterThisTest,
  freshDatabase,
  oneEngine,
  openDatabase,
  type Place,
} from './testing/fresh-database.ts';
import { openStream } from './testing/flag-client.ts';
import { freePort } from './testing/free-port.ts';
import { addToken } from './testing/people.ts';

const flag = { type: 'boolean', enabled: true, description: '', defaultValue: true } as const;

describe.each(oneEngine)('a stop with a delay on %s', (engine) => {
  it('RUN-2: is not ready at once, serves new connections and closes each, and ends its streams last', async () => {
    const app = await startApp({ engine, config: { stopDelayMs: 5_000 } });
    const { key } = await app.database.read
      .selectFrom('client_key')
      .select('key')
      .where('kind', '=', 'plain')
      .executeTakeFirstOrThrow();
    const stream = await openStream(`${app.url}/sub/${key}`);
    await stream.until(1);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    afterThisTest(async () => {
      await vi.runAllTimersAsync();
      vi.useRealTimers();
    });

    let over = false;
    const stopped = app.stop().then(() => (over = true));
    const ready = await fetch(app.url + readyz.path);
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    expect(await ready.json()).toMatchObject({ code: 'UNAVAILABLE', detail: 'Stopping.' });
    for (const path of [
      healthz.path,
      `/api/features/${key}`,
      '/nowhere',
      '/idp/.well-known/openid-configuration',
    ]) {
      const answer = await fetch(app.url + path);
      expect([path, answer.headers.get('connection')]).toEqual([path, 'close']);
      expect(answer.status).toBe(path === '/nowhere' ? 404 : 200);
      await answer.arrayBuffer();
    }
    expect(stream.text()).not.toMatch(/retry: \d+\n\n$/);
    await vi.advanceTimersByTimeAsync(4_999);
    expect((await fetch(app.url + healthz.path)).status).toBe(200);
    expect(over).toBe(false);

    await vi.advanceTimersByTimeAsync(1);
    await stopped;
    await stream.ended;
    expect(stream.text()).toMatch(/retry: \d+\n\n$/);
    await expect(fetch(app.url + healthz.path)).rejects.toThrow('fetch failed');
  });
});

describe('two replicas behind a balancer', () => {
  it('RUN-2: fail no request while one after the other is restarted under load', async () => {
    const place = await freshDatabase('postgres');
    const ports = [await freePort(), await freePort()];
    const replicas = ports.map((port) => startReplica(place, port));
    const balancer = await startBalancer(ports, afterThisTest);
    const bothReady = () => expect.poll(() => balancer.ready().length).toBe(2);
    await bothReady();

    const database = await openDatabase(place.location);
    const accessToken = await addToken({ database }, { rights: ['FLAGS_WRITE', 'FLAGS_READ'] });
    await database.close();
    const failures: string[] = [];
    const load = { on: true };
    let sent = 0;
    const send = async (worker: number): Promise<void> => {
      for (let index = 0; load.on; index += 1) {
        const body = { ...flag, key: `flag-${worker}-${index}`, rules: [], tags: [] };
        const reads = callRoute(balancer.url, healthz, {});
        const writes =
          index % 10 === 0 ? [callRoute(balancer.url, createFlag, { body }, { accessToken })] : [];
        for (const answer of await Promise.all([reads, ...writes]))
          if (answer.status >= 300) failures.push(`${answer.status} ${answer.text}`);
        sent += 1 + writes.length;
      }
    };
    const sending = Promise.all([0, 1, 2, 3].map(send));

    for (const [index, port] of ports.entries()) {
      const before = sent;
      replicas[index]?.signal('SIGTERM');
      expect(await replicas[index]?.ended).toBe(0);
      expect(balancer.ready()).not.toContain(port);
      replicas[index] = startReplica(place, port);
      await bothReady();
      expect(sent).toBeGreaterThan(before + 10);
    }
    load.on = false;
    await sending;
    expect(failures).toEqual([]);
  });

  it('RUN-2: a second signal ends the delay at once', async () => {
    const port = await freePort();
    const server = startReplica(await freshDatabase('sqlite'), port, '600');
    await server.line(/"msg":"ready"/);
    server.signal('SIGTERM');
    await server.line(/"msg":"stopping"/);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(1);
  });
});

function startReplica(place: Place, port: number, delay = '6'): Child {
  return startProcess('main.ts', [], {
    PORT: String(port),
    RATE_LIMIT_SCALE: '1000000',
    STOP_DELAY: delay,
    ...environmentOf(place),
  });
}
