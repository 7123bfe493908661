import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { localHosts } from '../../testing/test-server.ts';
import { createLogger } from '../log/logger.ts';
import { placeFront } from './front.ts';
import { listenOn } from './listen.ts';

it('GATE-1, RUN-2: the front stands before every address of localhost, and a stop waits for requests at each', async () => {
  const fastify = Fastify({ forceCloseConnections: 'idle', serverFactory: () => createServer() });
  const slow = Promise.withResolvers<void>();
  fastify.get('/v1', () => 'Portico');
  let running = 0;
  fastify.get('/slow', () => {
    running += 1;
    return slow.promise.then(() => 'finished');
  });
  placeFront(fastify, {
    basePath: '/portico',
    hosts: localHosts,
    stopping: () => false,
    logger: createLogger('silent'),
  });
  // The last is none of this machine.
  const addresses = ['127.0.0.1', '127.0.0.2', '192.0.2.1'].map((address) => ({ address }));
  await listenOn(fastify, { host: 'localhost', port: 0 }, () => Promise.resolve(addresses));
  afterThisTest(() => fastify.close());
  const { port } = fastify.server.address() as AddressInfo;
  const hosts = ['127.0.0.1', '127.0.0.2'];
  const ask = async (host: string, path: string) =>
    (await fetch(`http://${host}:${port}/portico${path}`, { headers: { connection: 'close' } })).text();

  expect(await Promise.all(hosts.map((host) => ask(host, '/v1')))).toEqual(hosts.map(() => 'Portico'));
  const answers = Promise.all(hosts.map((host) => ask(host, '/slow')));
  await expect.poll(() => running).toBe(hosts.length);
  const closing = fastify.close();
  slow.resolve();
  expect(await answers).toEqual(hosts.map(() => 'finished'));
  await closing;
  const refused = await Promise.allSettled(hosts.map((host) => ask(host, '/v1')));
  expect(refused.map(({ status }) => status)).toEqual(hosts.map(() => 'rejected'));
});
