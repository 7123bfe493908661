import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailAddress } from './email-address.ts';

/** What the schema makes of it, or null where it refuses. */
const read = (value: unknown) => emailAddress.safeParse(value).data ?? null;

describe('an email address', () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    ['  Ada.Lovelace+x@Example.ORG ', 'ada.lovelace+x@example.org'],
    ["o'brien@example.org", "o'brien@example.org"],
    ["a!#$%&'*+/=?^_`{|}~-z@x.org", "a!#$%&'*+/=?^_`{|}~-z@x.org"],
    ['.ada..lovelace.@example.org', '.ada..lovelace.@example.org'],
    ['root@localhost', 'root@localhost'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['Müller@example.org', 'müller@example.org'],
    ['mu\u0308ller@example.org', 'müller@example.org'],
    ['静香@例え.テスト', '静香@xn--r8jz45g.xn--zckzah'],
    ['тихий@пример.испытание', 'тихий@xn--e1afmkfd.xn--80akhbyknj4f'],
    ['🌲@example.org', '🌲@example.org'],
    ['"Ada Lovelace"@example.org', '"ada lovelace"@example.org'],
    ['"ada"@example.org', 'ada@example.org'],
    [String.raw`"a\d\"a"@example.org`, String.raw`"ad\"a"@example.org`],
    ['"a@b"@example.org', '"a@b"@example.org'],
    ['""@example.org', '""@example.org'],
    ['ada@[192.0.2.1]', 'ada@[192.0.2.1]'],
    ['ada@[IPv6:2001:DB8::1]', 'ada@[ipv6:2001:db8::1]'],
  ])('SES-3: %j is read as %j', (given, expected) => {
    expect([read(given), read(expected)]).toEqual([expected, expected]);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.org',
    'a b@example.org',
    'ada@exa mple.org',
    'ada@@example.org',
    'ada@example.org, eve@example.org',
    'ada@example.org\nbcc: x@y.zz',
    'ada@example.org\r\nRCPT TO:<x@y.zz>',
    '"ada\r\n"@example.org',
    '"a<b>c"@example.org',
    'ada\u0000@example.org',
    '<ada@example.org>',
    'Ada <ada@example.org>',
    'ada(comment)@example.org',
    'a"d"a@example.org',
    'ada@example..org',
    'ada@.example.org',
    'ada@-example.org',
    'ada@exa_mple.org',
    'ada@example.org.',
    'ada@[999.0.2.1]',
    'ada@[192.0.2.1',
    'ada@[x y]',
    'ada@１２７.1',
    'ada@exa\u00admple.org',
    'ada@ex\u200bample.org',
    'ada@ﬁsh.example',
    'a\u200bda@example.org',
    'a\u202eda@example.org',
    'a\ud83da@example.org',
    '\u212aate@example.org',
    'kate@example\u037eorg',
    `${'a'.repeat(243)}@example.org`,
    7,
    null,
  ])('SES-3: %j is none', (given) => {
    expect(read(given)).toBeNull();
  });

  it('SES-3: has at most 254 characters, as it is stored', () => {
    expect(read(`${'a'.repeat(242)}@example.org`)).toHaveLength(254);
    expect(read(`ada@${`${'ü'.repeat(50)}.`.repeat(5)}org`)).toBeNull();
  });

  it('SES-3: is the same when read again, in capitals, and decomposed', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'Z', '9', '.', 'ü', 'é', 'ж', '林', '"', '\\', ' ', '-'),
    });
    const address = fc.oneof(
      fc.emailAddress(),
      fc.tuple(letters, letters).map(([local, domain]) => `${local}@${domain}`),
      letters.map((local) => `"${local}"@example.org`),
    );
    fc.assert(
      fc.property(address, (given) => {
        const once = read(given);
        if (once === null) return;
        for (const same of [once, given.toUpperCase(), given.normalize('NFD'), ` ${given}\n`])
          expect([same, read(same)]).toEqual([same, once]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('SES-3: holds nothing that begins a header, a command or another recipient', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (local) => {
        for (const given of [
          `${local}@example.org`,
          `"${local}"@example.org`,
          `ada@${local}`,
          `ada@[${local}]`,
        ])
          expect(read(given) ?? '').not.toMatch(/[\p{Cc}<>\u2028\u2029]/u);
      }),
      { numRuns: 1_000 },
    );
  });

  it('SES-3: is whatever a field of HTML for addresses takes', () => {
    const html = fc.stringMatching(
      /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,20}@[a-zA-Z0-9]([a-zA-Z0-9-]{0,10}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,10}[a-zA-Z0-9])?){0,3}$/,
    );
    fc.assert(
      fc.property(html, (given) => {
        expect(read(given)).toBe(given.toLowerCase());
      }),
    );
  });
});
