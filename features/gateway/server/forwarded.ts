import type { IncomingMessage } from 'node:http';
import { plainAddress, textOf, trustedBy, usedHost } from '#server/platform/http/trusted-proxies.ts';

/** The sender of a request, according to the trusted proxies (`TRUST_PROXY`). */
export type Sender = {
  /** The client's address. */
  ip: string;
  /** Whether the proxy that sent the request is trusted. */
  trusted: boolean;
  /** The host that the client used, with its port. */
  host: string;
  /** The origin that the client used: scheme and host. */
  origin: string;
  /** The `X-Forwarded-…` and `X-Real-IP` that an application receives: name, value, name, value. */
  forwarded: string[];
};

/**
 * Reads from whom requests come, by the rules of `TRUST_PROXY`.
 *
 * @param scheme of the public address, `http` or `https`: what browsers use where no trusted proxy names it
 */
export function createReadSender(trustProxy: false | number | string[], scheme: string) {
  const isTrusted = trustedBy(trustProxy);

  return function readSender({ socket, headers }: IncomingMessage): Sender {
    const own = plainAddress(socket.remoteAddress ?? '');
    const host = headers.host ?? '';
    if (trustProxy === false || !isTrusted(own, 0))
      return {
        ip: own,
        trusted: false,
        host,
        origin: `${scheme}://${host}`,
        forwarded: forwarded(own, own, scheme, host),
      };
    const before = textOf(headers['x-forwarded-for']);
    const chain = [own, ...(before === '' ? [] : before.split(',').map((part) => part.trim())).toReversed()];
    let hop = 0;
    while (hop < chain.length - 1 && isTrusted(chain[hop] as string, hop)) hop += 1;
    const ip = plainAddress(chain[hop] as string);
    // Entries beyond the first address that is not trusted may be forged.
    const known = chain
      .slice(0, hop + 1)
      .toReversed()
      .join(', ');
    // If there are several schemes, all but the last may come from the client.
    const named = textOf(headers['x-forwarded-proto']).toLowerCase();
    const usedScheme = named === 'http' || named === 'https' ? named : scheme;
    const used = usedHost({ headers }, true);
    return {
      ip,
      trusted: true,
      host: used,
      origin: `${usedScheme}://${used}`,
      forwarded: forwarded(ip, known, usedScheme, used),
    };
  };
}

function forwarded(ip: string, chain: string, scheme: string, host: string): string[] {
  return [
    'X-Forwarded-For',
    chain,
    'X-Forwarded-Proto',
    scheme,
    ...(host === '' ? [] : ['X-Forwarded-Host', host]),
    'X-Real-IP',
    ip,
  ];
}
