import { Agent, request as httpRequest, type Server } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { healthz, readyz } from '#features/health/contract/health.ts';
import { route } from '#contract/route.ts';
import { startApp } from '../../testing/app.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { afterThisTest, oneEngine } from '../../testing/fresh-database.ts';
import { openSocket } from '../../testing/raw-request.ts';

const slow = route({
  method: 'POST',
  path: '/slow',
  summary: 'Answers when the test lets it',
  access: 'public',
  answer: z.object({ done: z.boolean() }),
});

/** A server whose one route is under way until `finish` is called. */
async function serving() {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const at = await startTestServer((serve) => {
    serve(healthz, () => ({ status: 'ok' }) as const);
    serve(slow, async () => {
      begun.resolve();
      await finish.promise;
      return { done: true };
    });
  });
  return { at, begun: begun.promise, finish: () => finish.resolve() };
}

/** One request on a connection that its client keeps open afterwards, as proxies and browsers do. */
function requestKeepingAlive(port: number, agent: Agent): Promise<string> {
  return new Promise((done, fail) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', agent, path: '/slow', method: 'POST' },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => done(text));
      },
    );
    request.once('error', fail);
    request.end();
  });
}

/** A request in pieces, and all that came back when the server closed. */
function watch(port: number, start: string): { send(text: string): void; answer: Promise<string> } {
  const socket = openSocket(port);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write(start);
  return {
    send: (more) => socket.write(more),
    answer: new Promise((done) => socket.once('close', () => done(text))),
  };
}

/** Counts the connections that a server takes from now on, at all sockets that share its port. */
function counting({ fastify }: { fastify: { server: Server } }): () => number {
  let count = 0;
  fastify.server.on('connection', () => (count += 1));
  return () => count;
}

/** Stops the timer that cuts off connections, so that a test which waits for it hangs. */
function holdCutOff() {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  afterThisTest(() => void vi.useRealTimers());
}

// An idle connection is closed after 72 s also by who waits for it.
describe('a stop', { timeout: 30_000 }, () => {
  it('RUN-2: finishes the request that runs, takes no new one, and does not wait for its connection', async () => {
    const { at, begun, finish } = await serving();
    const agent = new Agent({ keepAlive: true });
    afterThisTest(() => agent.destroy());
    const running = requestKeepingAlive(at.port, agent);
    await begun;
    holdCutOff();
    const stopped = at.stop();
    await expect
      .poll(() =>
        fetch(`${at.url}/healthz`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    finish();
    expect(JSON.parse(await running)).toEqual({ done: true });
    await stopped;
  });

  it('RUN-2: does not wait for connections that were opened in advance or are idle', async () => {
    const { at } = await serving();
    const connections = counting(at);
    await fetch(`${at.url}/healthz`).then((answer) => answer.text());
    const unused = openSocket(at.port);
    await expect.poll(connections).toBe(2);
    const closed = new Promise((done) => unused.once('close', done));
    holdCutOff();
    await at.stop();
    await closed;
  });

  it('RUN-2: cuts off a client that never finishes its request, after a while', async () => {
    const { at } = await serving();
    const connections = counting(at);
    const stuck = openSocket(at.port);
    stuck.write('POST /slow HTTP/1.1\r\nHost: localhost\r\n');
    await expect.poll(connections).toBe(1);
    await expect.poll(() => stuck.bytesWritten).toBeGreaterThan(0);
    // So that the server has read it: an answer that came later has come.
    await fetch(`${at.url}/healthz`).then((answer) => answer.text());
    holdCutOff();
    const stopped = at.stop();
    await vi.advanceTimersByTimeAsync(8_000);
    await stopped;
  });
});

describe.each(oneEngine)('a stop of the application on %s', (engine) => {
  it('RUN-2: is not ready while it stops, though it lives and serves', async () => {
    const app = await startApp({ engine });
    const connections = counting(app);
    // Requests that have begun before the stop: new connections are refused.
    const begun = [readyz, healthz].map(({ path }) => ({
      path,
      ...watch(app.config.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`),
    }));
    await expect.poll(connections).toBe(2);
    // An answer on a later connection: the server has read the others by then.
    expect((await app.call(readyz, {})).body).toEqual({ status: 'ready' });
    const stopped = app.stop();
    for (const { send } of begun) send('\r\n');
    const [ready, alive] = await Promise.all(begun.map(({ answer }) => answer));
    await stopped;
    expect(ready).toMatch(/^HTTP\/1.1 503 /);
    expect(ready).toMatch(/retry-after: 5/);
    expect(ready).toMatch(/"code":"UNAVAILABLE"/);
    expect(alive).toMatch(/^HTTP\/1.1 200 /);
    expect(alive).toMatch(/connection: close/i);
    await expect(fetch(`${app.url}${readyz.path}`)).rejects.toThrow('fetch failed');
    await Promise.all([app.stop(), app.stop()]);
  });
});
