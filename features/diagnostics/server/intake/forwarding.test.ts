import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import {
  envelopeOf,
  errorEnvelope,
  errorEvent,
  ownProjectKey,
  sendEnvelope,
} from '#server/testing/envelopes.ts';
import { afterThisTest } from '#server/testing/fresh-database.ts';

type Received = { url: string; headers: IncomingHttpHeaders; body: Buffer };

const otherKey = 'f'.repeat(32);

/** A host that takes envelopes, and answers each as it is told. */
async function otherHost(answers: { status: number; headers?: Record<string, string> }[] = []) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      const { status, headers } = answers.shift() ?? { status: 200 };
      response.writeHead(status, headers).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
    return Promise.resolve();
  });
  const { port } = server.address() as AddressInfo;
  return { received, dsn: `http://${otherKey}@127.0.0.1:${port}/below/7` };
}

async function forwardTo(app: TestApp, dsn: string): Promise<void> {
  await app.database.change(async (change) => {
    await change.tx.updateTable('diagnostic_project').set({ forward_to: dsn }).execute();
    change.publish('diagnostics');
  });
}

it('DIAG-2: what was accepted is forwarded as it came, with the DSN of the other host', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const key = await ownProjectKey(app);
  const { received, dsn } = await otherHost();
  const plain = errorEnvelope();
  const packed = gzipSync(errorEnvelope());
  await sendEnvelope(app.url, key, plain);
  await forwardTo(app, dsn);
  await expect
    .poll(async () => (await sendEnvelope(app.url, key, plain)) && received.length)
    .toBeGreaterThan(0);
  await sendEnvelope(app.url, key, packed, { headers: { 'content-encoding': 'gzip' } });
  const refused = Buffer.from('no envelope');
  await sendEnvelope(app.url, key, refused);
  const circling = errorEnvelope();
  await sendEnvelope(app.url, key, circling, { headers: { 'x-portico-forwarded': '1' } });
  const own = { dsn: `http://${key}@localhost/1`, sdk: { name: 'x' } };
  const item = { header: { type: 'event' }, payload: errorEvent() };
  await fetch(`${app.url}/v1/faults`, { method: 'POST', body: envelopeOf(own, [item]) });

  const find = (body: Buffer) => received.find((each) => each.body.equals(body));
  await expect.poll(() => find(packed)).toBeDefined();
  // Of Portico's own address the header is rewritten, and nothing of its key leaves.
  await expect.poll(() => find(envelopeOf({ ...own, dsn }, [item]))).toBeDefined();
  expect(find(packed)).toMatchObject({
    url: `/below/api/7/envelope/?sentry_version=7&sentry_key=${otherKey}`,
    headers: { 'content-encoding': 'gzip', 'x-portico-forwarded': '1' },
  });
  expect([find(refused), find(circling)]).toEqual([undefined, undefined]);
  expect(received.filter(({ body, url }) => body.includes(key) || url.includes(key))).toEqual([]);
});

it('DIAG-2: what the other host has no time for is sent again when it says', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const key = await ownProjectKey(app);
  const limited = { status: 429, headers: { 'x-sentry-rate-limits': '1:error:key' } };
  const { received, dsn } = await otherHost([limited]);
  await forwardTo(app, dsn);
  const envelope = errorEnvelope();
  await expect
    .poll(async () => (await sendEnvelope(app.url, key, envelope)) && received.length, { interval: 100 })
    .toBeGreaterThan(0);
  const before = received.length;
  expect((await sendEnvelope(app.url, key, envelope)).status).toBe(200);
  await expect.poll(() => received.length).toBeGreaterThan(before);
  expect(received.every(({ body }) => body.equals(envelope))).toBe(true);
});

it('DIAG-2: a host that does not answer, or may not be reached, delays nothing', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const key = await ownProjectKey(app);
  for (const dsn of [`http://${otherKey}@169.254.169.254/1`, `http://${otherKey}@127.0.0.1:1/1`]) {
    await forwardTo(app, dsn);
    expect((await sendEnvelope(app.url, key, errorEnvelope())).status).toBe(200);
  }
  await app.stop();
});
