import { isIPv6 } from 'node:net';
import type { Upstream } from './config-upstreams.ts';
import type { Config } from './config.ts';
import type { SetUpOffer } from '#features/identity-provider/server/set-up.ts';
import { createHosts, hostsOf } from './platform/http/hosts.ts';

export type Started = {
  config: Pick<Config, 'publicUrl' | 'origin' | 'dataDir' | 'database'> & {
    upstreams: readonly Pick<Upstream, 'host' | 'path' | 'url'>[];
  };
  /** The address at which Portico listens, which a proxy in front hides. */
  address: string;
  offer: SetUpOffer | null;
};

/** What a terminal shows once Portico is ready; the only place of the set-up link (START-6). */
export function startMessage({ config, address, offer }: Started): string {
  const listens = new URL(address);
  const seen = new URL(config.publicUrl);
  const rows = [
    ...(listens.port === seen.port && isLocal(seen) ? [] : [['Listens', address]]),
    ...placesOf(config),
    ['Data', config.dataDir],
    ...(config.database.engine === 'postgres' ? [['Database', placeOf(config.database.url)]] : []),
    ...(offer === null ? [] : [['Set up', offer.link]]),
  ];
  const lines = [
    `Portico is ready at ${config.publicUrl}`,
    '',
    ...rows.map(([name = '', value = '']) => `${name.padEnd(10)}${value}`),
    ...(offer === null
      ? []
      : [`${' '.repeat(10)}creates the first operator; works once, until ${moment(offer.expiresAt)}`]),
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

/** Why Portico did not start, in one line that the operator can act on. */
export function startFailure(error: unknown, config: Pick<Config, 'host' | 'port'>): string {
  const { code, message, syscall, hostname } = error as Partial<NodeJS.ErrnoException> & {
    hostname?: string;
  };
  const { host, port } = config;
  const place = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  if (syscall === 'getaddrinfo' && hostname === host)
    return `HOST holds "${host}", a name that no address is known for (${code}). Set it to one of this machine's addresses, or leave it out.`;
  if (syscall === 'listen') {
    if (code === 'EADDRINUSE')
      return `Something else listens on ${place} already. Stop it, or set PORT to another one.`;
    if (code === 'EACCES')
      return `Portico may not listen on ${place}. Set PORT to one above 1023, or allow it this one.`;
    return `Portico cannot listen on ${place} (${code}). Set HOST to one of this machine's addresses, or leave it out.`;
  }
  const reason = message === undefined || message === '' ? (code ?? String(error)) : message;
  return `Portico cannot start: ${reason.replaceAll(/\s*\n\s*/g, ' ')}`;
}

/** Where browsers find each application. */
function placesOf({ origin, upstreams }: Started['config']): string[][] {
  const hosts = createHosts({ origin, others: hostsOf(upstreams), trustProxy: false });
  return upstreams.map(({ host, path, url }, index) => [
    index === 0 ? 'Forwards' : '',
    `${hosts.originOf(host)}${path} to ${url.origin}`,
  ]);
}

function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** A database's address without its credentials. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL, ${host}${pathname}`;
}

function moment(time: number): string {
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
