import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { takeLongUploads } from './long-uploads.ts';

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
