import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLosses, numberLoss } from './exact-json.ts';

const lossesOf = (text: string) => jsonLosses(text).map(({ pointer, code }) => `${pointer} ${code}`);

/** A decimal number as a whole number of 10^-400, without the rounding of any parser. */
function exactly(written: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const shift = 400 + Number(exponent) - fraction.length;
  return `${sign}${BigInt(whole + fraction) * 10n ** BigInt(shift)}`;
}

describe('API-1: what JSON.parse would read as another value', () => {
  it.each([
    ['9007199254740993', [' inexact']],
    ['[9007199254740992, -9007199254740993]', ['/1 inexact']],
    ['{"a":[1e400,-1e400,1e-400]}', ['/a/0 too_big', '/a/1 too_big', '/a/2 inexact']],
    ['[0.1, 0.1000000000000000055511151231257827, 0.10000000000000001]', ['/1 inexact', '/2 inexact']],
    ['[-0, -0.0, 0, 0.0, 0e9]', ['/0 inexact', '/1 inexact']],
    ['[1.0, 1e2, 1E+2, 100e-2, 1e23, 123456789012345680000, 5e-324]', []],
    ['{"a":1,"a":1}', ['/a duplicate']],
    ['{"a":1,"b":{"a":2},"\\u0061":3}', ['/a duplicate']],
    ['{"a":[{"b":1},{"b":2}],"b":3}', []],
    ['{"x":{"__proto__":1},"y":{"\\u005f_proto__":1}}', ['/x/__proto__ reserved', '/y/__proto__ reserved']],
    ['{"constructor":{"prototype":1},"prototype":2}', ['/constructor/prototype reserved']],
    ['{"a~/b":[[],[1,9007199254740993]]}', ['/a~0~1b/1/1 inexact']],
    ['["9007199254740993","-0","{\\"a\\":1,\\"a\\":2}"]', []],
    ['{"9007199254740993":1,"-0":1}', []],
  ])('in %s is found at its place', (text, losses) => {
    expect(lossesOf(text)).toEqual(losses);
  });

  it('is nothing of what JavaScript writes, however it is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!/"(__proto__|prototype)"/.test(text));
        expect(jsonLosses(text)).toEqual([]);
      }),
    );
  });

  it('is a number exactly where JavaScript writes another one', () => {
    const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^\\d{1,${maxLength}}$`));
    const written = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits(22).map((whole) => whole.replace(/^0+(?=\d)/, '')),
        fc.option(digits(22)),
        fc.option(fc.integer({ min: -340, max: 300 })),
      )
      .map(
        ([sign, whole, fraction, exponent]) =>
          `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
      );
    fc.assert(
      fc.property(written, (number) => {
        fc.pre(Number.isFinite(Number(number)));
        const again = JSON.stringify(Number(number));
        const kept = exactly(again) === exactly(number) && !Object.is(Number(number), -0);
        expect([number, numberLoss(number) === null]).toEqual([number, kept]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is each second member of a name, and no first one', () => {
    const names = fc.array(fc.constantFrom('a', 'b', '"', '\\', '10', '2', ''), { maxLength: 6 });
    fc.assert(
      fc.property(names, (list) => {
        const text = `{${list.map((name, index) => `${JSON.stringify(name)}:${index}`).join(',')}}`;
        expect(jsonLosses(text).length).toBe(list.length - new Set(list).size);
      }),
    );
  });

  it('is reported twenty times at most, and in one pass over a megabyte', () => {
    expect(
      jsonLosses(`[${Array.from({ length: 50_000 }, () => '9007199254740993').join(',')}]`),
    ).toHaveLength(20);
    expect(lossesOf(`[0.${'0'.repeat(500_000)}1,0.1${'0'.repeat(500_000)}]`)).toEqual(['/0 inexact']);
  });
});
