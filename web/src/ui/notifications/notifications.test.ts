import { describe, expect, it } from 'vitest';
import { createNotifications, type Timing } from './notifications.ts';

/** Time that moves when the test moves it. */
function manualTiming(): Timing & { pass: (milliseconds: number) => void } {
  let now = 0;
  const waiting = new Set<{ at: number; act: () => void }>();
  return {
    now: () => now,
    after(milliseconds, act) {
      const entry = { at: now + milliseconds, act };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    pass(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const next = [...waiting].filter((entry) => entry.at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting.delete(next);
        now = next.at;
        next.act();
      }
      now = until;
    },
  };
}

function setUp() {
  const timing = manualTiming();
  const store = createNotifications(timing);
  return { ...timing, ...store, titles: () => store.current().map((one) => one.title) };
}

describe('NOTE-1: notifications', () => {
  it('NOTE-1: one closes after 4500 ms and not before', () => {
    const { notify, pass, titles } = setUp();
    notify({ kind: 'success', title: 'Saved' });
    pass(4499);
    expect(titles()).toEqual(['Saved']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  it('NOTE-1: duration 0 stays until it is closed', () => {
    const { notify, dismiss, pass, titles } = setUp();
    const key = notify({ kind: 'warning', title: 'Stay', duration: 0 });
    pass(86_400_000);
    expect(titles()).toEqual(['Stay']);
    dismiss(key);
    expect(titles()).toEqual([]);
  });

  it('NOTE-1: the newest stands on top', () => {
    const { notify, titles } = setUp();
    notify({ kind: 'info', title: 'first' });
    notify({ kind: 'info', title: 'second' });
    expect(titles()).toEqual(['second', 'first']);
  });

  it('NOTE-1: the same key replaces in place and restarts its time', () => {
    const { notify, pass, titles } = setUp();
    notify({ kind: 'info', title: 'old', key: 'k' });
    notify({ kind: 'info', title: 'other' });
    pass(4000);
    notify({ kind: 'success', title: 'new', key: 'k' });
    expect(titles()).toEqual(['other', 'new']);
    pass(4499);
    expect(titles()).toEqual(['new']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  it('NOTE-1: a replacement lasts as long as it asks for, longer or shorter than the one before', () => {
    const { notify, pass, titles } = setUp();
    notify({ kind: 'info', title: 'short', key: 'k', duration: 1000 });
    notify({ kind: 'info', title: 'long', key: 'k', duration: 10_000 });
    pass(9999);
    expect(titles()).toEqual(['long']);
    notify({ kind: 'info', title: 'short again', key: 'k', duration: 1000 });
    pass(999);
    expect(titles()).toEqual(['short again']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  it('NOTE-1: a replacement that is sticky stays, and one that is not starts its time', () => {
    const { notify, pass, titles } = setUp();
    notify({ kind: 'info', title: 'passing', key: 'k' });
    pass(4000);
    notify({ kind: 'error', title: 'sticky', key: 'k', duration: 0 });
    pass(60_000);
    expect(titles()).toEqual(['sticky']);
    notify({ kind: 'success', title: 'passing again', key: 'k' });
    pass(4499);
    expect(titles()).toEqual(['passing again']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  it('NOTE-1: only the one that is held stands still, and goes on with what was left', () => {
    const { notify, hold, release, pass, titles } = setUp();
    const held = notify({ kind: 'info', title: 'held' });
    notify({ kind: 'info', title: 'other' });
    pass(4000);
    hold(held);
    pass(60_000);
    expect(titles()).toEqual(['held']);
    release(held);
    pass(499);
    expect(titles()).toEqual(['held']);
    pass(1);
    expect(titles()).toEqual([]);
  });

  it.each([
    ['one that passes', 4500],
    ['a sticky one', 0],
  ])(
    'NOTE-1: what replaces %s while it is held waits with its whole time for the release',
    (_case, duration) => {
      const { notify, hold, release, pass, titles } = setUp();
      hold(notify({ kind: 'info', title: 'held', key: 'k', duration }));
      pass(3000);
      notify({ kind: 'info', title: 'replaced', key: 'k' });
      pass(60_000);
      expect(titles()).toEqual(['replaced']);
      release('k');
      pass(4499);
      expect(titles()).toEqual(['replaced']);
      pass(1);
      expect(titles()).toEqual([]);
    },
  );

  it('NOTE-1: a sticky replacement stays, also where the one before was held and is released', () => {
    const { notify, hold, release, pass, titles } = setUp();
    hold(notify({ kind: 'info', title: 'held', key: 'k' }));
    notify({ kind: 'error', title: 'sticky', key: 'k', duration: 0 });
    release('k');
    pass(86_400_000);
    expect(titles()).toEqual(['sticky']);
  });

  it('NOTE-1: one that is closed while it is held leaves nothing to the next with its key', () => {
    const { notify, hold, dismiss, pass, titles } = setUp();
    hold(notify({ kind: 'info', title: 'held', key: 'k' }));
    dismiss('k');
    notify({ kind: 'info', title: 'next', key: 'k' });
    pass(4500);
    expect(titles()).toEqual([]);
  });

  it('NOTE-1: above eight the oldest that is not sticky goes', () => {
    const { notify, titles } = setUp();
    notify({ kind: 'warning', title: 'sticky', duration: 0 });
    for (let index = 1; index <= 8; index += 1) notify({ kind: 'info', title: `${index}` });
    expect(titles()).toEqual(['8', '7', '6', '5', '4', '3', '2', 'sticky']);
  });

  it('NOTE-1: there are never more than eight, even where all are sticky', () => {
    const { notify, titles } = setUp();
    for (let index = 1; index <= 9; index += 1) notify({ kind: 'error', title: `${index}`, duration: 0 });
    expect(titles()).toEqual(['9', '8', '7', '6', '5', '4', '3', '2']);
  });

  it('NOTE-1: the caller is notified once that it is closed', () => {
    const { notify, pass } = setUp();
    let closed = 0;
    notify({ kind: 'success', title: 'Sent', duration: 5000, onClose: () => (closed += 1) });
    pass(10_000);
    expect(closed).toBe(1);
  });
});
