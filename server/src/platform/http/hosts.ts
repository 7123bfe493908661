import type { IncomingMessage } from 'node:http';
import { hostName, plainAddress, trustedBy, usedHost } from './trusted-proxies.ts';

/**
 * The hosts at which browsers reach the installation: that of PUBLIC_URL, which has Portico's own pages and the
 * sign-in, and those of applications that have one of their own.
 */
export type Hosts = {
  /** The application's host that a `Host` header names, or null: that of PUBLIC_URL, or one that is not configured. */
  otherOf(host: string): string | null;
  /** The same of a request, by the rules of `TRUST_PROXY`. */
  otherOfRequest(request: Pick<IncomingMessage, 'headers' | 'socket'>): string | null;
  /** Scheme, name and port; null: of PUBLIC_URL. */
  originOf(other: string | null): string;
};

/** @param origin that of PUBLIC_URL, whose scheme and port hold for the others as well */
export function createHosts(options: {
  origin: string;
  others: readonly string[];
  trustProxy: false | number | string[];
}): Hosts {
  const { origin } = options;
  const own = new URL(origin);
  const others = new Map(
    options.others
      .filter((name) => name !== own.hostname)
      .map((name) => [name, `${own.protocol}//${name}${own.port === '' ? '' : `:${own.port}`}`]),
  );
  const isTrusted = trustedBy(options.trustProxy);
  const otherOf = (host: string): string | null => {
    const name = hostName(host);
    return others.has(name) ? name : null;
  };
  return {
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
