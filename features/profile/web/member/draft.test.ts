import type { Profile } from '#features/profile/contract/profile.ts';
import { describe, expect, it } from 'vitest';
import {
  afterSaving,
  changedFields,
  draftOf,
  edit,
  fieldsToSave,
  readStoredDraft,
  rebase,
  settle,
  undecided,
  valuesOf,
} from './draft.ts';

const ada: Profile = {
  id: 'ada',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '1',
  organisation: '',
  jobTitle: '',
  locale: null,
  timeZone: null,
  avatar: 'old',
  createdAt: 0,
  version: 1,
};

describe('PRO-2: what is typed over a profile', () => {
  it('PRO-2: is a change only where it differs from what is stored, trimmed', () => {
    const draft = edit(edit(draftOf(ada), 'firstName', '  Ada '), 'phone', '2');
    expect(changedFields(draft)).toEqual(['phone']);
    expect(changedFields(edit(draft, 'phone', '1'))).toEqual([]);
  });

  it('PRO-1: is sent with everything else as it is, the picture too', () => {
    const { avatar, ...sent } = fieldsToSave(edit(draftOf(ada), 'locale', 'de'));
    expect(avatar).toBe('old');
    expect(sent).toMatchObject({ firstName: 'Ada', locale: 'de', timeZone: null });
  });

  it('PRO-2: stays after it was saved where it has been typed since', () => {
    const sent = edit(edit(draftOf(ada), 'phone', '2'), 'jobTitle', 'Analyst');
    const now = edit(sent, 'jobTitle', 'Analyst and poet');
    const stored = { ...ada, phone: '2', jobTitle: 'Analyst', version: 2 };
    const after = afterSaving(now, sent, stored);
    expect(changedFields(after)).toEqual(['jobTitle']);
    expect(valuesOf(after)).toMatchObject({ phone: '2', jobTitle: 'Analyst and poet' });
    expect(changedFields(afterSaving(sent, sent, stored))).toEqual([]);
  });
});

describe('PRO-1: what was saved elsewhere while the form was open', () => {
  const typed = edit(edit(draftOf(ada), 'phone', 'mine'), 'jobTitle', 'Analyst');
  const theirs = { ...ada, phone: 'theirs', lastName: 'King', avatar: 'new', version: 2 };

  it('PRO-1: what was typed stays on top of it, and the next save carries the newer version and picture', () => {
    const draft = rebase(typed, theirs, true);
    expect(draft.base.version).toBe(2);
    expect(fieldsToSave(draft)).toMatchObject({
      phone: 'mine',
      jobTitle: 'Analyst',
      lastName: 'King',
      avatar: 'new',
    });
  });

  it('PRO-1: the same field changed on both sides is to be decided; other fields are named', () => {
    const draft = rebase(typed, theirs, true);
    expect(draft.clashes).toEqual([{ field: 'phone', mine: 'mine', theirs: 'theirs', wanted: null }]);
    expect(draft.taken).toEqual(['lastName']);
    expect(undecided(draft)).toHaveLength(1);
    expect(rebase(typed, theirs, false).taken).toEqual([]);
  });

  it('PRO-1: the same value on both sides is no clash and no change', () => {
    const draft = rebase(typed, { ...ada, phone: ' mine ', jobTitle: 'Analyst', version: 2 }, true);
    expect([draft.clashes, changedFields(draft)]).toEqual([[], []]);
  });

  it('PRO-1: a clash is settled either way, and back', () => {
    const draft = rebase(typed, theirs, true);
    const taken = settle(draft, 'phone', 'theirs');
    expect([valuesOf(taken).phone, changedFields(taken), undecided(taken)]).toEqual([
      'theirs',
      ['jobTitle'],
      [],
    ]);
    const settled = settle(taken, 'phone', 'mine');
    expect([valuesOf(settled).phone, undecided(settled)]).toEqual(['mine', []]);
  });

  it('PRO-1: typing into the field settles it for what is typed', () => {
    const draft = edit(rebase(typed, theirs, true), 'phone', 'third');
    expect(undecided(draft)).toEqual([]);
    expect(settle(settle(draft, 'phone', 'theirs'), 'phone', 'mine').edits.phone).toBe('third');
  });

  it('PRO-1: a decision holds when something else changes after it, and not when the same field does', () => {
    const settled = settle(rebase(typed, theirs, true), 'phone', 'mine');
    const other = rebase(settled, { ...theirs, organisation: 'Portico', version: 3 }, false);
    expect(other.clashes).toMatchObject([{ field: 'phone', wanted: 'mine' }]);
    const again = rebase(settled, { ...theirs, phone: 'fourth', version: 3 }, false);
    expect(again.clashes).toEqual([{ field: 'phone', mine: 'mine', theirs: 'fourth', wanted: null }]);
  });
});

describe('MAINT-3: what was typed over a profile and stored over a reload', () => {
  const restored = (draft: unknown) => readStoredDraft(JSON.parse(JSON.stringify(draft)));
  const typed = edit(edit(draftOf(ada), 'phone', 'mine'), 'locale', null);

  it('MAINT-3 PRO-1: meets what was saved elsewhere as if the form had been open', () => {
    const theirs = { ...ada, phone: 'theirs', version: 2 };
    const found = restored(typed);
    expect(found).not.toBeNull();
    expect(rebase(found ?? typed, theirs, false)).toEqual(rebase(typed, theirs, false));
    expect(undecided(rebase(found ?? typed, theirs, false))).toHaveLength(1);
  });

  it('MAINT-3 PRO-1: what is not decided yet is not decided by a reload', () => {
    const clashing = rebase(typed, { ...ada, phone: 'theirs', version: 2 }, true);
    expect(undecided(restored(clashing) ?? typed)).toEqual(undecided(clashing));
    const decided = settle(clashing, 'phone', 'theirs');
    expect(valuesOf(restored(decided) ?? typed).phone).toBe('theirs');
  });

  it.each([
    [null],
    ['text'],
    [{}],
    [{ ...typed, base: { id: 'ada' } }],
    [{ ...typed, edits: { avatar: 'x' } }],
    [{ ...typed, edits: { phone: 7 } }],
    [{ ...typed, clashes: [{ field: 'phone', mine: 'a', theirs: 'b', wanted: 'both' }] }],
    [{ ...typed, clashes: [null] }],
  ])('MAINT-3: what another release has written is ignored: %j', (other) => {
    expect(readStoredDraft(other)).toBeNull();
  });
});
