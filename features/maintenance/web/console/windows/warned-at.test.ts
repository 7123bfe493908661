import { describe, expect, it } from 'vitest';
import { warnedAt } from './warned-at.ts';

describe('MAINT-7: since when people have been warned', () => {
  it('MAINT-7: by the warning or the clock, and still so after a change and after the start', () => {
    expect(
      warnedAt([
        { id: '40', at: 40, deed: 'started', phase: 'active' },
        { id: '30', at: 30, deed: 'changed', phase: 'imminent' },
        { id: '20', at: 20, deed: 'warned', phase: 'imminent' },
        { id: '10', at: 10, deed: 'planned', phase: 'scheduled' },
      ]),
    ).toBe(20);
    // Planned within its lead time: both are written in one change, and listed with the last first.
    expect(
      warnedAt([
        { id: '12-1', at: 12, deed: 'phase', phase: 'imminent' },
        { id: '12-0', at: 12, deed: 'planned', phase: 'scheduled' },
      ]),
    ).toBe(12);
    expect(warnedAt([{ id: '15', at: 15, deed: 'phase', phase: 'imminent' }])).toBe(15);
  });

  it('MAINT-7: again where the start was put off, and not at all where it was started without a warning', () => {
    expect(
      warnedAt([
        { id: '20', at: 20, deed: 'warned', phase: 'imminent' },
        { id: '30', at: 30, deed: 'changed', phase: 'scheduled' },
        { id: '50', at: 50, deed: 'phase', phase: 'imminent' },
      ]),
    ).toBe(50);
    expect(
      warnedAt([
        { id: '10', at: 10, deed: 'planned', phase: 'scheduled' },
        { id: '20', at: 20, deed: 'started', phase: 'active' },
      ]),
    ).toBeNull();
  });
});
