import { isIP } from 'node:net';
import { HttpProblem } from './http-problem.ts';

/** All networks of a /48 together have so many times the room of one network. */
export const sitesRoom = 4;

/**
 * The network that an address belongs to, for limits and bounds that are kept by address: a client of IPv6 has a
 * /64 at least, which is 2^64 addresses. `site` is the /48 around it, which one customer may have; null for IPv4.
 */
type Network = { network: string; site: string | null };

/** One network for every text that is no address, as a proxy may write it in place of an address or with it. */
const unreadable: Network = { network: 'unknown', site: null };

/**
 * The network of an address as a socket or a proxy names it.
 *
 * IPv4 is its own network. So is an IPv4 address inside an IPv6 one: mapped (RFC 4291, 2.5.5.2), behind NAT64
 * (RFC 6052 and RFC 8215), 6to4 (RFC 3056) and Teredo (RFC 4380), where the IPv4 address is the client's own.
 *
 * @param address may have a port or a zone behind it, as some proxies write it
 */
export function networkOf(address: string): Network {
  if (isIP(address) === 4) return { network: address, site: null };
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? [];
  const [, beforePort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  const [plain = ''] = (inBrackets ?? beforePort ?? address).split('%', 1);
  const family = isIP(plain);
  if (family === 4) return { network: plain, site: null };
  if (family === 0) return unreadable;
  const groups = groupsOf(plain);
  const inside = ipv4Inside(groups);
  if (inside !== null) return { network: inside, site: null };
  const prefix = (count: number): string =>
    groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(':');
  return { network: `${prefix(4)}::/64`, site: `${prefix(3)}::/48` };
}

/** The network around an address, as people are shown where something came from: a /24 of IPv4, a /48 of IPv6. */
export function shownNetwork(address: string): string | null {
  const { network, site } = networkOf(address);
  if (site !== null) return site;
  return isIP(network) === 4 ? network.replace(/\d+$/, '0/24') : null;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.split('::').map(readGroups);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function ipv4Inside(groups: readonly number[]): string | null {
  const [first, second, third] = groups;
  const [high = 0, low = 0] = groups.slice(6);
  const startsWith = (...wanted: number[]): boolean => wanted.every((group, at) => groups[at] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0, 0, 0, 0, 0xffff, 0)) return dotted(high, low);
  if (startsWith(0x64, 0xff9b, 0, 0, 0, 0) || startsWith(0x64, 0xff9b, 1)) return dotted(high, low);
  if (first === 0x2002) return dotted(second ?? 0, third ?? 0);
  // Teredo inverts the bits of the client's address.
  if (startsWith(0x2001, 0)) return dotted(high ^ 0xffff, low ^ 0xffff);
  return null;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Limits the places that one network may have at once, and all networks of a /48 together to four times as many.
 *
 * @returns reserves a place for an address and returns a function that releases it; throws TOO_MANY_REQUESTS
 */
export function createNetworkPlaces(most: number): (address: string) => () => void {
  const taken = new Map<string, number>();

  return (address) => {
    const { network, site } = networkOf(address);
    const keys =
      site === null
        ? [[network, most] as const]
        : [[network, most] as const, [site, most * sitesRoom] as const];
    if (keys.some(([key, room]) => (taken.get(key) ?? 0) >= room)) {
      throw new HttpProblem('TOO_MANY_REQUESTS', {
        detail: 'Too many streams are open from this network.',
        retryAfter: 60,
      });
    }
    for (const [key] of keys) taken.set(key, (taken.get(key) ?? 0) + 1);
    return () => {
      for (const [key] of keys) {
        const left = (taken.get(key) ?? 0) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      }
    };
  };
}
