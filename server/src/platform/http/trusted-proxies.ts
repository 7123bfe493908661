import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const namedRanges: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const mostAddresses = 10_000;

/**
 * Whether an address is that of a proxy that is trusted (`TRUST_PROXY`).
 *
 * @returns a function of an address and of how many proxies stand between it and Portico
 */
export function trustedBy(trustProxy: false | number | string[]): (address: string, hop: number) => boolean {
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

/** Returns `10.0.0.1` for `::ffff:10.0.0.1`, as a socket for both families reports an IPv4 address. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

export function textOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

/** The first of the values that a header lists. */
export function firstOf(value: string | string[] | undefined): string {
  return (textOf(value).split(',', 1)[0] ?? '').trim();
}

/** The host that the client used, with its port: as a trusted proxy names it, else the `Host` header. */
export function usedHost({ headers }: Pick<IncomingMessage, 'headers'>, trusted: boolean): string {
  return (trusted ? firstOf(headers['x-forwarded-host']) : '') || (headers.host ?? '');
}

/** A host without its port, and without the dot that ends a full name. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
