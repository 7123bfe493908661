import type { IncomingMessage } from 'node:http';
import { hostName, plainAddress, textOf, trustedBy, usedHost } from './trusted-proxies.ts';

/**
 * The hosts at which browsers reach the installation: that of PUBLIC_URL, which has Portico's own pages and the
 * sign-in, and those of applications that have one of their own.
 */
export type Hosts = {
  /**
   * The host to which a request was sent, with its port, by the rules of `TRUST_PROXY`. Null where that host is not
   * configured, or where the headers name different hosts: a client may have added some to those of its proxy.
   *
   * @param original what the proxy writes in a header of its own, or ''
   */
  usedBy(request: Asking, original?: string): string | null;
  /** Whether a request names one host, and that one is configured; the others are refused (API-4). */
  accepts(request: IncomingMessage): boolean;
  /** The text of the error for a request to another host. */
  unknownDetail: string;
  /** The application's host in a `Host` header; null: the host of PUBLIC_URL, or one that is not configured. */
  otherOf(host: string): string | null;
  /** The application's host to which a request was sent, by the rules of `TRUST_PROXY`; null as for `otherOf`. */
  otherOfRequest(request: Asking): string | null;
  /** Scheme, name and port of an application's host; null: of the host of PUBLIC_URL. */
  originOf(other: string | null): string;
};

type Asking = Pick<IncomingMessage, 'headers' | 'socket'>;
/** Whose host it is: the application's, or (null) that of PUBLIC_URL; `internal`: one of `INTERNAL_HOSTS`. */
type Place = { other: string | null; internal: boolean };

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const mostNames = 1_000;

/** @param origin the origin of PUBLIC_URL; its scheme and port hold for the other hosts as well */
export function createHosts(options: {
  origin: string;
  others: readonly string[];
  /** Further names and addresses at which programs reach the installation. */
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
    // On one machine any port is accepted, since programs forward one port to another.
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

/** Whether a request names one host (RFC 9112, 3.2), as a proxy could use another. HTTP/1.0 needs none. */
export function namesOneHost({
  rawHeaders,
  headers,
  httpVersionMinor,
  httpVersionMajor,
}: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersionMajor === 1 && httpVersionMinor === 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 && hostForm.test(headers.host);
}

/** A host and maybe a port (RFC 3986, 3.2.2); empty for a target without one. */
const hostForm = /^[\w.~%!$&'()*+,;=:[\]-]*$/;
