import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from './excerpt.ts';

describe('the excerpt of a message', () => {
  it('BUG-8: is a short message as it stands, on one line', () => {
    expect(excerptOf('The map\n\nis\twhite.  ')).toBe('The map is white.');
    expect(excerptOf('x'.repeat(140))).toBe('x'.repeat(140));
    expect(excerptOf('')).toBe('');
  });

  it('BUG-8: is the beginning of a long one, and shows that it goes on', () => {
    expect(excerptOf('x'.repeat(141))).toBe(`${'x'.repeat(139)}…`);
    expect(excerptOf(`${'x'.repeat(138)} and more`)).toBe(`${'x'.repeat(138)}…`);
    expect(excerptOf('a\n'.repeat(2000))).toHaveLength(140);
  });

  it('BUG-8: cuts no letter in two', () => {
    const astronaut = '👩‍🚀';
    const before = 'x'.repeat(137);
    expect(excerptOf(before + astronaut.repeat(3))).toBe(`${before}…`);
    expect(excerptOf(`${'x'.repeat(138)}é${'x'.repeat(9)}`.normalize('NFD'))).toBe(`${'x'.repeat(138)}…`);
    // One letter with thousands of accents is cut all the same.
    const monster = `e${'\u0301'.repeat(4000)}`;
    expect(excerptOf(monster)).toBe(`e${'\u0301'.repeat(138)}…`);
    const rockets = '\u{1f680}\u200d'.repeat(1000);
    expect(excerptOf(rockets).isWellFormed()).toBe(true);
    expect(excerptOf(rockets).length).toBeLessThanOrEqual(140);
  });

  it('BUG-8: whatever the message is, it is one line of at most 140 characters of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (message) => {
        const excerpt = excerptOf(message);
        const line = message.replaceAll(/\s+/g, ' ').trim();
        return (
          excerpt.length <= 140 &&
          !/\n/.test(excerpt) &&
          excerpt.isWellFormed() &&
          (excerpt === line || (excerpt.endsWith('…') && line.startsWith(excerpt.slice(0, -1))))
        );
      }),
    );
  });
});
