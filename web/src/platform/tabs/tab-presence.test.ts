import { expect, it } from 'vitest';
import { watchTabPresence } from './tab-presence.ts';

function setUp(visibilityState: DocumentVisibilityState = 'visible') {
  const page = Object.assign(new EventTarget(), { visibilityState });
  const frame = new EventTarget();
  const presence = watchTabPresence(frame as Window, page as unknown as Document);
  let returns = 0;
  presence.onReturn(() => (returns += 1));
  return {
    visible: () => presence.visible.get(),
    returns: () => returns,
    frame,
    turn(state: DocumentVisibilityState) {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
    },
  };
}

it('RIGHT-5: a tab returns when it is visible again, not when it is hidden', () => {
  const { visible, returns, turn } = setUp();
  expect(visible()).toBe(true);
  turn('hidden');
  expect([visible(), returns()]).toEqual([false, 0]);
  turn('visible');
  expect([visible(), returns()]).toEqual([true, 1]);
});

it('FLAG-8: a tab that is opened in the background is not visible', () => {
  expect(setUp('hidden').visible()).toBe(false);
});

it('RIGHT-5: a page returns from the back-forward cache, and is new where it is loaded', () => {
  const { returns, frame } = setUp();
  frame.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(returns()).toBe(0);
  frame.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(returns()).toBe(1);
});

it('RIGHT-5: a tab returns when the network is back', () => {
  const { returns, frame } = setUp();
  frame.dispatchEvent(new Event('online'));
  expect(returns()).toBe(1);
});
