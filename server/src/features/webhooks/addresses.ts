import { BlockList, isIP } from 'node:net';
import { HttpProblem } from '../../platform/http-problem.ts';

/**
 * Where no webhook may lead, whatever its name resolves to: link-local addresses, at which clouds tell their machines'
 * credentials (in their IPv6 forms too), those that clouds use besides, and "this host".
 */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('0.0.0.0', 8, 'ipv4');
forbidden.addAddress('100.100.100.200', 'ipv4');
forbidden.addAddress('192.0.0.192', 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
forbidden.addAddress('::', 'ipv6');
forbidden.addAddress('fd00:ec2::254', 'ipv6');
forbidden.addAddress('fd20:ce::254', 'ipv6');
// The same IPv4 addresses as NAT64 and 6to4 write them; those mapped as ::ffff:0:0/96 are found by the IPv4 rules.
forbidden.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
forbidden.addSubnet('2002:a9fe::', 32, 'ipv6');

/** @param address an IP address, without brackets */
export function isForbidden(address: string): boolean {
  const [bare = ''] = address.split('%', 1);
  const family = isIP(bare);
  return family === 0 || forbidden.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** The address as it is kept. Throws INVALID_BODY for what no webhook may be sent to. */
export function webhookUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || /[\u0000-\u0020]/.test(text)) throw refusal('format', 'is not a web address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refusal('scheme', 'must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal('credentials', 'must not hold a user name or password; what is sent is signed instead');
  }
  if (isForbidden(hostOf(url)) && isIP(hostOf(url)) !== 0) {
    throw refusal('forbidden-address', 'leads to an address that webhooks may not reach');
  }
  url.hash = '';
  return url.href;
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refusal(code: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_BODY', { errors: [{ pointer: '/url', code, message }] });
}
