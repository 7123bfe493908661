import { expect, it } from 'vitest';
import { composeMail } from './compose-mail.ts';

const htmlOf = (quote: string) =>
  composeMail({ language: 'en', subject: 's', parts: [{ quote }], product: 'P', address: 'a' }).html;

it.each([
  [
    'see https://example.org/a?b=1&c=2.',
    'see <a href="https://example.org/a?b=1&#38;c=2">https://example.org/a?b=1&#38;c=2</a>.',
  ],
  [
    '(http://x.org/), HTTPS://Y.org!',
    '(<a href="http://x.org/">http://x.org/</a>), <a href="HTTPS://Y.org">HTTPS://Y.org</a>!',
  ],
  [
    '<a href="javascript:x">javascript:x</a>',
    '&#60;a href=&#34;javascript:x&#34;&#62;javascript:x&#60;/a&#62;',
  ],
  ['http://x.org/"onclick="x', '<a href="http://x.org/">http://x.org/</a>&#34;onclick=&#34;x'],
  ['https:// and http', 'https:// and http'],
])('BUG-9: web addresses in a quoted text are links: %s', (quote, html) => {
  expect(htmlOf(quote)).toContain(`pre-wrap">${html}</blockquote>`);
});
