import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackBase64 } from './base64.ts';

const read = (data: string) => unpackBase64(Buffer.from(data));

/** By the letter of RFC 4648, slowly. */
function strictly(data: string): Buffer | null {
  const bytes = Buffer.from(data, 'base64');
  return bytes.toString('base64') === data ? bytes : null;
}

describe('base64', () => {
  it('BUG-6: is read as it was written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        expect(read(Buffer.from(bytes).toString('base64'))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([
    'A',
    'AA',
    'AAA',
    'AA=',
    'A===',
    '====',
    'AAAA=',
    'AAA-',
    'AAA_',
    'AAB=',
    'AB==',
    'AA==AAAA',
    ' AAAA',
    'AAAA\n',
  ])('BUG-6: %j is none', (data) => {
    expect(read(data)).toBeNull();
  });

  it('BUG-6: is that and nothing else', () => {
    const signs = fc.constantFrom(...'AQgwz09+/=-_ \n!é\u{1f680}');
    const good = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    const almost = fc
      .tuple(good, signs, fc.nat({ max: 12 }), fc.boolean())
      .map(
        ([text, sign, place, replaces]) =>
          text.slice(0, place) + sign + text.slice(place + (replaces ? 1 : 0)),
      );
    const anything = fc.array(signs, { maxLength: 12 }).map((each) => each.join(''));
    fc.assert(
      fc.property(fc.oneof(good, almost, anything), (data) => {
        expect(read(data)).toEqual(strictly(data));
      }),
      { numRuns: 3_000 },
    );
  });
});
