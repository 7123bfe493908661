import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagRights } from './permissions.ts';
import { rightsChange, silencingRight, unreadChange } from './rights-change.ts';

const none = new Set<string>();
const lists = fc.array(fc.constantFrom<string[]>('A', 'B', 'C', 'D', 'FF_X', 'FF_MAINTENANCE'));
const serverRights = (list: readonly string[]) => list.filter((right) => !right.startsWith('FF_'));

describe('RIGHT-6: the text of the warning', () => {
  it('RIGHT-6: names what was gained and lost, sorted', () => {
    expect(rightsChange(['B', 'A'], ['D', 'C', 'B'])).toEqual({ gained: ['C', 'D'], lost: ['A'] });
  });

  it('RIGHT-6: without a list before it there is no change', () => {
    expect(rightsChange(null, ['A'])).toBeNull();
    expect(rightsChange([], ['A'])).toEqual({ gained: ['A'], lost: [] });
  });

  it('RIGHT-6: order, repeats and FF_ rights are no change', () => {
    expect(rightsChange(['A', 'B'], ['B', 'A', 'A', 'FF_NEW'])).toBeNull();
  });

  it('RIGHT-6: what was held, less what was lost, with what was gained, is what is held now', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const { gained, lost } = rightsChange(before, after) ?? { gained: [], lost: [] };
        const now = new Set([...serverRights(before).filter((right) => !lost.includes(right)), ...gained]);
        expect(now).toEqual(new Set(serverRights(after)));
        expect(gained.filter((right) => lost.includes(right) || before.includes(right))).toEqual([]);
      }),
    );
  });

  it('RIGHT-6: the change back gives the opposite', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const there = rightsChange(before, after);
        const back = rightsChange(after, before);
        expect(back).toEqual(there && { gained: there.lost, lost: there.gained });
      }),
    );
  });

  it('RIGHT-6: many unread changes read as one from the first list to the last', () => {
    fc.assert(
      fc.property(lists, fc.array(lists, { minLength: 1 }), (first, following) => {
        const all = [first, ...following];
        const shown = following.reduce<ReturnType<typeof rightsChange>>((unread, list, index) => {
          const next = rightsChange(all[index] ?? null, list);
          return next === null ? unread : unreadChange(unread, next, none);
        }, null);
        expect(shown).toEqual(rightsChange(first, all.at(-1) ?? []));
      }),
    );
  });

  it('RIGHT-6: while FF_MAINTENANCE is held a change adds nothing, and takes away what is no longer true', () => {
    const silent = new Set([silencingRight]);
    expect(silencingRight).toBe('FF_MAINTENANCE');
    expect(unreadChange(null, { gained: ['A'], lost: ['B'] }, silent)).toBeNull();
    const unread = { gained: ['A'], lost: ['B', 'C'] };
    expect(unreadChange(unread, { gained: ['B', 'D'], lost: ['E'] }, silent)).toEqual({
      gained: ['A'],
      lost: ['C'],
    });
    expect(unreadChange(unread, { gained: ['B', 'C'], lost: ['A'] }, silent)).toBeNull();
  });
});

describe('RIGHT-7: rights from flags', () => {
  it('RIGHT-7: FF_<FLAG> for enabled local flags and for remote ones whose default is true itself', () => {
    const features = {
      ON: { defaultValue: true },
      OFF: { defaultValue: false },
      TEXT: { defaultValue: 'true' },
      NUMBER: { defaultValue: 1 },
      NOTHING: { defaultValue: null },
      WITHOUT: {},
      RULED: { defaultValue: false, rules: [{ force: true }] },
    };
    expect(flagRights(['LOCAL'], features)).toEqual(['FF_LOCAL', 'FF_ON']);
  });
});
