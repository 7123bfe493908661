import { describe, expect, it } from 'vitest';
import { windowAt } from '../../testing/window.ts';
import { atOnce, isStricter } from './at-once.ts';

const minute = 60_000;
const now = Date.parse('2027-03-01T12:20Z');
const running = windowAt(now - 10 * minute, { mode: 'read-only', phase: 'active' });
const ahead = { ...running, startsAt: now + 30 * minute, phase: 'scheduled' } as const;

describe('MAINT-7: what takes effect at once is asked first', () => {
  it('MAINT-7: another mode of a window that is in force, on time or not', () => {
    const overdue = { ...running, endsAt: now - minute, endsByItself: false };
    expect(atOnce(running, { ...running, mode: 'full' }, running, now)).toBe('mode');
    expect(atOnce(overdue, { ...overdue, mode: 'announce' }, overdue, now)).toBe('mode');
    expect(atOnce(ahead, { ...ahead, mode: 'full' }, ahead, now)).toBeNull();
  });

  it('MAINT-7: a start within a minute, planned or moved, but none that comes anyway', () => {
    const near = { startsAt: now + 40_000, endsAt: now + 50 * minute };
    expect(atOnce(null, running, near, now)).toBe('begins');
    expect(atOnce(ahead, ahead, near, now)).toBe('begins');
    expect(atOnce({ ...ahead, ...near }, ahead, near, now)).toBeNull();
    expect(atOnce(null, running, ahead, now)).toBeNull();
  });

  it('MAINT-7: an end within a minute, and nothing about other changes while it lasts', () => {
    expect(atOnce(running, running, { ...running, endsAt: now + 30_000 }, now)).toBe('ends');
    expect(atOnce(running, running, { ...running, endsAt: now + 90 * minute }, now)).toBeNull();
  });

  it('MAINT-7: knows which mode keeps people from more', () => {
    expect(isStricter('full', 'read-only')).toBe(true);
    expect(isStricter('announce', 'full')).toBe(false);
    expect(isStricter('read-only', null)).toBe(true);
    expect(isStricter('announce', null)).toBe(false);
  });
});
