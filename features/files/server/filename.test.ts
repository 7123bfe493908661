import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import { cleanFilename } from './filename.ts';

const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const nasty = fc.string({
  unit: fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 3 }),
    fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      ' ',
      '\0',
      '\u202e',
      '\ufeff',
      '\r\n',
      ':',
      '"',
      'CON',
      'nul',
      'COM1',
      '.txt',
      '\ud800',
      'e\u0301',
      '\u0301',
      '👩‍🚀',
      'x'.repeat(150),
    ),
  ),
  maxLength: 12,
});

describe('the name of a file', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['  Bericht  für  März.pdf ', 'Bericht für März.pdf'],
    ['../../x', 'x'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Users\\me\\a.txt', 'a.txt'],
    ['a/..', 'a'],
    ['..', 'file'],
    ['', 'file'],
    ['\u0000', 'file'],
    ['a\u0000.png', 'a.png'],
    ['a\r\nSet-Cookie: b=c.txt', 'a Set-Cookie_ b=c.txt'],
    ['invoice\u202egnp.exe', 'invoicegnp.exe'],
    ['\u200bzero\ufeff.txt', 'zero.txt'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['Com1 .txt', '_Com1 .txt'],
    ['console.txt', 'console.txt'],
    ['.htaccess', 'htaccess'],
    ['...a.b..', 'a.b'],
    ['a<b>:"|?*.txt', 'a_b______.txt'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['lone\ud800.txt', 'lone\ufffd.txt'],
    ['👩‍🚀.png', '👩‍🚀.png'],
    [`${'x'.repeat(10_000)}.jpeg`, `${'x'.repeat(195)}.jpeg`],
    [`${'x'.repeat(194)}👩.jpeg`, `${'x'.repeat(194)}.jpeg`],
    [`a.${'x'.repeat(10_000)}`, `a.${'x'.repeat(198)}`],
  ])('FILE-1: %j becomes %j', (sent, expected) => {
    expect(cleanFilename(sent)).toBe(expected);
  });

  it('FILE-1: takes no time that grows with the square of what was sent', () => {
    const { user: before } = process.cpuUsage();
    expect(cleanFilename(`a${'.'.repeat(200_000)}x.png`)).toMatch(/x\.png$|^a\.+\.png$/);
    expect(cleanFilename(`a${'\u0301\u0316'.repeat(100_000)}.png`)).toMatch(/\.png$/);
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });

  it('FILE-1: is harmless, whatever was sent, and stays as it is when it is cleaned again', () => {
    fc.assert(
      fc.property(nasty, (sent) => {
        const name = cleanFilename(sent);
        expect(name.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(200);
        expect(name.isWellFormed()).toBe(true);
        expect(name).not.toMatch(
          /[/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/,
        );
        expect(name).not.toMatch(/^[. ]|[. ]$/);
        expect(name).not.toMatch(device);
        expect(cleanFilename(name)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });
});
