import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexProblem } from './regex-cost.ts';
import { prepareRegex } from './regex-match.ts';

const scripts = [
  'a',
  'b',
  'A',
  'k',
  '\u212a',
  'ſ',
  '0',
  '_',
  ' ',
  '\n',
  '\u2028',
  'я',
  'Я',
  'ก',
  'İ',
  'ß',
  'ẞ',
  'Ω',
];
const letters = [...scripts, '\ud83d', '\ude00', '😀', '-', '/'];
const parts = ['.', '\\w', '\\W', '\\d', '\\s', '\\S', '\\b', '\\B', '^', '$', '\\/', '\\-', '\\n', 'a{,2}'];
const classes = [
  '[а-яk]',
  '[^a]',
  '[^]',
  '[]',
  '[a-f\\d]',
  '[^я\\s]',
  '[\\w-]',
  '[\\b]',
  '[😀]',
  '{',
  ']',
  '}',
];
const escapes = ['[\\ud800-\\udfff]', '\\u0444', '\\x41', '\\cA', '\\c', '\\0', '\\012', '\\x4', '\\u44'];
const atom = fc.constantFrom(...letters, ...parts, ...classes, ...escapes);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(
        fc.oneof(
          atom,
          tie('pattern').map((inner) => `(${inner})`),
        ),
        fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{0,2}', '{1,}', '{2,3}?'),
      )
      .map(([inner, repetition]) => inner + repetition),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!', '(?<имя>'), tie('pattern'))
      .map(([opening, inner]) => `${opening}${inner})`),
  ),
}));
const text = fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((units) => units.join(''));

function expression(source: string, insensitive: boolean): RegExp | null {
  try {
    return new RegExp(source.replace(/([^\\])\//g, '$1\\/'), insensitive ? 'i' : '');
  } catch {
    return null;
  }
}

describe('regular expressions', () => {
  it('FLAG-1: find what JavaScript finds, in every script and without regard to case', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.array(text, { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (source, texts, any) => {
          const wanted = expression(source, any);
          const test = prepareRegex(source, any);
          const answers = (found: (one: string) => unknown) => texts.map((one) => found(one));
          expect(
            typeof test === 'function' ? answers((one) => test(one, { left: 1_000_000 })) : test,
          ).toEqual(wanted === null ? null : answers((one) => wanted.test(one)));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('FLAG-3: take work in proportion to the text, where accepted', () => {
    // Behind each accepted pattern stands what can never follow, so that everything is tried.
    fc.assert(
      fc.property(
        pattern,
        fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 }),
        (source, units) => {
          fc.pre(regexProblem(source) === null && !/\(\?<?[=!]/.test(source));
          const test = prepareRegex(`(?:${source})\u0001`, false);
          if (typeof test !== 'function') throw new Error('It was accepted.');
          const steps = (length: number) => {
            const work = { left: 1e9 };
            test(units.join('').repeat(length).slice(0, length), work);
            return 1e9 - work.left;
          };
          expect(steps(2_048) - 300).toBeLessThanOrEqual(5 * (steps(1_024) - 300));
          expect(steps(2_048)).toBeLessThan(1_000_000);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    '^([а-я]+)*$',
    '^(?:ก|ก)+$',
    '(?=(a+)+b)',
    '(?:(?=.*b)a)*c',
    '(?<=^.{0,1000})x',
    '(?:(?:a?){50}){40}b',
  ])('FLAG-3: %s, accepted once, ends with the work that there is', (source) => {
    const test = prepareRegex(source, true);
    if (typeof test !== 'function') throw new Error('It cannot be matched.');
    for (const letter of ['a', 'я', 'ก']) {
      const work = { left: 1_000_000 };
      expect(test(`${letter.repeat(2_047)}!`, work)).not.toBe(true);
      expect(work.left).toBeGreaterThan(-100_000);
    }
  });

  it('FLAG-3: finds what user agents are asked for', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
    const test = prepareRegex('Mozilla.*Windows.*Chrome', false);
    if (typeof test !== 'function') throw new Error('It cannot be matched.');
    expect([test(chrome, { left: 100_000 }), test(chrome.replace('Chrome', ''), { left: 100_000 })]).toEqual([
      true,
      false,
    ]);
    const worst = 'Mozilla'.repeat(97) + 'Windows'.repeat(97) + 'x'.repeat(690);
    expect(test(worst, { left: 100_000 })).toBe(false);
  });
});
