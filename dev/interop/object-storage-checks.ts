import { createHash } from 'node:crypto';
import { createObjectStore, type ObjectStoreOptions } from '#server/platform/object-store/object-store.ts';
import { checksOf, must } from './table.ts';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { S3mini } from 's3mini';
import { eventually, fourFreePorts, startProgram } from './programs.ts';

const MiB = 1024 * 1024;

/** Checks Portico's client at an object store. */
export async function checkObjectStorage(name: string, location: ObjectStoreOptions): Promise<void> {
  const store = createObjectStore(location);
  const check = checksOf(`Object-storage at ${name}`);
  await check('an object of one part', async () => {
    const { size, sha256 } = await store.put('ab/small', bytes(1_000));
    must(size === 1_000 && (await sumOf(await store.get('ab/small', { sha256 }))) === sha256, 'is another');
    const part = await sumOf(await store.get('ab/small', { range: { from: 10, to: 19 } }));
    must(part === (await sumOf(bytes(10))), 'a range is another');
  });
  await check('an object of 100 MiB, a part in memory at a time', async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 20);
    const { size, sha256 } = await store.put('ab/large', bytes(100 * MiB));
    const head = await store.head('ab/large');
    must(size === 100 * MiB && head?.size === size, 'has another size');
    must((await sumOf(await store.get('ab/large', { sha256 }))) === sha256, 'is another');
    clearInterval(watch);
    return `${Math.round(most / MiB)} MiB more memory`;
  });
  await check('lists, deletes, and knows what is not there', async () => {
    must((await namesOf(store.list('ab/'))) === 'ab/large ab/small', await namesOf(store.list('ab/')));
    for (const each of ['ab/large', 'ab/small', 'ab/small']) await store.delete(each);
    must((await store.head('ab/small')) === null, 'is still there');
    must((await codeOf(store.get('ab/small'))) === 'NOT_FOUND', 'another error');
    must((await namesOf(store.list())) === '', 'lists something');
  });
  // s3rver checks no signature where it lists something.
  if (name === 'Swift')
    await check('refuses another secret', async () => {
      const other = createObjectStore({ ...location, secretKey: 'another' });
      const code = await codeOf(other.put('one', bytes(1)));
      must(code === 'REFUSED', code);
    });
}

async function* bytes(length: number): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0; left -= MiB) yield Buffer.alloc(Math.min(left, MiB), 'p');
}

async function sumOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of source) hash.update(part);
  return hash.digest('hex');
}

async function namesOf(list: AsyncIterable<{ name: string }>): Promise<string> {
  const names: string[] = [];
  for await (const { name } of list) names.push(name);
  return names.toSorted().join(' ');
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => String((error as { code?: unknown }).code),
  );
}

const swift = (program: string): string => `/usr/bin/swift-${program}`;

/**
 * OpenStack Swift with `s3api`: one device, one copy, users of its own. Only the salt of its paths comes from
 * `/etc/swift/swift.conf`.
 */
export async function startSwift(here: string): Promise<ObjectStoreOptions> {
  mkdirSync(join(here, 'devices/one'), { recursive: true });
  const [proxyPort, ...ports] = await fourFreePorts();
  const start = (kind: string, port: number, pipeline = `${kind}-server`, rest = ''): void => {
    const file = join(here, `${kind}.conf`);
    writeFileSync(
      file,
      `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${process.env['USER'] ?? 'root'}
swift_dir = ${here}
devices = ${join(here, 'devices')}
mount_check = false
[pipeline:main]
pipeline = ${pipeline}
[app:${kind}-server]
use = egg:swift#${kind}
recon_cache_path = ${here}
${rest}`,
    );
    startProgram(swift(`${kind}-server`), [file, '-v'], { cwd: here });
  };
  for (const [at, kind] of ['account', 'container', 'object'].entries()) {
    const port = ports[at] ?? 0;
    for (const words of ['create 1 1 0', `add r1z1-127.0.0.1:${port}/one 1`, 'rebalance'])
      spawnSync(swift('ring-builder'), [`${kind}.builder`, ...words.split(' ')], { cwd: here });
    start(kind, port);
  }
  start(
    'proxy',
    proxyPort,
    'catch_errors cache s3api tempauth slo proxy-server',
    `account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
# tempauth wants one, and works without an answer of it.
memcache_servers = 127.0.0.1:9
[filter:s3api]
use = egg:swift#s3api
[filter:slo]
use = egg:swift#slo
[filter:tempauth]
use = egg:swift#tempauth
user_portico_interop = a-secret-of-the-interop-run .admin
`,
  );
  const at = { endpoint: `http://127.0.0.1:${proxyPort}`, region: 'us-east-1' };
  const [accessKey, secretKey] = ['portico:interop', 'a-secret-of-the-interop-run'];
  const keys = { accessKeyId: accessKey, secretAccessKey: secretKey };
  const s3 = new S3mini({ ...at, ...keys, endpoint: `${at.endpoint}/portico` });
  // When a server refuses Swift's proxy a few times, the proxy leaves it out for a minute.
  for (const port of ports)
    await eventually('Swift does not answer.', () => fetch(`http://127.0.0.1:${port}/`));
  await eventually('Swift creates no bucket.', () => s3.createBucket());
  return { bucket: 'portico', prefix: 'interop/', ...at, accessKey, secretKey };
}
