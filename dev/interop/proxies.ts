import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { eventually, startProgram, type Program } from './programs.ts';
import { must } from './table.ts';

/** The ports on which a proxy listens, and the port of the Portico behind it. */
export type Place = { https: number; http: number; portico: number };

const name = 'portico.example.org';

/**
 * A block of docs/proxy.md with these replacements, so that the documented configuration is the one that is tried;
 * throws where it no longer holds what is replaced.
 */
function documented(language: 'nginx' | 'caddy', changes: Record<string, string>): string {
  const text = readFileSync(join(root, 'docs/proxy.md'), 'utf8');
  const [, found] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  must(found !== undefined, `docs/proxy.md holds no block for ${language}.`);
  return Object.entries(changes).reduce((block, [from, to]) => {
    must(block.includes(from), `docs/proxy.md no longer holds: ${from}`);
    return block.replaceAll(from, to);
  }, found);
}

/** The documented servers of nginx, on loopback ports and with the certificate in `folder`. */
export function nginxServers(folder: string, { https, http, portico }: Place): string {
  return documented('nginx', {
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl': `listen 127.0.0.1:${https} ssl`,
    [`https://${name}$`]: `https://localhost:${https}$`,
    [`server_name ${name};`]: 'server_name localhost;',
    [`/etc/ssl/${name}.pem`]: `${folder}/cert.pem`,
    [`/etc/ssl/${name}.key`]: `${folder}/key.pem`,
    '127.0.0.1:3000': `127.0.0.1:${portico}`,
  });
}

export function startNginx(folder: string, ...servers: string[]): Program {
  const here = join(folder, 'nginx');
  mkdirSync(here);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
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
${temporary.map((each) => `${each}_temp_path ${here}/${each};`).join('\n')}
${servers.join('\n')}
}
`,
  );
  return startProgram('/usr/sbin/nginx', ['-c', `${here}/nginx.conf`, '-p', here, '-g', 'daemon off;']);
}

export function startCaddy(folder: string, { https, http, portico }: Place): Program {
  const site = documented('caddy', {
    [`${name} {`]: `https://localhost:${https} {\n bind 127.0.0.1\n tls ${folder}/cert.pem ${folder}/key.pem`,
    '127.0.0.1:3000': `127.0.0.1:${portico}`,
  });
  const global = `{\n admin off\n http_port ${http}\n https_port ${https}\n auto_https disable_redirects\n}\n`;
  writeFileSync(join(folder, 'Caddyfile'), `${global}${site}`);
  const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  return startProgram('/usr/bin/caddy', ['run', '--config', join(folder, 'Caddyfile')], { env });
}

/** Waits until Portico answers through a proxy. */
export async function proxyReady(url: string): Promise<void> {
  const answers = async () => (await fetch(`${url}/readyz`)).status === 200;
  await eventually('The proxy does not answer.', answers, 20);
}
