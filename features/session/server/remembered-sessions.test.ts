import { describe, expect, it, vi } from 'vitest';
import type { PublishedChange, Topic } from '#server/platform/database/database.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { readCookie, readCookies } from './cookies.ts';
import { createRememberedSessions } from './remembered-sessions.ts';
import type { FoundSession, Sessions } from './sessions.ts';

const start = 1_800_000_000_000;
const minute = 60_000;

function rememberedOf(found: { current: FoundSession | null }) {
  const clock = movableClock(start);
  const listeners = new Map<Topic, (change: PublishedChange) => void>();
  const bySecret = vi.fn<() => Promise<FoundSession | null>>(() => Promise.resolve(found.current));
  const noteUse = vi.fn<Sessions['noteUse']>(() => Promise.resolve());
  const remembered = createRememberedSessions({
    ends: ['session'],
    feed: { on: (topic, listener) => void listeners.set(topic, listener) },
    clock,
    logger: createLogger('silent'),
    cookie: 'portico_session_a',
    idleMs: 30 * minute,
    sessions: { bySecret, noteUse },
  });
  const publish = (topic: Topic, key: string) =>
    listeners.get(topic)?.({ topic, key, revision: 1, at: clock.now() });
  const ask = (use = true) => remembered.callerOf('theirs=1; portico_session_a=secret', null, use);
  return { clock, bySecret, noteUse, remembered, publish, ask };
}

function miasSession(): FoundSession {
  const times = { createdAt: start, seenAt: start, expiresAt: start + 120 * minute };
  return {
    session: { id: 'one', personId: 'mia', idToken: '', ...times },
    caller: { kind: 'person', id: 'mia', name: 'mia@example.org', sessionId: 'one' },
  };
}

describe('a session that is remembered', () => {
  it('SES-1, GATE-1: is read once in five seconds, by one of those who ask at once', async () => {
    const { ask, bySecret, clock } = rememberedOf({ current: miasSession() });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect([one, other]).toEqual([miasSession().caller, miasSession().caller]);
    clock.move(4_999);
    expect(ask()).toEqual(miasSession().caller);
    expect(bySecret).toHaveBeenCalledTimes(1);
    clock.move(1);
    await ask();
    expect(bySecret).toHaveBeenCalledTimes(2);
  });

  it('SES-7, SES-8: is asked for again at once after its end, a change of its person, and one during the reading', async () => {
    const found: { current: FoundSession | null } = { current: miasSession() };
    const { ask, publish, bySecret } = rememberedOf(found);
    await ask();
    publish('person', 'sam');
    publish('session', 'another');
    expect(ask()).toEqual(miasSession().caller);
    publish('person', 'mia');
    await ask();
    expect(bySecret).toHaveBeenCalledTimes(2);
    found.current = null;
    publish('session', 'one');
    expect(await ask()).toBeNull();

    found.current = miasSession();
    const reading = ask();
    found.current = null;
    publish('session', 'one');
    expect(await reading).not.toBeNull();
    expect(await ask()).toBeNull();
  });

  it('SES-1: goes on while it is used, recorded once a minute, and ends idle or at its end', async () => {
    const found: { current: FoundSession | null } = { current: miasSession() };
    const { ask, noteUse, clock, remembered, publish } = rememberedOf(found);
    for (let second = 0; second < 120; second += 4) {
      await ask();
      clock.move(4_000);
    }
    expect(noteUse.mock.calls.map(([, at]) => at - start)).toEqual([minute]);
    await ask(false);
    expect(noteUse).toHaveBeenCalledTimes(1);
    // The use is also recorded when a change during the reading prevents caching.
    clock.move(minute);
    const reading = ask();
    publish('person', 'sam');
    await reading;
    expect(noteUse).toHaveBeenCalledTimes(2);
    await remembered.close();

    clock.move(30 * minute);
    found.current = null;
    expect(await ask()).toBeNull();
    found.current = miasSession();
    found.current.session.expiresAt = clock.now() + 1_000;
    await ask();
    clock.move(1_000);
    found.current = null;
    expect(await ask()).toBeNull();
  });

  it('GATE-1: without its cookie nothing is read, and odd cookies are read as everywhere', () => {
    const { remembered, bySecret } = rememberedOf({ current: miasSession() });
    for (const header of [undefined, '', 'a=1', 'portico_session_a=', 'x_portico_session_a=secret'])
      expect(remembered.callerOf(header, null, true)).toBeNull();
    expect(bySecret).not.toHaveBeenCalled();
    const name = 'portico_session_a';
    for (const header of [
      'portico_session_a=one; portico_session_a=two',
      'b=portico_session_a=two;portico_session_a=one',
      'x_portico_session_a=0;\t  portico_session_a=one ;c',
      `${'padding=x; '.repeat(200)}${name}=one`,
      '; ;=;portico_session_a=one=',
      'portico_session_ab=two',
    ])
      expect(readCookie(header, name)).toBe(readCookies(header).get(name));
  });
});
