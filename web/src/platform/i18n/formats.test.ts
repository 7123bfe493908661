import { describe, expect, it } from 'vitest';
import { createFormats, regionalLocale, waitIn } from './formats.ts';

const at = Date.UTC(2026, 10, 21, 21, 0);

describe('LOOK-3: dates and numbers by locale and time zone', () => {
  it('LOOK-3: writes a time in the zone of the person', () => {
    expect(createFormats('en-GB', 'Europe/Berlin').dateTime(at)).toBe('21 Nov 2026, 22:00');
    expect(createFormats('de', 'America/New_York').dateTime(at)).toBe('21.11.2026, 16:00');
    expect(createFormats('fr', 'Europe/Paris').dateTime(at)).toBe('21 nov. 2026, 22:00');
  });

  it('LOOK-3: the exact time leaves no zone to guess', () => {
    expect(createFormats('en-GB', 'Europe/Berlin').exact(at)).toMatch(
      /Saturday.*21 November 2026.*22:00:00.*CET/,
    );
  });

  it('LOOK-3: relative times, each way, in words where there are words', () => {
    const { relative } = createFormats('en-GB', 'UTC');
    expect(relative(at, at + 20_000)).toBe('now');
    expect(relative(at, at + 61_000)).toBe('1 minute ago');
    expect(relative(at, at - 95 * 60_000)).toBe('in 2 hours');
    expect(relative(at, at - 59.8 * 60_000)).toBe('in 1 hour');
    expect(relative(at, at + 23.9 * 3_600_000)).toBe('yesterday');
    expect(relative(at, at - 179 * 60_000)).toBe('in 3 hours');
    expect(relative(at, at + 30 * 3_600_000)).toBe('2 days ago');
    expect(createFormats('en-GB', 'Europe/Moscow').relative(at, at + 30 * 3_600_000)).toBe('yesterday');
    expect(relative(at, at + 40 * 86_400_000)).toBe('21 Nov 2026');
    expect(createFormats('de', 'UTC').relative(at, at + 86_400_000)).toBe('gestern');
    expect(createFormats('fr', 'UTC').relative(at, at - 86_400_000)).toBe('demain');
  });

  it('LOOK-3: a duration is rounded up to minutes', () => {
    const { duration } = createFormats('en-GB', 'UTC');
    expect(duration(61_000)).toBe('2 mins');
    expect(duration(3_600_000)).toBe('1 hr');
    expect(duration(72 * 60_000)).toBe('1 hr 12 mins');
    expect(duration(-5)).toMatch(/^0 mins?$/);
  });

  it('LOOK-3: a wait is said in seconds below a minute', () => {
    const waits = (locale: string) =>
      [-5, 6_001, 7_000, 59_001, 90_000].map((wait) => waitIn(createFormats(locale, 'UTC'), wait));
    expect(waits('en-GB')).toEqual(['0 secs', '7 secs', '7 secs', '1 min', '2 mins']);
    expect(waits('de')[2]).toBe('7 Sek.');
    expect(waits('fr')[2]).toMatch(/^7.s$/);
  });

  it('LOOK-3: numbers and lists', () => {
    expect(createFormats('de', 'UTC').number(12345.6)).toBe('12.345,6');
    expect(createFormats('fr', 'UTC').list(['a', 'b', 'c'])).toBe('a, b et c');
  });

  it('LOOK-3: a zone that the browser does not know is not an error', () => {
    expect(createFormats('en-GB', 'Mars/Olympus').timeZone).not.toBe('Mars/Olympus');
  });

  it("LOOK-3: takes the browser's own form of the language", () => {
    expect(regionalLocale('en', ['de-DE', 'en-US'])).toBe('en-US');
    expect(regionalLocale('en', ['de-DE'])).toBe('en-GB');
    expect(regionalLocale('de', ['en'])).toBe('de');
  });
});
