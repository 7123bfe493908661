import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { describe, expect, it } from 'vitest';
import { byDay, dayWords } from './by-day.ts';

const at = (time: string) => Date.parse(time);
const entry = (time: string) => ({ id: time, at: at(time) }) as AuditEntry;

describe('AUD-2: the audit by days', () => {
  it('AUD-2: a day is that of the person’s zone, also where the clock is put back', () => {
    const entries = ['2026-10-26T08:00Z', '2026-10-25T23:30Z', '2026-10-25T22:30Z', '2026-10-24T22:30Z'].map(
      entry,
    );
    expect(byDay(entries, 'Europe/Berlin').map(({ day, entries: made }) => [day, made.length])).toEqual([
      ['2026-10-26', 2],
      ['2026-10-25', 2],
    ]);
    expect(byDay(entries, 'UTC').map(({ day }) => day)).toEqual(['2026-10-26', '2026-10-25', '2026-10-24']);
    expect(byDay([], 'UTC')).toEqual([]);
  });

  it('AUD-2: today and yesterday are named, in each language', () => {
    const now = at('2026-11-23T23:30Z');
    const german = { locale: 'de', timeZone: 'Europe/Berlin' };
    expect(dayWords('2026-11-24', now, german)).toBe('Heute, 24. November 2026');
    expect(dayWords('2026-11-23', now, german)).toBe('Gestern, 23. November 2026');
    expect(dayWords('2026-11-22', now, german)).toBe('Sonntag, 22. November 2026');
    expect(dayWords('2026-11-23', now, { locale: 'en-GB', timeZone: 'UTC' })).toBe('Today, 23 November 2026');
  });
});
