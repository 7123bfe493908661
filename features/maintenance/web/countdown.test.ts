import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countdownText, announcedMinutes, untilNextText } from './countdown.ts';

const minute = 60_000;

describe('MAINT-3: the countdown', () => {
  it('MAINT-3: is a clock, rounded up, until a day is left', () => {
    expect(countdownText(12 * minute + 4_000)).toBe('12:04');
    expect(countdownText(59_001)).toBe('1:00');
    expect(countdownText(1)).toBe('0:01');
    expect(countdownText(0)).toBe('0:00');
    expect(countdownText(-5_000)).toBe('0:00');
    expect(countdownText(72 * minute + 4_000)).toBe('1:12:04');
    expect(countdownText(24 * 60 * minute)).toBeNull();
  });

  it('MAINT-3: moves on at the second and not between', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_399_999 }), (left) => {
        const wait = untilNextText(left);
        expect(countdownText(left - wait + 1)).toBe(countdownText(left));
        expect(countdownText(left - wait)).not.toBe(countdownText(left));
      }),
    );
  });
});

describe('MAINT-3: what is spoken of the countdown', () => {
  it('MAINT-3: 60, 15, 5 and 1 minutes before the end, each once, whatever the steps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 200 }), (steps) => {
        let before = 61 * minute;
        const spoken: number[] = [];
        for (const step of steps) {
          const left = before - step;
          const minutes = announcedMinutes(before, left);
          if (minutes !== null) spoken.push(minutes);
          before = left;
        }
        const passed = [60, 15, 5, 1].filter((minutes) => before <= minutes * minute);
        expect(spoken).toEqual(passed);
      }),
    );
  });

  it('MAINT-3: after a sleep or another plan what is left, and nothing once it is over or when it is put off', () => {
    expect(announcedMinutes(70 * minute, 4 * minute)).toBe(4);
    expect(announcedMinutes(173 * minute, 6 * minute + 8_000)).toBe(6);
    expect(announcedMinutes(70 * minute, -1)).toBeNull();
    expect(announcedMinutes(4 * minute, 64 * minute)).toBeNull();
    expect(announcedMinutes(0, 4 * minute)).toBeNull();
  });
});
