import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from './testing/any-character.ts';
import * as z from 'zod/mini';
import { cleanLine, cleanProse, id, instant, isBlank, line, prose, version } from './text.ts';

/** What the schema makes of it, or null where it refuses. */
function read(schema: z.ZodMiniType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  return result.success ? result.data : null;
}

const anyText = fc.string({ unit: anyCharacter, maxLength: 30 });

describe('text that people type', () => {
  it('PRO-1: is trimmed, and measured after that', () => {
    expect(read(line(1, 3), '  Ada ')).toBe('Ada');
    expect(read(line(1, 3), '    ')).toBeNull();
    expect(read(line(0, 3), '    ')).toBe('');
    expect(read(line(1, 3), 'Adam')).toBeNull();
    expect(read(prose(1, 5), ' a\nb\tc ')).toBe('a\nb\tc');
  });

  it.each(['\u0000', '\u0007', '\u001b[31m', '\u007f', '\u2028', '\u202e', '\u2066', 'a\u0000b'])(
    'API-1: holds no characters that hide something: %j',
    (text) => {
      expect(read(line(0, 50), `a${text}b`)).toBeNull();
      expect(read(prose(0, 50), `a${text}b`)).toBeNull();
    },
  );

  it('API-1: holds no half of a surrogate pair, which no database stores as it is', () => {
    const half = 'a\ud83d b \udc69';
    expect([line, prose].map((schema) => read(schema(1, 50), half))).toEqual([null, null]);
    for (const schema of [cleanLine, cleanProse]) expect(read(schema(1, 50), half)).toBe('a\ufffd b \ufffd');
    for (const schema of [line, prose, cleanLine, cleanProse])
      expect(read(schema(1, 50), '\ud83d\udc69')).toBe('\ud83d\udc69');
  });

  it('API-1: stands on one line where it is a line', () => {
    for (const text of ['a\nb', 'a\rb', 'a\tb']) {
      expect(read(line(0, 50), text)).toBeNull();
      expect(read(prose(0, 50), text)).toBe(text);
    }
  });

  it('LOOK-3: may be in any language', () => {
    for (const text of ['Zoë Müller-Ñandú', '静かな夜', 'тихий', 'שלום', '👩‍🚀 ok', "O'Brien <&>"]) {
      expect(read(line(1, 50), text)).toBe(text);
    }
  });

  it('PRO-1: comes out trimmed, within its bounds, and the same when read again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const schema of [line(0, 20), prose(0, 20)]) {
          const once = read(schema, text);
          if (once === null) continue;
          if (typeof once !== 'string' || once.length > 20 || once !== once.trim()) return false;
          if (read(schema, once) !== once) return false;
        }
        return true;
      }),
    );
  });

  it.each([
    ['no-break and ideographic spaces', '\u00a0\u2003\u3000'],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
    ['soft hyphens and joiners', '\u00ad\u034f\u061c\u180e'],
    ['fillers of Hangul', '\u115f\u1160\u3164\uffa0'],
    ['variation selectors and tags', '\ufe0f\u{e0020}\u{e0100}'],
    ['annotation marks and dots that are not there', '\ufff9\ufffa\ufffb\u2800'],
    ['controls and overrides', '\u0000\u0007\u0085\u202e'],
    ['nothing', ''],
  ])('BUG-2: nothing can be seen of %s', (_of, text) => {
    expect(isBlank(text)).toBe(true);
    expect([read(cleanLine(0, 50), text), read(cleanProse(0, 50), text)]).toEqual(['', '']);
    for (const schema of [cleanLine, cleanProse, line, prose]) expect(read(schema(1, 50), text)).toBeNull();
  });

  it('BUG-2: what can be seen keeps the characters that hold it together', () => {
    for (const text of ['👩‍🚀', 'می‌خواهم', '.', '\u0301', '⠁', '−'])
      expect([isBlank(text), read(cleanProse(1, 50), text)]).toEqual([false, text]);
  });

  it('API-1: is a text', () => {
    for (const value of [undefined, null, 1, true, [], {}]) expect(read(line(0, 5), value)).toBeNull();
  });
});

describe('ids, times and versions', () => {
  it('API-1: an id is letters, digits, - and _', () => {
    for (const good of ['a', 'current', 'Ab-_9', 'x'.repeat(64)]) expect(read(id, good)).toBe(good);
    for (const bad of ['', 'x'.repeat(65), 'a/b', 'a.b', '../x', 'a b', 'ä', '%2e', 'a\n', 1, null])
      expect(read(id, bad)).toBeNull();
  });

  it('API-1: a time is whole milliseconds that a Date can hold', () => {
    for (const good of [0, 1_795_000_000_000, 8_640_000_000_000_000]) expect(read(instant, good)).toBe(good);
    for (const bad of [-1, 1.5, 8_640_000_000_000_001, Number.NaN, Number.POSITIVE_INFINITY, '0', null]) {
      expect(read(instant, bad)).toBeNull();
    }
  });

  it('API-1: a version is a whole number from 1', () => {
    for (const good of [1, Number.MAX_SAFE_INTEGER]) expect(read(version, good)).toBe(good);
    for (const bad of [0, -1, 1.5, 2 ** 53, '1', null, undefined]) expect(read(version, bad)).toBeNull();
  });
});
