import dns from 'node:dns';
import { describe, expect, it } from 'vitest';
import { replaceBuiltin } from '#server/testing/builtin.ts';
import { isForbidden, webhookUrl } from './addresses.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { post } from './post.ts';

/** The code with which it is refused, or null. */
function refusalOf(url: string): string | null {
  try {
    webhookUrl(url);
    return null;
  } catch (error) {
    return error instanceof HttpProblem ? (error.details.errors?.[0]?.code ?? '') : String(error);
  }
}

describe('where webhooks may lead', () => {
  it.each([
    ['link-local', '169.254.169.254'],
    ['link-local, the first', '169.254.0.0'],
    ['link-local, the last', '169.254.255.255'],
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['Azure', '168.63.129.16'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle', '192.0.0.192'],
    ['no address in IPv6', '::'],
    ['link-local in IPv6', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['link-local, the last in IPv6', 'febf:ffff::1'],
    ['metadata of AWS', 'fd00:ec2::254'],
    ["credentials of AWS's pods", 'fd00:ec2::23'],
    ['the same, written out', 'FD00:0EC2:0000:0000:0000:0000:0000:0023'],
    ['Google in IPv6', 'fd20:ce::254'],
    ['Oracle in IPv6', 'fd00:c1::a9fe:a9fe'],
    ['Scaleway in IPv6', 'fd00:42::42'],
    ['IPv4-mapped', '::ffff:169.254.169.254'],
    ['IPv4-mapped, in hexadecimal', '::ffff:a83f:8110'],
    ['IPv4-compatible', '::169.254.169.254'],
    ['IPv4-compatible, in hexadecimal', '::a83f:8110'],
    ['IPv4-translated', '::ffff:0:168.63.129.16'],
    ['NAT64', '64:ff9b::169.254.169.254'],
    ['NAT64 to Azure', '64:ff9b::a83f:8110'],
    ['NAT64 to Alibaba', '64:ff9b::100.100.100.200'],
    ['NAT64 to this host', '64:ff9b::'],
    ["NAT64 of a network's own, 96 bits", '64:ff9b:1:2:3:4:168.63.129.16'],
    ["NAT64 of a network's own, 64 bits", '64:ff9b:1:7:a8:3f81:1000:0'],
    ["NAT64 of a network's own, 56 bits", '64:ff9b:1:7a8:3f:8110:0:0'],
    ["NAT64 of a network's own, 48 bits", '64:ff9b:1:a83f:81:1000:0:0'],
    ['6to4', '2002:a9fe:a9fe::'],
    ['6to4 to Azure', '2002:a83f:8110::1'],
    ['a Teredo server', '2001:0:a83f:8110:8000:63bf:f5ff:fffe'],
    ['a Teredo client', '2001:0:4136:e378:8000:63bf:57c0:7eef'],
    ['ISATAP', '2001:db8::5efe:169.254.169.254'],
    ['ISATAP, with the unique flag', '2001:db8::200:5efe:a83f:8110'],
    ['what is no address', 'no address'],
  ])('MAINT-7: leaves out %s (%s)', (_what, address) => {
    expect(isForbidden(address)).toBe(true);
  });

  it.each([
    ['127.0.0.1'],
    ['1.0.0.0'],
    ['10.0.0.7'],
    ['192.168.1.1'],
    ['192.0.0.191'],
    ['192.0.2.1'],
    ['168.63.129.17'],
    ['100.100.100.201'],
    ['169.253.255.255'],
    ['169.255.0.0'],
    ['::1'],
    ['::2:0:1'],
    ['fec0::1'],
    ['fd00:ec3::254'],
    ['fd20:ce::253'],
    ['fd00:c1::a9fe:a9ff'],
    ['fd00:42::43'],
    ['fd12::1'],
    ['2001:db8::1'],
    ['2001:db8::a9fe:a9fe'],
    ['2001:1:a83f:8110::1'],
    ['2003:a9fe:a9fe::'],
    ['64:ff9b::192.0.2.1'],
    ['64:ff9b:1:102:3:4:192.0.2.1'],
    ['64:ff9b:1::192.0.2.1'],
    ['64:ff9b:2::a9fe:a9fe'],
    ['2002:c000:201::'],
    ['2001:0:c000:201:8000:63bf:f5ff:fffe'],
    ['::ffff:192.0.2.1'],
    ['2001:db8::100:5efe:a9fe:a9fe'],
    ['2001:db8::1:5efe:a9fe:a9fe'],
    ['2001:db8::5eff:a9fe:a9fe'],
    ['2001:db8::5dfe:a9fe:a9fe'],
  ])('MAINT-7: may lead to %s', (address) => {
    expect(isForbidden(address)).toBe(false);
  });

  it.each([
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://0xa9.254.0251.254/',
    'http://169.254.43518/',
    'http://169.254.169.254./',
    'http://168.63.129.16./',
    'http://0/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::168.63.129.16]/',
    'http://\uff11\uff16\uff19.254.169.254/',
    'http://169%2e254%2e169%2e254/',
  ])('MAINT-7: sees through how an address is written: %s', (url) => {
    expect(refusalOf(url)).toBe('forbidden-address');
  });

  it.each([
    ['nonsense', 'format'],
    ['https://exa mple.org/', 'format'],
    ['https://example.org/ ', 'format'],
    ['https://example.org/\n', 'format'],
    ['https://example.org/\u0000', 'format'],
    ['http://[fe80::1%25eth0]/', 'format'],
    ['ftp://example.org/', 'scheme'],
    ['https://ada@example.org/', 'credentials'],
    ['https://:secret@example.org/', 'credentials'],
    ['https://ada:secret@example.org/', 'credentials'],
    ['http://127.0.0.1/', null],
    ['http://[::1]/', null],
    ['https://169.254.169.254.example.org/', null],
  ])('MAINT-7: of %j reports %j', (url, refused) => {
    expect(refusalOf(url)).toBe(refused);
  });

  it('MAINT-7: stores an address as a browser would write it, without its fragment', () => {
    expect(webhookUrl('HTTPS://Example.org:443/ä?c=d#e')).toBe('https://example.org/%C3%A4?c=d');
  });

  it('MAINT-7: looks at what a name has resolved to, at each try', async () => {
    const answers: [addresses: string[], failure: string | null][] = [
      [['169.254.169.254'], 'forbidden-address'],
      [['fe80::1', '0.0.0.0'], 'forbidden-address'],
      // A port without a listener shows that it was tried.
      [['169.254.169.254', '127.0.0.1'], 'refused'],
    ];
    for (const [addresses, failure] of answers) {
      const lookup = (_name: string, _options: object, done: (...all: unknown[]) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      replaceBuiltin(dns, 'lookup', () => lookup as unknown as typeof dns.lookup);
      const never = new AbortController();
      const posted = await post('http://metadata.example.org:1/', {
        headers: {},
        body: '{}',
        signal: never.signal,
      });
      expect([addresses, posted.status, posted.failure]).toEqual([addresses, null, failure]);
    }
  });
});
