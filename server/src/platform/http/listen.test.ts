import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
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

it.runIf(process.platform === 'linux')('RUN-1: a thousand may connect at once', async () => {
  const fastify = Fastify();
  await listenOn(fastify, { host: '127.0.0.1', port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const sockets = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1'));
  afterThisTest(async () => {
    for (const socket of sockets) socket.destroy();
    await fastify.close();
  });
  // All have been begun, and none could be accepted yet; those that the system has not let in are in SYN_SENT (02).
  await new Promise(process.nextTick);
  const to = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  // The system lists a connection twice, or leaves it out, where another one comes or goes while the list is read.
  const states = new Map(
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/ +/))
      .flatMap(([, local, remote, state]) => (remote === to ? [[local, state]] : [])),
  );
  expect(new Set(states.values())).toEqual(new Set(['01']));
  expect(states.size).toBeGreaterThan(900);
});

it.runIf(process.platform === 'linux')(
  'RUN-1: a turn of the event loop accepts several connections, and a second server is refused the port',
  async () => {
    const fastify = Fastify();
    await listenOn(fastify, { host: '127.0.0.1', port: 0 });
    const { port } = fastify.server.address() as AddressInfo;
    const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    afterThisTest(async () => {
      for (const socket of sockets) socket.destroy();
      await fastify.close();
    });
    let turns = 0;
    const all = Promise.withResolvers<void>();
    let accepted = 0;
    fastify.server.on('connection', () => {
      accepted += 1;
      if (accepted === sockets.length) all.resolve();
    });
    const turn = () => {
      turns += 1;
      if (accepted < sockets.length) setImmediate(turn);
    };
    setImmediate(turn);
    await all.promise;

    // The system divides them among eight sockets by chance; with one socket each takes a turn.
    expect(turns).toBeLessThan(60);
    const second = Fastify();
    await expect(listenOn(second, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  },
);
