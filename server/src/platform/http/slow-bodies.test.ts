import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it, vi } from 'vitest';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { createNetworkPlaces } from './network.ts';
import { createSlowBodies, takeLongUploads } from './slow-bodies.ts';

async function start(most?: number) {
  // Only the test runs the check, however long that takes.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  afterThisTest(() => void vi.useRealTimers());
  const bodies = createSlowBodies(most === undefined ? {} : { most });
  const fastify = Fastify({ forceCloseConnections: true });
  afterThisTest(() => fastify.close());
  const requests: FastifyRequest[] = [];
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  fastify.addContentTypeParser('held/back', (_request, payload, done) => {
    payload.pause();
    done(null, payload);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    requests.push(request);
    bodies.watch(request.raw, String(request.headers['x-address'] ?? request.ip));
    done();
  });
  fastify.post('/', (request) =>
    request.headers['content-type'] === 'held/back' ? new Promise(() => undefined) : { fine: true },
  );
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  /** A connection that has sent the beginning of a body. */
  const begin = async (
    length: number,
    type = 'text/x',
    address = '127.0.0.1',
  ): Promise<Socket & { closed: boolean }> => {
    const before = requests.length;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const lines = ['POST / HTTP/1.1', 'Host: a', `Content-Type: ${type}`, `X-Address: ${address}`];
    socket.write(`${lines.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n.`);
    await expect.poll(() => requests[before]?.raw.readableFlowing).toBe(type === 'text/x');
    return socket;
  };
  return { bodies, requests, begin };
}

it('API-2: a body that does not come is cut off, one that comes is not, and neither is one that is not read', async () => {
  const { bodies, requests, begin } = await start();
  const slow = await begin(9);
  const steady = await begin(10_001);
  const waiting = await begin(9, 'held/back');
  const closed = once(slow, 'close');
  bodies.check();
  const received = requests[1]?.raw.socket;
  steady.write('x'.repeat(5_000));
  await expect.poll(() => received?.bytesRead ?? 0).toBeGreaterThan(5_000);
  bodies.check();
  await closed;
  bodies.check();
  expect(waiting.closed).toBe(false);
});

it('API-2: a body whose rest comes in time is answered', async () => {
  const { bodies, begin } = await start();
  const steady = await begin(6_001);
  bodies.check();
  steady.write('x'.repeat(6_000));
  const [answer] = (await once(steady, 'data')) as [Buffer];
  expect(answer.toString()).toContain('200 OK');
  bodies.check();
  bodies.check();
  expect(steady.closed).toBe(false);
});

it('API-2: of bodies that are still coming a network has a bounded number', async () => {
  const { bodies, begin } = await start(2);
  const [first, second, third] = [await begin(9), await begin(9), await begin(9)];
  const closed = once(third, 'close');
  bodies.check();
  await closed;
  expect([first.closed, second.closed]).toEqual([false, false]);
});

it('API-2: of bodies that are still coming a /48 has four times the number of a network', async () => {
  const { bodies, begin } = await start(1);
  const sockets: Socket[] = [];
  for (let net = 0; net < 5; net += 1) sockets.push(await begin(9, 'text/x', `2001:db8:1:${net}::1`));
  const closed = once(sockets[4] as Socket, 'close');
  bodies.check();
  await closed;
  expect(sockets.map((each) => each.closed)).toEqual([false, false, false, false, true]);
});

it('API-2: a network has so many places, and a /48 four times as many', () => {
  const tooMany = expect.objectContaining({ code: 'TOO_MANY_REQUESTS' });
  const enter = createNetworkPlaces(2);
  const leave = enter('192.0.2.1');
  enter('::ffff:192.0.2.1');
  expect(() => enter('192.0.2.1')).toThrow(tooMany);
  leave();
  enter('192.0.2.1');
  for (let net = 0; net < 4; net += 1) for (const host of [1, 2]) enter(`2001:db8:1:${net}::${host}`);
  expect(() => enter('2001:db8:1:0::3')).toThrow(tooMany);
  expect(() => enter('2001:db8:1:9::1')).toThrow(tooMany);
  enter('2001:db8:2::1');
});

it('GATE-1: a request of Portico’s own that does not arrive is cut off, and one that does is not', async () => {
  const fastify = Fastify({ forceCloseConnections: true });
  afterThisTest(() => fastify.close());
  takeLongUploads(fastify, 50);
  fastify.post('/', async () => ({ fine: true }));
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const whole = () =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    }).then((answer) => answer.json());
  // On a busy machine one may arrive too late.
  await expect.poll(whole).toEqual({ fine: true });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  expect(await once(socket, 'close')).toEqual([expect.any(Boolean)]);
});
