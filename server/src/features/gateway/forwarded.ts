import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Who sent a request, as far as the proxies in front are trusted (`TRUST_PROXY`). */
export type Sender = {
  /** The client's address. */
  ip: string;
  /** Whether the proxy that sent the request is trusted. */
  trusted: boolean;
  /** The origin that the client used: scheme and host. */
  origin: string;
  /** The `X-Forwarded-…` and `X-Real-IP` that an application receives: name, value, name, value. */
  forwarded: string[];
};

const namedRanges: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const mostAddresses = 10_000;

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
        origin: `${scheme}://${host}`,
        forwarded: forwarded(own, own, scheme, host),
      };
    const before = textOf(headers['x-forwarded-for']);
    const chain = [own, ...(before === '' ? [] : before.split(',').map((part) => part.trim())).toReversed()];
    let hop = 0;
    while (hop < chain.length - 1 && isTrusted(chain[hop] as string, hop)) hop += 1;
    const ip = plainAddress(chain[hop] as string);
    // What stands beyond the first address that is not trusted may be made up.
    const known = chain
      .slice(0, hop + 1)
      .toReversed()
      .join(', ');
    const named = firstOf(headers['x-forwarded-proto']).toLowerCase();
    const usedScheme = named === 'http' || named === 'https' ? named : scheme;
    const usedHost = firstOf(headers['x-forwarded-host']) || host;
    return {
      ip,
      trusted: true,
      origin: `${usedScheme}://${usedHost}`,
      forwarded: forwarded(ip, known, usedScheme, usedHost),
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

function trustedBy(trustProxy: false | number | string[]): (address: string, hop: number) => boolean {
  if (trustProxy === false) return () => false;
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const ranges = new BlockList();
  for (const range of trustProxy.flatMap((name) => namedRanges[name] ?? [name])) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) ranges.addAddress(address, family);
    else ranges.addSubnet(address, Number(bits), family);
  }
  const known = new Map<string, boolean>();
  return (address) => {
    let is = known.get(address);
    if (is === undefined) {
      const plain = plainAddress(address);
      const family = isIP(plain);
      is = family !== 0 && ranges.check(plain, family === 6 ? 'ipv6' : 'ipv4');
      if (known.size >= mostAddresses) known.clear();
      known.set(address, is);
    }
    return is;
  };
}

/** An IPv4 address that a socket for both families reports as `::ffff:10.0.0.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function textOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

function firstOf(value: string | string[] | undefined): string {
  return (textOf(value).split(',', 1)[0] ?? '').trim();
}
