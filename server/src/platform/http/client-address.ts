import type { IncomingMessage } from 'node:http';

/**
 * The address of a request's client, as the framework computes it, before the framework has seen the request.
 * Null where proxies are trusted by their own addresses, which is more work than is wanted then.
 *
 * @param trustProxy how many proxies are trusted, or none
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustProxy: false | number | string[],
): string | null {
  const own = socket.remoteAddress ?? '';
  if (trustProxy === false) return own;
  if (typeof trustProxy !== 'number') return null;
  const forwarded = headers['x-forwarded-for'];
  const named = typeof forwarded === 'string' ? forwarded.split(',').map((each) => each.trim()) : [];
  const addresses = [own, ...named.toReversed().filter((each) => each !== '')];
  return addresses[Math.min(trustProxy, addresses.length - 1)] ?? own;
}
