import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { press } from '../../testing/key-press.ts';
import { screens } from '../../features.ts';
import { bestFirst, distance, typedWords } from './match.ts';
import { type KeySituation, shortcutOf } from './shortcut-keys.ts';

const calm: KeySituation = { chord: 'ctrlKey', typing: false, letters: true, waiting: false };

describe('CON-3: keys on every screen', () => {
  it('CON-3: Ctrl K opens the palette, while one types too; on computers of Apple ⌘ K does, and not Ctrl K', () => {
    const ctrl = press('k', { ctrlKey: true });
    const command = press('k', { metaKey: true });
    expect(shortcutOf(ctrl, { ...calm, typing: true, letters: false })).toEqual({ do: 'palette' });
    expect(shortcutOf(command, calm)).toBeNull();
    expect(shortcutOf(command, { ...calm, chord: 'metaKey' })).toEqual({ do: 'palette' });
    expect(shortcutOf(ctrl, { ...calm, chord: 'metaKey' })).toBeNull();
    expect(shortcutOf(press('k', { ctrlKey: true, shiftKey: true }), calm)).toBeNull();
  });

  it('CON-3: / searches, ? lists the keys, and a letter after g opens a screen', () => {
    expect(shortcutOf(press('/'), calm)).toEqual({ do: 'search' });
    expect(shortcutOf(press('?', { shiftKey: true }), calm)).toEqual({ do: 'help' });
    expect(shortcutOf(press('g'), calm)).toEqual({ do: 'wait-for-letter' });
    expect(shortcutOf(press('f'), { ...calm, waiting: true })).toEqual({ do: 'go', letter: 'f' });
    expect(shortcutOf(press('F'), { ...calm, waiting: true })).toEqual({ do: 'go', letter: 'f' });
    expect(shortcutOf(press('f'), calm)).toBeNull();
    // No key after g is for the screen as well.
    expect(shortcutOf(press('z'), { ...calm, waiting: true })).toEqual({ do: 'go', letter: 'z' });
  });

  it('CON-3: single letters and signs do nothing while one types, with a modifier, or switched off (WCAG 2.1.4)', () => {
    const quiet: Partial<KeySituation>[] = [{ typing: true }, { letters: false }];
    for (const key of ['g', '/', '?', 'f']) {
      for (const situation of quiet)
        expect(shortcutOf(press(key), { ...calm, waiting: true, ...situation })).toBeNull();
      for (const held of [{ altKey: true }, { metaKey: true }, { isComposing: true }])
        expect(shortcutOf(press(key, held), { ...calm, waiting: true })).toBeNull();
    }
  });

  it('CON-3: no two screens have the same letter', () => {
    const letters = screens.flatMap(({ letter = [] }) => letter);
    expect(letters).toContain('f');
    expect(new Set(letters).size).toBe(letters.length);
  });
});

describe('CON-3: what fits the typed words', () => {
  const found = (typed: string, ...labels: string[]) =>
    bestFirst(
      labels.map((label) => ({ label })),
      typedWords(typed),
    ).map(({ label }) => label);

  it('CON-3: the beginning counts more than the beginning of a word, and that more than its middle', () => {
    expect(found('re', 'My reports', 'Start here', 'Reports', 'Map')).toEqual([
      'Reports',
      'My reports',
      'Start here',
    ]);
  });

  it('CON-3: case and accents do not count, and all words must fit', () => {
    expect(found('reglages', 'Réglages')).toEqual(['Réglages']);
    expect(found('my rep', 'My reports', 'Reports')).toEqual(['My reports']);
    expect(found('', 'B', 'A')).toEqual(['B', 'A']);
  });

  it('CON-3: other words than the name find it too, after those whose name fits', () => {
    expect(distance('Database upgrade', ['upgrade'], 'later')).toBeLessThan(
      distance('Database', ['upgrade'], 'An upgrade'),
    );
  });

  it('CON-3: whatever is typed finds a text that is the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        expect(distance(text, typedWords(text))).not.toBe(Number.POSITIVE_INFINITY);
      }),
    );
  });
});
