import { expect, it } from 'vitest';
import { browserInWords } from './browser-in-words.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0.0.0 Safari/537.36`, 'Chrome 156', 'Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
    'Edge 156',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0',
    'Firefox 150',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
    'Safari 19.1',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1',
    'Chrome 156',
    'iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 16) ${webkit} SamsungBrowser/30.0 Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet 30',
    'Android',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/156.0.0.0 Safari/537.36`,
    'Chrome 156',
    'ChromeOS',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/156.0.0.0 Safari/537.36`, 'Chrome 156', 'Linux'],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0.0.0 Safari/537.36 Vivaldi/8.1`,
    'Vivaldi 8',
    'Linux',
  ],
  ['curl/8.5.0', null, null],
  [`${'('.repeat(100_000)} Firefox/1`, null, null],
  ['', null, null],
])('BUG-8 SES-3: names browser and system: %s', (userAgent, browser, system) => {
  expect(browserInWords(userAgent)).toEqual({ browser, system });
  const name = browser?.replace(/ [\d.]+$/, '') ?? null;
  expect(browserInWords(userAgent, { version: false })).toEqual({ browser: name, system });
});
