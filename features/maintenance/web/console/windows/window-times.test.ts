import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { createFormats } from '#web/platform/i18n/formats.ts';
import { shortTime, timeWords, utcWords } from '../../time-words.ts';
import { spanWords, withUtc } from './window-times.ts';

const berlin = createFormats('en-GB', 'Europe/Berlin');
const evening = Date.parse('2026-11-21T21:00Z');
const hour = 3_600_000;
/** The last part of a text's key, and its values. */
const words = ((key: string, values: Record<string, string>) =>
  [key.split('.').at(-1), ...Object.values(values)].join(' ')) as unknown as TFunction;
const plain = (text: string | null) => text?.replaceAll(/[\u2009\u202f\u00a0]/g, ' ') ?? null;

describe('MAINT-5: times in the zone of the reader and in UTC', () => {
  it('MAINT-5: leaves the date out in UTC where it is the same day', () => {
    const { time, utc } = spanWords(berlin, evening, evening + hour);
    expect([plain(time), plain(utc)]).toEqual(['21 Nov 2026, 22:00–23:00', '21:00–22:00']);
    expect(utcWords(berlin, evening)).toBe('21:00');
  });

  it('MAINT-5: shows a span in German without a word that a single time leaves out', () => {
    const { time, utc } = spanWords(createFormats('de', 'Europe/Berlin'), evening, evening + hour);
    expect([plain(time), plain(utc)]).toEqual(['21.11.2026, 22:00–23:00', '21:00–22:00']);
  });

  it('MAINT-5: shows the date in UTC where it is another day there', () => {
    const after = evening + 2.5 * hour;
    expect(plain(spanWords(berlin, after, after + hour).utc)).toContain('21 Nov 2026, 23:30');
    expect(plain(utcWords(berlin, after))).toBe('21 Nov 2026, 23:30');
  });

  it('MAINT-5: shows it once for a reader in UTC, and the time alone today', () => {
    for (const zone of ['UTC', 'Etc/UTC', 'Europe/London', 'Africa/Abidjan']) {
      const formats = createFormats('en-GB', zone);
      expect(spanWords(formats, evening, evening + hour).utc).toBeNull();
      expect(withUtc(words, timeWords(formats, evening, evening - hour))).toBe('ONLY_UTC 21:00');
    }
    expect(withUtc(words, timeWords(berlin, evening, evening - hour))).toBe('WITH_UTC 22:00 21:00');
    // London in summer is an hour ahead.
    const summer = Date.parse('2026-07-01T21:00Z');
    const london = timeWords(createFormats('en-GB', 'Europe/London'), summer, summer - hour);
    expect(withUtc(words, london)).toBe('WITH_UTC 22:00 21:00');
    expect(shortTime(berlin, evening, evening - hour)).toBe('22:00');
    expect(plain(shortTime(berlin, evening, evening - 24 * hour))).toBe('21 Nov 2026, 22:00');
  });
});
