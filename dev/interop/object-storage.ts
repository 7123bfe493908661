import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { S3mini } from 's3mini';
import type { ObjectStoreOptions } from '#server/platform/object-store/object-store.ts';
import { eventually, fourFreePorts, startProgram } from './programs.ts';

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
