import * as fc from 'fast-check';

const surrogates = { first: 0xd8_00, count: 0x8_00 };
const most = 0x10_ff_ff - surrogates.count;

/**
 * Any character of Unicode, as the `unit` of `fc.string`. The unit `binary` of fast-check covers the same
 * characters, but lists all 1.1 million of them first, which takes seconds and stays in memory.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: most }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    const isOne = typeof text === 'string' && point >= 0 && String.fromCodePoint(point) === text;
    const isSurrogate = point >= surrogates.first && point < surrogates.first + surrogates.count;
    if (!isOne || isSurrogate) throw new TypeError('This is not one character.');
    return point < surrogates.first ? point : point - surrogates.count;
  },
);
