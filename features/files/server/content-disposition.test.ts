import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import { contentDisposition } from './feature.ts';

describe('Content-Disposition', () => {
  it.each([
    ['a b.pdf', `filename="a b.pdf"; filename*=UTF-8''a%20b.pdf`],
    ['März (1).pdf', `filename="M_rz (1).pdf"; filename*=UTF-8''M%C3%A4rz%20%281%29.pdf`],
    ["it's 100%*.txt", `filename="it's 100_*.txt"; filename*=UTF-8''it%27s%20100%25%2A.txt`],
    ['"quoted\\"', `filename="_quoted__"; filename*=UTF-8''%22quoted%5C%22`],
    ['👩.png', `filename="_.png"; filename*=UTF-8''%F0%9F%91%A9.png`],
  ])('FILE-1: names %j', (filename, expected) => {
    expect(contentDisposition('attachment', filename)).toBe(`attachment; ${expected}`);
  });

  it('FILE-1: is one header of its own, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const filename = text.toWellFormed();
        const header = contentDisposition('inline', filename);
        expect(header).toMatch(/^inline; filename="[\u0020-\u007e]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/);
        const [, plain = '', whole = ''] = /"(.*)"; filename\*=UTF-8''(.*)$/.exec(header) ?? [];
        expect(plain).not.toMatch(/["\\]/);
        expect(decodeURIComponent(whole)).toBe(filename);
      }),
    );
  });
});
