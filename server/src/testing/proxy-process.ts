import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { afterThisTest } from './fresh-database.ts';

const documentation = join(import.meta.dirname, '../../../docs/beside-the-path.md');

/** The blocks of a language in the documentation, with each part replaced; a part that is gone is a mistake. */
export function documentedBlocks(language: string, changes: readonly [from: string, to: string][]): string[] {
  const text = readFileSync(documentation, 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  );
  for (const [from] of changes)
    if (!blocks.some((block) => block.includes(from))) throw new Error(`It no longer holds: ${from}`);
  return blocks.map((block) => changes.reduce((done, [from, to]) => done.replaceAll(from, to), block));
}

/** Runs nginx with these files in its folder of configuration, until the test ends. */
export function startNginx(port: number, site: string, others: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join('\n');
  const root = process.getuid?.() === 0 ? 'user root;\n' : '';
  for (const [name, text] of Object.entries(others)) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${root}worker_processes 1;\npid ${folder}/pid;\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`,
  );
  return run(nginx, ['-c', `${folder}/nginx.conf`, '-p', folder, '-g', 'daemon off;'], port);
}

/** The same with Caddy. */
export function startCaddy(port: number, site: string, environment: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-caddy-'));
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n    admin off\n    auto_https off\n}\n${site}`);
  return run(caddy, ['run', '--config', file, '--adapter', 'caddyfile'], port, {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    HOME: folder,
    ...environment,
  });
}

const nginx = '/usr/sbin/nginx';
const caddy = '/usr/bin/caddy';

/** Why a proxy cannot be run here, or null. */
export function whyNot(name: 'nginx' | 'caddy'): string | null {
  return existsSync(name === 'nginx' ? nginx : caddy) ? null : `${name} is not installed here`;
}

async function run(
  program: string,
  args: string[],
  port: number,
  environment: Record<string, string> = {},
): Promise<void> {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output = `${output}${part.toString()}`.slice(-5_000)));
  const ended = once(child, 'exit');
  afterThisTest(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await vi.waitFor(
    async () => {
      const answer = await fetch(`http://localhost:${port}/portico/healthz`).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status !== 200) throw new Error(`${program} does not serve:\n${output}`);
    },
    { timeout: 30_000, interval: 50 },
  );
}
