import { BlockList, isIP } from 'node:net';
import { isSigned, type WebhookShape } from '#features/webhooks/contract/webhooks.ts';
import { invalid } from '#server/platform/http/http-problem.ts';

/** Where no webhook may lead: "this host", and where clouds give machines their credentials. */
const forbidden = new BlockList();
forbidden.addSubnet('0.0.0.0', 8, 'ipv4');
// Link-local: the metadata services of AWS, Google, Azure, Oracle, DigitalOcean, OpenStack and others.
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
// Azure, Alibaba, Oracle.
forbidden.addAddress('168.63.129.16', 'ipv4');
forbidden.addAddress('100.100.100.200', 'ipv4');
forbidden.addAddress('192.0.0.192', 'ipv4');
// AWS (metadata, the credentials of pods, and what else it serves there), Google, Oracle, Scaleway.
forbidden.addSubnet('fd00:ec2::', 32, 'ipv6');
forbidden.addAddress('fd20:ce::254', 'ipv6');
forbidden.addAddress('fd00:c1::a9fe:a9fe', 'ipv6');
forbidden.addAddress('fd00:42::42', 'ipv6');

/** @param address an IP address, without brackets */
export function isForbidden(address: string): boolean {
  const [bare = ''] = address.split('%', 1);
  const family = isIP(bare);
  if (family === 4) return forbidden.check(bare, 'ipv4');
  return (
    family === 0 ||
    forbidden.check(bare, 'ipv6') ||
    carriedBy(bare).some((carried) => forbidden.check(carried, 'ipv4'))
  );
}

/** Forms of IPv6 addresses that contain an IPv4 address: the prefix, and the bytes that hold the IPv4 address. */
const carriers: readonly { prefix: string; bits: number; at: readonly number[]; inverted?: true }[] = [
  // IPv4-compatible (RFC 4291, 2.5.5.1) and IPv4-translated (RFC 2765, 2.1); Node's list itself sees through
  // IPv4-mapped ones.
  { prefix: '::', bits: 96, at: [12, 13, 14, 15] },
  { prefix: '::ffff:0:0:0', bits: 96, at: [12, 13, 14, 15] },
  // NAT64 (RFC 6052, 2.1).
  { prefix: '64:ff9b::', bits: 96, at: [12, 13, 14, 15] },
  // 6to4 (RFC 3056, 2).
  { prefix: '2002::', bits: 16, at: [2, 3, 4, 5] },
  // Teredo (RFC 4380, 4): its server, and its client inverted.
  { prefix: '2001::', bits: 32, at: [4, 5, 6, 7] },
  { prefix: '2001::', bits: 32, at: [12, 13, 14, 15], inverted: true },
];

// NAT64 within a network of its own (RFC 8215): only the network knows which of these places it uses (RFC
// 6052, 2.2).
const ownNat64 = { prefix: '64:ff9b:1::', bits: 48 };
const placesOfOwnNat64 = [
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
];

/** The IPv4 addresses to which an IPv6 one may lead. */
function carriedBy(address: string): string[] {
  const bytes = bytesOf(address);
  // The loopback address is no IPv4-compatible one (RFC 4291, 2.5.3).
  if (bytes.join('') === '0000000000000001') return [];
  const at = (places: readonly number[]) => places.map((place) => bytes[place] ?? 0);
  const carried = carriers
    .filter((carrier) => startsWith(bytes, carrier))
    .map((carrier) => at(carrier.at).map((byte) => byte ^ (carrier.inverted ? 0xff : 0)));
  if (isIsatap(bytes)) carried.push(bytes.slice(12));
  // Here zeros mean a place that is not used, and not "this host".
  if (startsWith(bytes, ownNat64)) carried.push(...placesOfOwnNat64.map(at).filter(([first]) => first !== 0));
  return carried.map((four) => four.join('.'));
}

function startsWith(bytes: readonly number[], { prefix, bits }: { prefix: string; bits: number }): boolean {
  return bytesOf(prefix).every((byte, place) => place * 8 >= bits || byte === bytes[place]);
}

/** Whether an address is an ISATAP one, which may begin with any network (RFC 5214, 6.1). */
function isIsatap([, , , , , , , , ...host]: readonly number[]): boolean {
  return (host[0] === 0 || host[0] === 2) && host[1] === 0 && host[2] === 0x5e && host[3] === 0xfe;
}

/** The sixteen bytes of an IPv6 address, in whatever form it is written. */
function bytesOf(address: string): number[] {
  const [start = '', end] = hostOf(new URL(`http://[${address}]`)).split('::');
  const [first, last] = [start, end ?? ''].map((half) => half.split(':').filter((group) => group !== ''));
  const left = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  return [...(first ?? []), ...left, ...(last ?? [])].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** The address as it is stored. Throws INVALID_BODY for an address to which no webhook may be sent. */
export function webhookUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || /[\u0000-\u0020]/.test(text)) throw invalid('/url', 'format', 'is not a web address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid('/url', 'scheme', 'must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      '/url',
      'credentials',
      'must not hold a user name or password; what is sent is signed instead',
    );
  }
  if (isIP(hostOf(url)) !== 0 && isForbidden(hostOf(url))) {
    throw invalid('/url', 'forbidden-address', 'leads to an address that webhooks may not reach');
  }
  url.hash = '';
  return url.href;
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * An address as the audit names it: without its query, in which receivers often have a secret. Slack, Teams and
 * Discord have it in the path.
 */
export function publicPart(url: string, shape: WebhookShape): string {
  return isSigned(shape) ? url.replace(/\?.*$/s, '?…') : `${new URL(url).origin}/…`;
}
