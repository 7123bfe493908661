import { expect, it } from 'vitest';
import { gateView } from './gate-view.ts';

it('MAINT-4: a person who has passed through stays until it is known that they may not', () => {
  const full = { on: true, mode: 'full' } as const;
  expect(gateView(full, false, true, true)).toBe('page');
  expect(gateView(full, true, true, true)).toBe('passed');
  expect(gateView(full, true, false, false)).toBe('passed');
  expect(gateView(full, true, false, true)).toBe('page');
  expect(gateView({ on: false, mode: 'read-only' }, false, false, true)).toBe('read-only');
  expect(gateView({ on: false, mode: 'off' }, true, true, true)).toBe('open');
});
