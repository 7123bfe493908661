import { describe, expect, it } from 'vitest';
import { createMemory } from '../../testing/browser.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import type { SessionState } from '../contexts.tsx';
import { createStoredWork } from './stored-work.ts';
import { createStore } from '../state/store.ts';

const mia: SessionState = { status: 'signed-in', personId: 'mia' };
const noor: SessionState = { status: 'signed-in', personId: 'noor' };

function setUp(memory = createMemory(), first: SessionState = mia, shared = createMemory()) {
  const clock = createManualClock();
  const place = () => ({ what: 'Profile', address: '/profile' });
  const session = createStore<SessionState>({ status: 'starting' });
  let leave = () => {};
  const work = createStoredWork({
    memory,
    shared,
    place,
    clock,
    session,
    onLeaving: (listener) => (leave = listener),
  });
  session.set(first);
  return { memory, shared, clock, session, work, leave: () => leave() };
}

describe('MAINT-3: typed-in work', () => {
  it('MAINT-3: is found again after a reload, written a moment after the last change or when the page goes', async () => {
    const { memory, clock, work, leave } = setUp();
    work.write('flag:A', '{"text":"one"}');
    work.write('flag:A', '{"text":"two"}');
    expect(setUp(memory).work.find('flag:A')).toBeUndefined();
    await clock.pass(300);
    expect(setUp(memory).work.find('flag:A')).toEqual({ text: 'two' });
    work.write('invitation', '{"email":"x"}');
    leave();
    const again = setUp(memory).work;
    expect(again.find('invitation')).toEqual({ email: 'x' });
    again.forget('invitation');
    again.forget('flag:A');
    expect(setUp(memory).work.find('invitation')).toBeUndefined();
    expect(memory.read('portico.stored-work')).toBeNull();
  });

  it('MAINT-3: what is forgotten before it was written is not written', async () => {
    const { memory, clock, work, leave } = setUp();
    work.write('flag:A', '{}');
    work.forget('flag:A');
    leave();
    await clock.pass(1_000);
    expect(memory.read('portico.stored-work')).toBeNull();
  });

  it('MAINT-3: outlives a session that ended, also what is typed at that moment', () => {
    const { memory, session, work } = setUp();
    work.write('profile', '{"phone":"1"}');
    session.set({ status: 'signed-out', reason: 'ended' });
    work.flush();
    expect(setUp(memory).work.find('profile')).toEqual({ phone: '1' });
  });

  it('MAINT-3: is gone when the person signs out, in this tab or another, and nothing is stored after it', () => {
    for (const ending of [
      { status: 'signing-out' },
      { status: 'signed-out', reason: 'signed-out', takesWork: true },
    ] as const) {
      const { memory, session, work, leave } = setUp();
      work.write('profile', '{"phone":"1"}');
      leave();
      work.write('profile', '{"phone":"2"}');
      session.set(ending);
      work.write('profile', '{"phone":"3"}');
      leave();
      session.set(noor);
      leave();
      expect(memory.read('portico.stored-work')).toBeNull();
    }
  });

  it('SES-7: stays in a tab that did not answer at a sign-out that stores drafts, for that person alone', () => {
    const { memory, session, work } = setUp();
    work.write('profile', '{"phone":"1"}');
    session.set({ status: 'signed-out', reason: 'signed-out', takesWork: false });
    work.flush();
    expect(setUp(memory).work.find('profile')).toEqual({ phone: '1' });
    expect(setUp(memory, noor).work.find('profile')).toBeUndefined();
    expect(memory.read('portico.stored-work')).toBeNull();
  });

  it('SES-7: what was discarded in another tab is not found again in one that did not run, and what is typed later is', () => {
    const sleeping = createMemory();
    const before = setUp(sleeping);
    before.work.write('profile', '{"phone":"1"}');
    before.leave();
    const { shared, work } = setUp();
    work.discardAll();
    expect(setUp(sleeping, noor, shared).work.find('profile')).toBeUndefined();
    before.work.write('profile', '{"phone":"1"}');
    before.leave();
    const after = setUp(sleeping, mia, shared);
    expect(after.work.find('profile')).toBeUndefined();
    after.clock.sleep(1);
    after.work.write('profile', '{"phone":"2"}');
    after.leave();
    expect(setUp(sleeping, mia, shared).work.all()).toEqual([
      { name: 'profile', work: { phone: '2' }, what: 'Profile', address: '/profile' },
    ]);
  });

  it('SES-7: what is typed after a sign-out is found again, also when the clock was put back in between', () => {
    const { memory, shared, clock, work, leave } = setUp();
    work.discardAll();
    clock.sleep(-3_600_000);
    work.write('profile', '{"phone":"2"}');
    leave();
    expect(setUp(memory, mia, shared).work.find('profile')).toEqual({ phone: '2' });
  });

  it('MAINT-3: belongs to one person, and is gone once another is there', () => {
    const { memory, work, leave } = setUp();
    work.write('profile', '{"phone":"1"}');
    leave();
    const other = setUp(memory, noor);
    expect(other.work.find('profile')).toBeUndefined();
    expect(memory.read('portico.stored-work')).toBeNull();
  });

  it('MAINT-3: what cannot be read is ignored', () => {
    for (const broken of ['{', '[]', '3', '{"person":"mia"}', '{"person":"mia","works":7}']) {
      const memory = createMemory();
      memory.write('portico.stored-work', broken);
      expect(setUp(memory).work.find('profile')).toBeUndefined();
    }
  });
});
