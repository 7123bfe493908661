import { describe, expect, it } from 'vitest';
import { withoutPerson } from './erase-texts.ts';

const erasure = { personId: 'ada', emails: ['ada@example.org'], pseudonym: 'erased person 1' };
const row = {
  id: '1',
  at: 1,
  actor_kind: 'person',
  actor_id: 'other',
  actor_name: 'other@example.org',
  action: 'flag.update',
  subject: 'A_FLAG',
  before: null,
  after: '{"text":"a"}',
  search_key: '',
  client: 'Firefox 150',
  client_system: 'Windows',
};

describe('an entry of the audit without a person', () => {
  it('BUG-10: has no name of theirs where they did it, whatever they were called then', () => {
    expect(withoutPerson({ ...row, actor_id: 'ada', actor_name: 'Ada of old' }, erasure)).toMatchObject({
      actor_name: erasure.pseudonym,
      after: row.after,
      client: null,
      client_system: null,
    });
  });

  it('BUG-10: has no address of theirs where it names who did it without an id', () => {
    const byToken = { ...row, actor_kind: 'command-line', actor_id: null, actor_name: 'ada@example.org' };
    expect(withoutPerson(byToken, erasure)?.actor_name).toBe(erasure.pseudonym);
  });

  it('BUG-10: is as it was where others did something else', () => {
    expect(withoutPerson(row, erasure)).toBeNull();
    expect(withoutPerson({ ...row, actor_id: null, actor_name: 'joada@example.org' }, erasure)).toBeNull();
  });

  it('BUG-10: has no text about them but what was chosen from a list; figures and what is empty stay', () => {
    const before = { email: 'ada@old.example', lastName: '', age: 36, gone: null, right: 'MAP_VIEW' };
    const after = {
      names: ['Ada', ''],
      roles: ['support'],
      inner: { note: 'Lovelace', state: 'blocked', id: '7', personId: 'ada', createdBy: 'ada@example.org' },
      role: 'member',
      rights: { own: 'a word' },
    };
    const found = withoutPerson(
      { ...row, subject: 'ada', before: JSON.stringify(before), after: JSON.stringify(after) },
      erasure,
    );
    const name = erasure.pseudonym;
    expect(found?.actor_name).toBe('other@example.org');
    expect(JSON.parse(found?.before ?? '')).toEqual({ ...before, email: name });
    expect(JSON.parse(found?.after ?? '')).toEqual({
      names: [name, ''],
      roles: ['support'],
      inner: { note: name, state: 'blocked', id: '7', personId: 'ada', createdBy: name },
      role: 'member',
      rights: { own: name },
    });
    // A text alone, which is no field of anything, goes too.
    expect(withoutPerson({ ...row, subject: 'ada', after: '"Ada"' }, erasure)?.after).toBe(`"${name}"`);
    expect(withoutPerson({ ...row, subject: 'ada', after: '{"roles":["support"]}' }, erasure)).toBeNull();
  });

  it('BUG-10: about others loses their address alone, wherever it stands', () => {
    const about = {
      text: 'ask ada@example.org, or Ada',
      list: ['ADA@example.org', { by: 'joada@example.org' }],
    };
    const found = withoutPerson({ ...row, before: JSON.stringify(about), after: null }, erasure);
    const name = erasure.pseudonym;
    expect(found).toMatchObject({ actor_name: 'other@example.org', after: null });
    expect(JSON.parse(found?.before ?? '')).toEqual({
      text: `ask ${name}, or Ada`,
      list: [name, { by: 'joada@example.org' }],
    });
    expect(withoutPerson({ ...row, after: JSON.stringify(about.text) }, erasure)?.before).toBeNull();
  });
});
