import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import { type Difference, differences, fieldsOf, isObject, isPlain, sameJson } from './difference.ts';
import { wordDifference } from './difference-view.tsx';

/** The state after, made from the one before. */
function applied(value: unknown, { path: [name, ...path], before, after }: Difference): unknown {
  if (name === undefined) return after;
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      String(index) === name ? applied(item, { path, before, after }) : item,
    );
  if (!isObject(value)) throw new Error(`There is no ${name}.`);
  const field = applied(value[name], { path, before, after });
  const others = Object.entries(value).filter(([other]) => other !== name);
  return Object.fromEntries(field === undefined ? others : [...others, [name, field]]);
}

const json = fc.jsonValue({ maxDepth: 4 });

it('AUD-1: names the fields of objects in objects, and leaves conditions and lists whole', () => {
  const condition = { roles: { $in: ['operator'] } };
  expect(
    fieldsOf({ title: 'Upgrade', texts: { during: { en: 'Soon.' } }, condition, rules: [{ on: true }] }),
  ).toEqual([
    { path: ['title'], value: 'Upgrade' },
    { path: ['texts', 'during', 'en'], value: 'Soon.' },
    { path: ['condition'], value: condition },
    { path: ['rules'], value: [{ on: true }] },
  ]);
  expect(fieldsOf('gone')).toEqual([{ path: [], value: 'gone' }]);
});

describe('AUD-1: what differs between before and after', () => {
  it('AUD-1: makes the one state from the other, whatever they are', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const found = differences(before, after);
        expect(sameJson(found.reduce<unknown>(applied, before), after)).toBe(true);
        expect(differences(before, structuredClone(before))).toEqual([]);
      }),
    );
  });

  it('AUD-1: names only what differs, once, as deep as it can', () => {
    fc.assert(
      fc.property(json, json, json, (shared, before, after) => {
        fc.pre(!sameJson(before, after));
        const found = differences({ shared, changed: { before } }, { shared, changed: { before: after } });
        expect(found.length).toBeGreaterThan(0);
        for (const { path } of found) expect(path.slice(0, 2)).toEqual(['changed', 'before']);
        expect(new Set(found.map(({ path }) => JSON.stringify(path))).size).toBe(found.length);
      }),
    );
  });

  it('AUD-1: reads as an operator would put it', () => {
    expect(
      differences(
        { roles: ['member'], text: 'a', gone: 1, rules: [{ on: true, id: 1 }] },
        { roles: ['member', 'support'], text: 'b', new: null, rules: [{ on: false, id: 1 }] },
      ),
    ).toEqual([
      { path: ['roles'], before: ['member'], after: ['member', 'support'] },
      { path: ['text'], before: 'a', after: 'b' },
      { path: ['gone'], before: 1, after: undefined },
      { path: ['rules', '0', 'on'], before: true, after: false },
      { path: ['new'], before: undefined, after: null },
    ]);
    expect([isPlain(null), isPlain('x'), isPlain([]), isPlain({})]).toEqual([true, true, false, false]);
  });
});

describe('AUD-1: the changes of a text', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(fc.constantFrom('one', 'two', ' ', '\n', ',', 'ü', '👩‍🚀')).map((parts) => parts.join('')),
  );

  it('AUD-1: holds the old and the new text whole', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const found = wordDifference(before, after);
        const without = (kind: string) =>
          found
            .filter((stretch) => stretch.kind !== kind)
            .map((stretch) => stretch.text)
            .join('');
        expect([without('new'), without('gone')]).toEqual([before, after]);
        for (const [index, { kind, text: words }] of found.entries()) {
          expect(words).not.toBe('');
          expect(kind).not.toBe(found[index + 1]?.kind);
        }
        expect(wordDifference(before, before).every(({ kind }) => kind === 'same')).toBe(true);
      }),
    );
  });

  it('AUD-1: keeps the words that stayed', () => {
    expect(wordDifference('We close at noon, for an hour.', 'We close at one, for an hour.')).toEqual([
      { kind: 'same', text: 'We close at ' },
      { kind: 'gone', text: 'noon' },
      { kind: 'new', text: 'one' },
      { kind: 'same', text: ', for an hour.' },
    ]);
  });

  it('AUD-1: compares whole texts where they are too long for words, and stays right', () => {
    const before = Array.from({ length: 2_000 }, (_, index) => `a${index}`).join(' ');
    const after = Array.from({ length: 2_000 }, (_, index) => `b${index}`).join(' ');
    expect(wordDifference(before, after)).toEqual([
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]);
  });
});
