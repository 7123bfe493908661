import { describe, expect, it } from 'vitest';
import { warnedAt } from './warned-at.ts';

describe('MAINT-7: since when people have been warned', () => {
  it('MAINT-7: by the warning or the clock, and still so after a change and after the start', () => {
    expect(
      warnedAt([
        { at: 40, deed: 'started', phase: 'active' },
        { at: 30, deed: 'changed', phase: 'imminent' },
        { at: 20, deed: 'warned', phase: 'imminent' },
        { at: 10, deed: 'planned', phase: 'scheduled' },
      ]),
    ).toBe(20);
    expect(warnedAt([{ at: 15, deed: 'phase', phase: 'imminent' }])).toBe(15);
  });

  it('MAINT-7: anew where the start was put off, and not at all where it was started without a warning', () => {
    expect(
      warnedAt([
        { at: 20, deed: 'warned', phase: 'imminent' },
        { at: 30, deed: 'changed', phase: 'scheduled' },
        { at: 50, deed: 'phase', phase: 'imminent' },
      ]),
    ).toBe(50);
    expect(
      warnedAt([
        { at: 10, deed: 'planned', phase: 'scheduled' },
        { at: 20, deed: 'started', phase: 'active' },
      ]),
    ).toBeNull();
  });
});
