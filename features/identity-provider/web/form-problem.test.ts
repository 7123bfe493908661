import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waitInWords } from './form-problem.tsx';

describe('SES-3: how long a slowed sign-in has to wait, in words', () => {
  it.each([
    [1, 'en', '1 second'],
    [1000, 'en', '1 second'],
    [1001, 'en', '2 seconds'],
    [119_000, 'en', '119 seconds'],
    [119_001, 'en', '2 minutes'],
    [900_000, 'en', '15 minutes'],
    [900_001, 'en', '16 minutes'],
    [120_000, 'de', '2 Minuten'],
    [1000, 'de', '1 Sekunde'],
    [120_000, 'fr', '2 minutes'],
    [0, 'en', '1 second'],
    [-5, 'en', '1 second'],
  ])('SES-3: %i ms in %s is %s', (milliseconds, language, words) => {
    expect(waitInWords(milliseconds, language)).toBe(words);
  });

  it('SES-3: never promises too early a time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_600_000 }), (milliseconds) => {
        const [value = '', unit = ''] = waitInWords(milliseconds, 'en').split(' ');
        const shown = Number(value) * (unit.startsWith('minute') ? 60_000 : 1000);
        expect(shown).toBeGreaterThanOrEqual(milliseconds);
      }),
    );
  });
});
