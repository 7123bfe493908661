import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNotice, parseNotice, severities } from './maintenance.ts';

const severity = fc.constantFrom(...severities);

describe('MAINT-1: the text of the notice', () => {
  it.each([
    ['MEDIUM:Tonight at ten.', 'Tonight at ten.', 'MEDIUM'],
    ['INFO:New map.', 'New map.', 'INFO'],
    ['HIGH:Search is slow.', 'Search is slow.', 'HIGH'],
    ['Search is slow.', 'Search is slow.', 'HIGH'],
    ['INFO: spaced ', 'spaced', 'INFO'],
    ['INFO:a:b', 'a:b', 'INFO'],
    ['info:lower case', 'info:lower case', 'HIGH'],
    ['INFO :no', 'INFO :no', 'HIGH'],
    ['LOW:unknown', 'LOW:unknown', 'HIGH'],
    ['Note: a colon', 'Note: a colon', 'HIGH'],
    [':nothing before', ':nothing before', 'HIGH'],
    ['HIGH:MEDIUM:twice', 'MEDIUM:twice', 'HIGH'],
  ])('MAINT-1: %j reads as %j, %s', (value, maintenanceText, maintenanceTextSeverity) => {
    expect(parseNotice(value)).toEqual({ maintenanceText, maintenanceTextSeverity });
  });

  it.each(['', '   ', 'MEDIUM:', 'INFO:  \n '])('MAINT-1: %j is no text', (value) => {
    expect(parseNotice(value).maintenanceText).toBe('');
    expect(formatNotice(parseNotice(value))).toBe('');
  });

  it('MAINT-1: whatever is written is read back, trimmed; blank text is no notice', () => {
    fc.assert(
      fc.property(severity, fc.string({ unit: 'grapheme' }), (maintenanceTextSeverity, text) => {
        const value = formatNotice({ maintenanceText: text, maintenanceTextSeverity });
        const maintenanceText = text.trim();
        expect(parseNotice(value)).toEqual({
          maintenanceText,
          maintenanceTextSeverity: maintenanceText === '' ? 'HIGH' : maintenanceTextSeverity,
        });
      }),
    );
  });

  it('MAINT-1: texts that look like a severity survive the way there and back', () => {
    const parts = fc.array(fc.constantFrom(...severities, ':', ' ', 'x'), { maxLength: 6 });
    fc.assert(
      fc.property(severity, parts, (maintenanceTextSeverity, pieces) => {
        const maintenanceText = pieces.join('').trim();
        fc.pre(maintenanceText !== '');
        const notice = { maintenanceText, maintenanceTextSeverity };
        expect(parseNotice(formatNotice(notice))).toEqual(notice);
      }),
    );
  });

  it('MAINT-1: reading any value and writing it again settles at once', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const once = formatNotice(parseNotice(value));
        expect(formatNotice(parseNotice(once))).toBe(once);
      }),
    );
  });
});
