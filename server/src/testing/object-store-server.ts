import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStoreOptions } from '#server/platform/object-store/object-store.ts';

type S3rver = {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: { closeAllConnections(): void };
};

// It has no types.
const require = createRequire(import.meta.url);
const S3rver = require('@20minutes/s3rver') as new (options: object) => S3rver;

/** The credentials that s3rver knows. */
const credentials = { accessKey: 'S3RVER', secretKey: 'S3RVER' };

/**
 * A store that speaks S3, with one bucket in a folder of its own. It computes the signature of a list for another path
 * than it was asked at, so it checks signatures only where nothing is listed.
 */
export async function startObjectStore({
  port = 0,
  checksSignatures = false,
  directory = mkdtempSync(join(tmpdir(), 'portico-objects-')),
} = {}): Promise<{
  location: ObjectStoreOptions;
  stop(): Promise<void>;
  /** Stops it, and answers what starts it again at the same address with what it had. */
  pause(): Promise<() => ReturnType<typeof startObjectStore>>;
}> {
  const configureBuckets = [{ name: 'portico' }];
  const allowMismatchedSignatures = !checksSignatures;
  const options = {
    address: '127.0.0.1',
    port,
    silent: true,
    directory,
    configureBuckets,
    allowMismatchedSignatures,
  };
  const server = new S3rver(options);
  const address = await server.run();
  async function end(): Promise<void> {
    const closed = server.close();
    server.httpServer.closeAllConnections();
    await closed;
  }
  return {
    location: locationAt(address.port),
    async stop() {
      await end();
      rmSync(directory, { recursive: true, force: true });
    },
    async pause() {
      await end();
      return () => startObjectStore({ port: address.port, checksSignatures, directory });
    },
  };
}

/** What answers in place of a store. */
export async function startAsObjectStore(
  answer: RequestListener,
): Promise<{ location: ObjectStoreOptions; stop(): void }> {
  const server = createServer({ keepAliveTimeout: 0 }, answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    location: locationAt((server.address() as AddressInfo).port),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function locationAt(port: number): ObjectStoreOptions {
  const endpoint = `http://127.0.0.1:${port}`;
  return { bucket: 'portico', prefix: 'here/', endpoint, region: 'us-east-1', ...credentials };
}
