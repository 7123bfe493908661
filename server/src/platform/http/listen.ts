import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * The most connections that wait for the event loop. Beyond Node's default of 511 a client would get no answer and
 * try again after one, three and seven seconds: thousands connect at once after a restart.
 */
const backlog = 4_096;

/**
 * Node accepts one connection of a listening socket in a turn of the event loop. Under load a turn takes 20 ms, and a
 * hundred new clients would wait for two seconds while the others are served: several sockets share a port (Linux only).
 */
const socketsPerAddress = process.platform === 'linux' ? 8 : 1;

/**
 * Listens, on every address of `localhost` where that is the host. Fastify would give the second address a
 * server of its own, with nothing before the framework: neither the front nor the answers prepared for it.
 *
 * @param addressesOf what a name stands for
 * @returns the first address, as `http://host:port`
 */
export async function listenOn(
  fastify: FastifyInstance,
  { host, port }: { host: string; port: number },
  addressesOf: (host: string) => Promise<{ address: string }[]> = (name) => lookup(name, { all: true }),
): Promise<string> {
  const [first = host, ...others] =
    host === 'localhost' ? (await addressesOf(host)).map(({ address }) => address) : [];
  const servers: Server[] = [];
  const closed: Promise<unknown>[] = [];
  fastify.addHook('preClose', (done) => {
    for (const each of servers) {
      closed.push(once(each, 'close'));
      each.close();
    }
    done();
  });
  // Node counts a server's own connections only.
  fastify.addHook('onClose', async () => void (await Promise.all(closed)));
  // Sockets that share a port would also share it with another Portico.
  await refuseTaken(first, port);
  const options = { backlog, reusePort: socketsPerAddress > 1 };
  const address = await fastify.listen({ host: first, port, ...options });
  const { port: bound } = fastify.server.address() as AddressInfo;
  async function listenMore(at: string, count: number): Promise<void> {
    for (let listening = 0; listening < count; listening += 1) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        fastify.server.emit('connection', socket),
      );
      await once(server.listen({ host: at, port: bound, ...options }), 'listening');
      servers.push(server);
    }
  }
  await listenMore(first, socketsPerAddress - 1);
  for (const other of others) {
    // A machine may name an address that it does not have, or where another program has the port.
    const isFree = await refuseTaken(other, bound).then(
      () => true,
      () => false,
    );
    if (isFree) await listenMore(other, socketsPerAddress);
  }
  return address;
}

/** @throws an error, with the code EADDRINUSE where another program listens there */
async function refuseTaken(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
