import dns from 'node:dns';
import { describe, expect, it } from 'vitest';
import { replaceBuiltin } from '../../testing/builtin.ts';
import { isForbidden, webhookUrl } from './addresses.ts';
import { post } from './post.ts';

describe('where webhooks may lead', () => {
  it('MAINT-7: leaves out link-local addresses, those of clouds, and this host', () => {
    for (const address of [
      '169.254.169.254',
      '169.254.0.1',
      '0.0.0.0',
      '100.100.100.200',
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'febf::1',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '64:ff9b::169.254.169.254',
      '2002:a9fe:a9fe::',
      'fd00:ec2::254',
      'no address',
    ]) {
      expect([address, isForbidden(address)]).toEqual([address, true]);
    }
    for (const address of [
      '127.0.0.1',
      '::1',
      '10.0.0.7',
      '192.168.1.1',
      '192.0.2.1',
      'fd12::1',
      '2001:db8::1',
    ])
      expect([address, isForbidden(address)]).toEqual([address, false]);
  });

  it('MAINT-7: keeps an address as a browser would write it, without its fragment', () => {
    expect(webhookUrl('HTTPS://Example.org:443/ä?c=d#e')).toBe('https://example.org/%C3%A4?c=d');
  });

  it('MAINT-7: looks at what a name has resolved to, at each try', async () => {
    const answers: [addresses: string[], failure: string | null][] = [
      [['169.254.169.254'], 'forbidden-address'],
      [['fe80::1', '0.0.0.0'], 'forbidden-address'],
      // Something that nobody listens on shows that it was tried.
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
