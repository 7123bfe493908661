import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createHosts } from './hosts.ts';

const origin = 'https://app.example.org';
const shop = 'shop.example.org';
const installation = { others: [shop], internal: ['portico.default.svc', '[::1]'], trustProxy: 1 } as const;

function asking(host: string | undefined, forwarded?: string) {
  const headers = { host, ...(forwarded === undefined ? {} : { 'x-forwarded-host': forwarded }) };
  return { headers, socket: { remoteAddress: '::ffff:10.0.0.2' } } as unknown as IncomingMessage;
}

describe('API-4: the host of a request', () => {
  const hosts = createHosts({ ...installation, origin });

  it.each([
    ['app.example.org', undefined, 'app.example.org'],
    ['APP.example.org.:443', undefined, 'APP.example.org.:443'],
    [shop, undefined, shop],
    ['portico.default.svc:3000', undefined, 'portico.default.svc:3000'],
    ['[::1]:3000', undefined, '[::1]:3000'],
    ['10.0.0.9:3000', shop, shop],
    ['portico.default.svc:3000', shop, shop],
    [shop, `${shop}, ${shop}:443`, shop],
    ['app.example.org', '', 'app.example.org'],
    // HTTP/1.0 has no Host.
    [undefined, undefined, ''],
  ])('is a configured one: %s, forwarded %s', (host, forwarded, expected) => {
    expect(hosts.usedBy(asking(host, forwarded))).toBe(expected);
  });

  it.each([
    ['evil.example', undefined],
    ['', undefined],
    ['app.example.org.evil.example', undefined],
    ['xapp.example.org', undefined],
    ['app.example.org:8443', undefined],
    ['app.example.org:80', undefined],
    ['app.example.org:x', undefined],
    ['localhost:3000', undefined],
    ['10.0.0.9', undefined],
    ['app.example.org', 'evil.example'],
    ['app.example.org', shop],
    [shop, 'app.example.org'],
    [shop, 'portico.default.svc'],
    ['10.0.0.9:3000', 'portico.default.svc'],
    ['10.0.0.9:3000', `evil.example, ${shop}`],
    ['10.0.0.9:3000', `${shop}, app.example.org`],
    ['10.0.0.9:3000', `${shop}:8443`],
    ['10.0.0.9:3000', undefined],
    ['evil.example', ', app.example.org'],
    ['evil.example', 'app.example.org,'],
    ['evil.example', ' '],
  ])('is refused where it is none of this installation, or two: %s, forwarded %s', (host, forwarded) => {
    expect(hosts.usedBy(asking(host, forwarded))).toBeNull();
  });

  it('counts also where the proxy names the original request in a header of its own', () => {
    const proxied = asking('portico.default.svc:3000');
    expect(hosts.usedBy(proxied, shop)).toBe(shop);
    for (const [host, forwarded, original] of [
      ['portico.default.svc', undefined, 'evil.example'],
      ['portico.default.svc', 'app.example.org', shop],
      ['portico.default.svc', 'evil.example', shop],
      ['app.example.org', undefined, shop],
    ] as const)
      expect(hosts.usedBy(asking(host, forwarded), original)).toBeNull();
  });

  it('is not what a proxy forwards that is not trusted', () => {
    const direct = createHosts({ ...installation, origin, trustProxy: false });
    expect(direct.usedBy(asking('app.example.org', 'evil.example'))).toBe('app.example.org');
    expect(direct.usedBy(asking('evil.example', 'app.example.org'))).toBeNull();
  });

  it('is any name of this machine, and any port, where PUBLIC_URL is one', () => {
    const local = createHosts({ origin: 'http://localhost:3000', others: [], trustProxy: false });
    for (const host of ['localhost:3000', '127.0.0.1:8080', '[::1]', 'LOCALHOST'])
      expect(local.usedBy(asking(host))).toBe(host);
    for (const host of ['rebound.example:3000', '127.0.0.2:3000', '0.0.0.0:3000', 'localhost.example'])
      expect(local.usedBy(asking(host))).toBeNull();
  });
});
