import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import { isPlainSegment, maskedPath, scrub } from './scrub.ts';

const text = (value: string) => scrub(value, { most: 200 });

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const figures = [...'0123456789'];
const from = (characters: readonly string[], minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const hasFigures = (token: string) => (token.match(/\d/g)?.length ?? 0) >= 2 && /[a-zA-Z]/.test(token);

const base64url = from([...letters, ...figures, '-', '_'], 20, 60).filter(hasFigures);
const tokens = fc.oneof(
  from([...figures, ...'abcdef'], 12, 64).filter(hasFigures),
  base64url,
  from([...letters, ...figures, '+', '/'], 20, 60).filter(hasFigures),
  fc.uuid(),
  fc.tuple(base64url, base64url, base64url).map((parts) => `eyJ${parts.join('.')}`),
  from(letters, 10, 20).map((part) => `sk_live_00${part}`),
);
/** Words around a secret, as a programmer writes them. */
const around = fc.constantFrom(
  ['', ''],
  ['Could not load ', ' in time'],
  ['Failed: (', ')'],
  ['value "', '" is refused'],
  ['at /people/', '/data'],
  ['{"key":"', '"}'],
  ['for ', ', then again'],
  ['GET https://portico.test/v1/', ' failed'],
  ['Profil von „', '“ fehlt'],
  ['x=', ''],
) as fc.Arbitrary<readonly [string, string]>;

/** Expects that no part of `secret` of eight characters is left. */
function expectGone(result: string, secret: string): void {
  for (let at = 0; at + 8 <= secret.length; at += 1) expect(result).not.toContain(secret.slice(at, at + 8));
}

describe('BUG-7: what is removed from a text', () => {
  it('BUG-7: any token, wherever it stands', () => {
    fc.assert(
      fc.property(tokens, around, (token, [before, after]) => {
        // In an address, a part between slashes that looks like a word is left as a word.
        fc.pre(!token.split('/').some((part) => part.length >= 8 && isPlainSegment(part)));
        expectGone(text(before + token + after), token);
      }),
      { numRuns: 1000 },
    );
  });

  it('BUG-7: any address of a person, also percent-encoded', () => {
    const person = fc.emailAddress({ size: 'small' });
    fc.assert(
      fc.property(person, around, fc.boolean(), (email, [before, after], isEncoded) => {
        const written = isEncoded ? encodeURIComponent(email) : email;
        const result = text(before + written + after);
        expect(result).not.toMatch(/@|%40/);
        expect(result).not.toContain(email.slice(email.indexOf('@') + 1));
      }),
      { numRuns: 1000 },
    );
  });

  it('BUG-7: any query, fragment and user information of an address', () => {
    const value = fc.string({ minLength: 4, maxLength: 30 }).map((one) => `zq${encodeURIComponent(one)}qz`);
    const addresses = fc
      .tuple(value, value, value)
      .chain(([key, one, two]) =>
        fc.constantFrom(
          `https://portico.test/people?${key}=${one}&x=${two}`,
          `https://portico.test/#${key}${one}${two}`,
          `https://${key}:${one}@portico.test/?${two}`,
          `/people?search=${key}${one}#${two}`,
          `?${key}&${one}&${two}`,
          `callback ${key}=${one}&state=${two}`.replace(key, 'code'),
        ),
      );
    fc.assert(
      fc.property(addresses, (address) => {
        expect(text(`Failed to open ${address} again`)).not.toMatch(/zq|qz/);
        expect(text(`Failed to open ${address} again`)).toMatch(/^Failed to open (?:.* )?again$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('BUG-7: credentials, secrets by their name, and the words that it is given', () => {
    const secret = fc.string({
      unit: fc.constantFrom(...letters, '-', '!', '$'),
      minLength: 6,
      maxLength: 30,
    });
    const named = fc.constantFrom(
      (value: string) => `Authorization: Bearer ${value}`,
      (value: string) => `bearer ${value}`,
      (value: string) => `password: ${value}`,
      (value: string) => `{"newPassword":"${value}","a":1}`,
      (value: string) => `api_key = ${value}`,
      (value: string) => `Cookie: ${value}`,
      (value: string) => `access-token=${value}`,
    );
    fc.assert(
      fc.property(secret, named, (value, sentence) => {
        expectGone(text(`It says ${sentence(value)} here`), value);
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.string({ minLength: 3, maxLength: 40 }), around, (typed, [before, after]) => {
        fc.pre(typed.trim().length >= 3 && !'[removed][email][number]…'.includes(typed.trim().toLowerCase()));
        fc.pre(!(before + after).toLowerCase().includes(typed.trim().toLowerCase()));
        const result = scrub(before + typed + after, { most: 200, words: [typed] });
        expect(result.toLowerCase().replaceAll('[removed]', '')).not.toContain(typed.trim().toLowerCase());
      }),
      { numRuns: 1000 },
    );
  });

  it('BUG-7: numbers of six digits or more, as people write them', () => {
    fc.assert(
      fc.property(
        from(figures, 6, 19),
        fc.constantFrom('', ' ', '-', '.', '/', ') '),
        around,
        (number, separator, [before, after]) => {
          const written = number.replaceAll(/(\d{3})(?=\d)/g, `$1${separator}`);
          expectGone(text(before + written + after).replaceAll(/\D/g, ''), number.slice(0, 8));
          expect(text(before + written + after)).not.toMatch(/\d{6}/);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('BUG-7: nothing else of a plain message; long, hostile and halved ones stay bounded and whole', () => {
    for (const plain of [
      'Minified React error #418; visit the page of errors',
      "Cannot read properties of undefined (reading 'rights')",
      'The screen flags/flags-screen could not be loaded',
      'Save 3 changes',
      'getDerivedStateFromProps of ReportContextFacts was called twice',
    ])
      expect(text(plain)).toBe(plain);
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 3000 }),
        fc.integer({ min: 1, max: 300 }),
        (any, most) => {
          const result = scrub(any, { most });
          expect(result.length).toBeLessThanOrEqual(most);
          expect(result.isWellFormed()).toBe(true);
          expect(result).not.toMatch(/[\n\r\t]/);
        },
      ),
      { numRuns: 200 },
    );
    expectGone(text(`${'x '.repeat(490)}ada.lovelace.of.london@example.org`), 'ada.lovelace.of.london');
  });

  it('BUG-7: a path has no ids, and no query or fragment', () => {
    expect(maskedPath('/flags/NEW_SEARCH/history')).toBe('/flags/NEW_SEARCH/history');
    expect(maskedPath('/v1/users/01J9ZK4/profile?x=1#y')).toBe('/v1/users/:id/profile');
    expect(maskedPath('/people/ada%20lovelace/ada@example.org')).toBe('/people/:id/:id');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(tokens, fc.emailAddress(), from(figures, 1, 20)), { maxLength: 6 }),
        (ids) => {
          const path = maskedPath(ids.map((id) => `/things/${id.replaceAll(/[/?#]/g, '-')}`).join(''));
          expect(path).toBe('/things/:id'.repeat(ids.length));
        },
      ),
    );
  });
});
