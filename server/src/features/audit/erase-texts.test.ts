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
};

describe('an entry of the audit without a person', () => {
  it('BUG-10: has no name of theirs where they did it, whatever they were called then', () => {
    expect(withoutPerson({ ...row, actor_id: 'ada', actor_name: 'Ada of old' }, erasure)).toMatchObject({
      actor_name: erasure.pseudonym,
      after: row.after,
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
});
