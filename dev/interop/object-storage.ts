import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { S3mini } from 's3mini';
import type { ObjectStoreOptions } from '#server/platform/object-store/object-store.ts';
import { eventually, fourFreePorts, startProgram, type Program } from './programs.ts';

const kinds = ['account', 'container', 'object'] as const;
const swift = (program: string): string => `/usr/bin/swift-${program}`;

/**
 * OpenStack Swift with `s3api`: one device, one copy, users of its own. Only the salt of its paths comes from
 * `/etc/swift/swift.conf`.
 */
export async function startSwift(
  here: string,
): Promise<{ location: ObjectStoreOptions; stop(): Promise<void> }> {
  mkdirSync(join(here, 'devices/one'), { recursive: true });
  const [proxyPort, ...ports] = await fourFreePorts();
  const start = (kind: string, port: number, pipeline: string, rest: string): Program => {
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
    return startProgram(swift(`${kind}-server`), [file, '-v'], { cwd: here });
  };
  const programs = kinds.map((kind, at) => {
    const port = ports[at] ?? 0;
    const builder = `${kind}.builder`;
    for (const words of [
      ['create', '1', '1', '0'],
      ['add', `r1z1-127.0.0.1:${port}/one`, '1'],
      ['rebalance'],
    ])
      spawnSync(swift('ring-builder'), [builder, ...words], { cwd: here });
    return start(kind, port, `${kind}-server`, '');
  });
  programs.push(
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
    ),
  );
  const location = {
    bucket: 'portico',
    prefix: 'interop/',
    endpoint: `http://127.0.0.1:${proxyPort}`,
    region: 'us-east-1',
    accessKey: 'portico:interop',
    secretKey: 'a-secret-of-the-interop-run',
  };
  const { accessKey: accessKeyId, secretKey: secretAccessKey, region } = location;
  const endpoint = `${location.endpoint}/${location.bucket}`;
  const output = () => programs.map((program) => program.output().slice(-2_000)).join('\n');
  const s3 = new S3mini({ accessKeyId, secretAccessKey, region, endpoint });
  // When a server refuses Swift's proxy a few times, the proxy leaves it out for a minute.
  for (const port of ports)
    await eventually(output, async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0);
  await eventually(output, () => s3.createBucket());
  return {
    location,
    async stop() {
      for (const program of programs) await program.stop();
    },
  };
}
