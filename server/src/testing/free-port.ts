import { createServer } from 'node:net';

// Below the ephemeral ports: no other program gets the port by chance between this check and the start of the
// program that is to listen. Each worker has ports of its own, and begins somewhere among them. They lie
// above 10,080, which browsers and `fetch` refuse to call.
const count = 5_000;
const first =
  11_000 + count * (Number(process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX'] ?? 0) % 4);
let next = Math.floor(Math.random() * count);

/** A free port of the loopback, for a program whose port must be known before it starts. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const port = first + (next++ % count);
    if (await isFree(port)) return port;
  }
  throw new Error(`Every port from ${first} to ${first + count - 1} is taken.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
