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
  if (host !== 'localhost') return fastify.listen({ host, port, backlog });
  const [first, ...others] = await addressesOf(host);
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
  const address = await fastify.listen({ host: first?.address ?? host, port, backlog });
  const { port: bound } = fastify.server.address() as AddressInfo;
  for (const { address: other } of others) {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      fastify.server.emit('connection', socket),
    );
    const works = await once(server.listen({ host: other, port: bound, backlog }), 'listening').then(
      () => true,
      // A machine may name an address that it does not have.
      () => false,
    );
    if (works) servers.push(server);
  }
  return address;
}
