import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkOf } from './network.ts';

const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const full = (each: readonly number[]) => each.map((group) => group.toString(16).padStart(4, '0')).join(':');
const short = (each: readonly number[]) => new URL(`http://[${full(each)}]`).hostname.slice(1, -1);
const withIpv4 = (each: readonly number[]) => {
  const [a, b] = each.slice(6) as [number, number];
  return `${full(each.slice(0, 6))}:${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
};
/** Addresses that hold no one of IPv4. */
const plain = groups.map(([, ...rest]) => [0x2a00, ...rest]);

describe('the network of an address', () => {
  it('API-2: is the same for all addresses of one /64, however they are written, and another one for the next /64', () => {
    fc.assert(
      fc.property(plain, fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 }), (one, tail) => {
        const other = [...one.slice(0, 4), ...tail];
        const of = networkOf(full(one));
        for (const text of [
          short(one),
          withIpv4(one),
          `[${short(one)}]`,
          `[${full(one)}]:443`,
          full(one).toUpperCase(),
        ])
          expect(networkOf(text)).toEqual(of);
        expect(networkOf(short(other))).toEqual(of);
        const neighbour = one.with(3, (one[3] as number) ^ 1);
        expect(networkOf(short(neighbour)).network).not.toBe(of.network);
        expect(networkOf(short(neighbour)).site).toBe(of.site);
        expect(networkOf(short(one.with(2, (one[2] as number) ^ 1))).site).not.toBe(of.site);
      }),
    );
  });

  it('API-2: is that of the IPv4 address which an IPv6 one holds', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
        const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
        const inverted = [((a << 8) | b) ^ 0xffff, ((c << 8) | d) ^ 0xffff].map((each) => each.toString(16));
        const forms = [
          address,
          `${address}:51234`,
          `::ffff:${address}`,
          `::ffff:${high}:${low}`,
          `::ffff:0:${address}`,
          `64:ff9b::${address}`,
          `64:ff9b:1::${address}`,
          `2002:${high}:${low}::1`,
          `2002:${high}:${low}:77::5`,
          `2001:0:4136:e378:8000:63bf:${inverted.join(':')}`,
        ];
        for (const form of forms) expect(networkOf(form)).toEqual({ network: address, site: null });
      }),
    );
  });

  it('API-2: leaves out the zone of a local address, and is one for all texts that are no address', () => {
    expect(networkOf('fe80::1%eth0')).toEqual(networkOf('fe80::2'));
    for (const text of ['', 'unknown', '_hidden', '1.2.3', '10.0.0.256', '::1::', '01.2.3.4'])
      expect(networkOf(text)).toEqual({ network: 'unknown', site: null });
  });
});
