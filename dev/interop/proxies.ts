import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, startProgram, type Program } from './programs.ts';

/** The ports on which a proxy listens, and the port of the Portico behind it. */
export type Place = { https: number; http: number; portico: number };
export type Certificate = { cert: string; key: string };

const nginx = '/usr/sbin/nginx';
const caddy = '/usr/bin/caddy';

const name = 'portico.example.org';
const documentation = join(import.meta.dirname, '../../docs/proxy.md');

/** Reads a block of docs/proxy.md, so that the documented configuration is the one that is tried. */
function documented(language: 'nginx' | 'caddy'): string {
  const text = readFileSync(documentation, 'utf8');
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  if (block === undefined) throw new Error(`docs/proxy.md holds no block for ${language}.`);
  return block;
}

/** Replaces each part wherever it occurs; throws when the block no longer holds it. */
function adapted(block: string, changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/proxy.md no longer holds: ${from}`);
    return text.replaceAll(from, to);
  }, block);
}

/** The documented servers of nginx, on loopback ports and with a certificate of this machine. */
export function nginxServers({ https, http, portico }: Place, { cert, key }: Certificate): string {
  return adapted(documented('nginx'), [
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
    [`https://${name}$`, `https://localhost:${https}$`],
    [`server_name ${name};`, 'server_name localhost;'],
    [`/etc/ssl/${name}.pem`, cert],
    [`/etc/ssl/${name}.key`, key],
    ['127.0.0.1:3000', `127.0.0.1:${portico}`],
  ]);
}

export function startNginx(folder: string, servers: string[]): Program {
  const here = join(folder, 'nginx');
  mkdirSync(here, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${here}/${each};`,
  );
  writeFileSync(
    join(here, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user www-data;' : ''}
worker_processes 1;
pid ${here}/pid;
error_log stderr warn;
events {}
http {
include /etc/nginx/mime.types;
access_log off;
${temporary.join('\n')}
${servers.join('\n')}
}
`,
  );
  return startProgram(nginx, ['-c', join(here, 'nginx.conf'), '-p', here, '-g', 'daemon off;']);
}

export function startCaddy(
  folder: string,
  { https, http, portico }: Place,
  { cert, key }: Certificate,
): Program {
  const here = join(folder, 'caddy');
  mkdirSync(here, { recursive: true });
  const site = adapted(documented('caddy'), [
    [`${name} {`, `https://localhost:${https} {\n    bind 127.0.0.1\n    tls ${cert} ${key}`],
    ['127.0.0.1:3000', `127.0.0.1:${portico}`],
  ]);
  const global = `{\n    admin off\n    http_port ${http}\n    https_port ${https}\n    auto_https disable_redirects\n}\n`;
  writeFileSync(join(here, 'Caddyfile'), `${global}${site}`);
  const env = { XDG_DATA_HOME: here, XDG_CONFIG_HOME: here, HOME: here };
  return startProgram(caddy, ['run', '--config', join(here, 'Caddyfile')], { env });
}

/** Waits until something answers through a proxy. */
export async function proxyReady(program: Program, url: string): Promise<void> {
  await eventually(
    () => `The proxy did not start: ${program.output().slice(-3_000)}`,
    async () => (await fetch(`${url}/readyz`)).status === 200,
    20,
  );
}
