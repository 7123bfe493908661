import { createServer } from 'node:net';

// Below the ports that the system hands out by itself: between this look and the start of the program that is to listen,
// nobody gets the port by chance. Each worker has a thousand of its own.
const first = 20_000 + 1_000 * Number(process.env['VITEST_POOL_ID'] ?? 0);
let next = Math.floor(Math.random() * 1_000);

/** A port of the loopback that nobody listens on, for a program that has to be told its port. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const port = first + (next++ % 1_000);
    if (await isFree(port)) return port;
  }
  throw new Error(`Every port from ${first} to ${first + 999} is taken.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
