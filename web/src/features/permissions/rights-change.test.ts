import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagRights } from './flag-rights.ts';
import { rightsChange, silencingRight } from './rights-change.ts';

const nobody = new Set<string>();
const lists = fc.array(fc.constantFrom<string[]>('A', 'B', 'C', 'D', 'FF_X', 'FF_MAINTENANCE'));
const serverRights = (list: readonly string[]) => list.filter((right) => !right.startsWith('FF_'));

describe('RIGHT-6: what the warning says', () => {
  it('RIGHT-6: names what was gained and lost, sorted', () => {
    expect(rightsChange(['B', 'A'], ['D', 'C', 'B'], nobody)).toEqual({ gained: ['C', 'D'], lost: ['A'] });
  });

  it('RIGHT-6: without a list before it there is no change', () => {
    expect(rightsChange(null, ['A'], nobody)).toBeNull();
    expect(rightsChange([], ['A'], nobody)).toEqual({ gained: ['A'], lost: [] });
  });

  it('RIGHT-6: a change while FF_MAINTENANCE is held is taken over silently', () => {
    expect(rightsChange(['A'], [], new Set([silencingRight]))).toBeNull();
    expect(silencingRight).toBe('FF_MAINTENANCE');
  });

  it('RIGHT-6: order, repeats and FF_ rights are no change', () => {
    expect(rightsChange(['A', 'B'], ['B', 'A', 'A', 'FF_NEW'], nobody)).toBeNull();
  });

  it('RIGHT-6: what was held, less what was lost, with what was gained, is what is held now', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const { gained, lost } = rightsChange(before, after, nobody) ?? { gained: [], lost: [] };
        const now = new Set([...serverRights(before).filter((right) => !lost.includes(right)), ...gained]);
        expect(now).toEqual(new Set(serverRights(after)));
        expect(gained.filter((right) => lost.includes(right) || before.includes(right))).toEqual([]);
      }),
    );
  });

  it('RIGHT-6: going back says the opposite', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const there = rightsChange(before, after, nobody);
        const back = rightsChange(after, before, nobody);
        expect(back).toEqual(there && { gained: there.lost, lost: there.gained });
      }),
    );
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
