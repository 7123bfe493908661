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
  const reusePort = socketsPerAddress > 1;
  // Sockets that share a port would also share it with another Portico.
  if (reusePort) await refuseTaken(first, port);
  const options = { port, backlog, reusePort };
  const address = await fastify.listen({ host: first, ...options });
  const { port: bound } = fastify.server.address() as AddressInfo;
  const addresses = [first, ...others].flatMap((each) =>
    Array.from({ length: socketsPerAddress }, () => each),
  );
  for (const each of addresses.slice(1)) {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      fastify.server.emit('connection', socket),
    );
    const works = await once(server.listen({ ...options, host: each, port: bound }), 'listening').then(
      () => true,
      // A machine may name an address that it does not have.
      () => false,
    );
    if (works) servers.push(server);
  }
  return address;
}

/** @throws an error with the code EADDRINUSE where another process listens on the port */
async function refuseTaken(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
