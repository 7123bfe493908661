import { describe, expect, it } from 'vitest';
import { type DraftRules, edited, emptyDraft, isEmpty, mistakesIn } from './draft.ts';

const ada = { email: 'ada@example.org', name: 'Ada Lovelace' };
const optional: DraftRules = { email: false, name: false, message: true };
const allRequired: DraftRules = { email: true, name: true, message: true };
const draft = emptyDraft('1', ada);

describe('BUG-2: what keeps a draft from being sent', () => {
  it('BUG-2: the message is always required, name and email only by the options, in the order of the form', () => {
    const blank = emptyDraft('1', { email: ' ', name: '\t' });
    expect(mistakesIn(blank, optional)?.missing).toEqual(['message']);
    expect(mistakesIn(blank, allRequired)?.missing).toEqual(['email', 'name', 'message']);
    expect(mistakesIn({ ...blank, message: ' x ' }, optional)).toBeNull();
  });

  it.each(['nobody', 'a@', '@example.org', 'a b@example.org', 'a@-example.org'])(
    'BUG-2: %j is no email address',
    (email) => {
      expect(mistakesIn({ ...draft, message: 'x', email }, optional)?.wrong).toEqual({ email: 'ADDRESS' });
    },
  );

  it('BUG-2: an address with spaces around it is valid', () => {
    expect(mistakesIn({ ...draft, message: 'x', email: ' Ada@Example.org ' }, optional)).toBeNull();
  });

  it('BUG-2: a value that is too long is reported, not cut off', () => {
    const fits = { ...draft, message: ` ${'x'.repeat(4096)} `, name: 'n'.repeat(200) };
    expect(mistakesIn(fits, optional)).toBeNull();
    const long = { ...fits, message: 'x'.repeat(4097), name: 'n'.repeat(201) };
    expect(mistakesIn(long, optional)).toEqual({
      missing: [],
      wrong: { message: 'TOO_LONG', name: 'TOO_LONG' },
    });
  });
});

describe('BUG-5: the event id of a draft', () => {
  it('BUG-5: changes with every edit and with nothing else', () => {
    const typed = edited(draft, { message: 'x' }, () => '2');
    expect(typed).toMatchObject({ message: 'x', eventId: '2' });
    const sent = { ...typed, sentAlong: { url: '', context: {} } };
    expect(edited(sent, { message: 'x' }, () => '3')).toBe(sent);
    expect(edited(sent, { message: 'y' }, () => '3')).toMatchObject({ eventId: '3', sentAlong: null });
  });

  it('BUG-5: it is empty while it holds only what was known in advance', () => {
    expect(isEmpty(draft, ada)).toBe(true);
    expect(isEmpty({ ...draft, message: ' ' }, ada)).toBe(true);
    expect(isEmpty({ ...draft, email: 'other@example.org' }, ada)).toBe(false);
    expect(isEmpty({ ...draft, leftOut: ['browser'] }, ada)).toBe(false);
  });
});
