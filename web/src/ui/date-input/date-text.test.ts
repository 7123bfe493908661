import { describe, expect, it } from 'vitest';
import { dateOf, pastedDate, textOf, type To } from './date-text.ts';

const british = ['day', 'month', 'year', 'hour', 'minute'] as const;
const american = ['month', 'day', 'year', 'hour', 'minute'] as const;
const noon = { hour: 12, minute: 0 };

describe('LOOK-3: dates by the habits of the locale', () => {
  it.each<[string, To, string | null]>([
    ['2026-11-24T22:30', 'minute', '2026-11-24T22:30'],
    ['2026-11-24T22:30', 'day', '2026-11-24'],
    ['2026-11-24', 'minute', '2026-11-24T00:00'],
    ['2026-02-31', 'day', null],
    ['tomorrow', 'day', null],
    ['', 'minute', null],
  ])('reads the value “%s” of a field for a %s as %s', (value, to, expected) => {
    const date = dateOf(value, to);
    expect(date === null ? null : textOf(date, to)).toBe(expected);
  });

  it.each<[string, readonly (typeof british)[number][], string | null]>([
    ['24.11.2026, 22:30', british, '2026-11-24T22:30'],
    [' 24/11/26 ', british, '2026-11-24T12:00'],
    ['11/24/2026, 10:30 PM', american, '2026-11-24T22:30'],
    ['11/24/2026 12:05 a.m.', american, '2026-11-24T00:05'],
    ['2026-11-24 07:15:30', british, '2026-11-24T07:15'],
    ['2026-11-24T07:15Z', american, '2026-11-24T07:15'],
    ['11/24/2026', british, null],
    ['31.02.2026', british, null],
    ['24.11.2026 24:00', british, null],
    ['24.11.', british, null],
    ['next week', british, null],
  ])('reads the pasted “%s”', (text, order, expected) => {
    const date = pastedDate(text, 'minute', order, noon);
    expect(date === null ? null : textOf(date, 'minute')).toBe(expected);
  });
});
