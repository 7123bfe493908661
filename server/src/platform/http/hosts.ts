import type { IncomingMessage } from 'node:http';
import { namesOneHost } from './host-header.ts';
import { hostName, plainAddress, textOf, trustedBy, usedHost } from './trusted-proxies.ts';

/**
 * The hosts at which browsers reach the installation: that of PUBLIC_URL, which has Portico's own pages and the
 * sign-in, and those of applications that have one of their own.
 */
export type Hosts = {
  /**
   * The host to which a request was sent, with its port, by the rules of `TRUST_PROXY`. Null where it is not
   * configured, or where the headers that a client may have added to those of its proxy name another one.
   *
   * @param original what the proxy writes in a header of its own, or ''
   */
  usedBy(request: Asking, original?: string): string | null;
  /** Whether a request names one host, and that one is configured; the others are refused (API-4). */
  accepts(request: IncomingMessage): boolean;
  /** What a request for another host is told. */
  unknownDetail: string;
  /** The application's host that a `Host` header names, or null: that of PUBLIC_URL, or one that is not configured. */
  otherOf(host: string): string | null;
  /** The same of a request, by the rules of `TRUST_PROXY`. */
  otherOfRequest(request: Asking): string | null;
  /** Scheme, name and port; null: of PUBLIC_URL. */
  originOf(other: string | null): string;
};

type Asking = Pick<IncomingMessage, 'headers' | 'socket'>;
/** Whose host it is: the application's, or (null) that of PUBLIC_URL; `internal`: one of `INTERNAL_HOSTS`. */
type Place = { other: string | null; internal: boolean };

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const mostNames = 1_000;

/** @param origin that of PUBLIC_URL, whose scheme and port hold for the others as well */
export function createHosts(options: {
  origin: string;
  others: readonly string[];
  /** Names and addresses at which programs reach the installation besides. */
  internal?: readonly string[];
  trustProxy: false | number | string[];
}): Hosts {
  const { origin } = options;
  const own = new URL(origin);
  const others = new Map(
    options.others
      .filter((name) => name !== own.hostname)
      .map((name) => [name, `${own.protocol}//${name}${own.port === '' ? '' : `:${own.port}`}`]),
  );
  const isLocal = loopback.includes(own.hostname);
  const ports = ['', own.port || (own.protocol === 'https:' ? '443' : '80')];
  const places = new Map<string, Place>([
    ...(options.internal ?? []).map((name): [string, Place] => [
      hostName(name),
      { other: null, internal: true },
    ]),
    ...[own.hostname, ...(isLocal ? loopback : [])].map((name): [string, Place] => [
      name,
      { other: null, internal: false },
    ]),
    ...[...others.keys()].map((name): [string, Place] => [name, { other: name, internal: false }]),
  ]);
  const found = new Map<string, Place | null>();
  const isTrusted = trustedBy(options.trustProxy);

  function placeOf(host: string): Place | null {
    const known = found.get(host);
    if (known !== undefined) return known;
    const port = /:(\d*)$/.exec(host)?.[1] ?? '';
    const place = places.get(hostName(host)) ?? null;
    // Programs on one machine pass one port on to another.
    const isHere = place !== null && (place.internal || isLocal || ports.includes(port));
    if (found.size >= mostNames) found.clear();
    found.set(host, isHere ? place : null);
    return isHere ? place : null;
  }

  function usedBy({ headers, socket }: Asking, original = ''): string | null {
    const { host } = headers;
    const forwarded = headers['x-forwarded-host'];
    const isProxied = forwarded !== undefined && isTrusted(plainAddress(socket.remoteAddress ?? ''), 0);
    if (original === '' && !isProxied) return host === undefined ? '' : placeOf(host) === null ? null : host;
    const list = isProxied ? textOf(forwarded).trim() : '';
    const direct = host === undefined ? null : placeOf(host);
    const named = [
      ...(original === '' ? [] : [original]),
      ...(list === '' ? [] : list.split(',').map((name) => name.trim())),
    ];
    if (named.length === 0) return direct === null ? null : (host ?? null);
    const all = named.map(placeOf);
    const [first] = all;
    const agree = all.every((each) => each !== null && !each.internal && each.other === first?.other);
    // A proxy may call Portico by a name of its own, which on one machine is that of PUBLIC_URL.
    const isOwn = direct === null || direct.internal || isLocal || direct.other === first?.other;
    return agree && isOwn ? (named[0] ?? null) : null;
  }

  const otherOf = (host: string): string | null => {
    const name = hostName(host);
    return others.has(name) ? name : null;
  };
  return {
    usedBy,
    accepts: (request) => namesOneHost(request) && usedBy(request) !== null,
    unknownDetail: `This installation is at ${origin}. It answers at no host that is not configured.`,
    otherOf,
    otherOfRequest(request) {
      if (others.size === 0) return null;
      return otherOf(usedHost(request, isTrusted(plainAddress(request.socket.remoteAddress ?? ''), 0)));
    },
    originOf: (other) => (other === null ? origin : (others.get(other) ?? origin)),
  };
}

/** The hosts that applications have of their own, each once. */
export function hostsOf(upstreams: readonly { host: string | null }[]): string[] {
  return [...new Set(upstreams.flatMap(({ host }) => (host === null ? [] : [host])))];
}
