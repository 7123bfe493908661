import type { MailLanguage } from './mail.store.ts';

/** A part of a mail: one paragraph, or a link. */
export type MailPart =
  | { text: string }
  /** Text that another person wrote, with its line breaks. */
  | { quote: string }
  /** A button in HTML, the address in plain text. */
  | { action: string; link: string }
  /** The address to copy if the button does not work; in HTML only. */
  | { copy: string; link: string };

export type MailContent = {
  language: MailLanguage;
  subject: string;
  parts: readonly MailPart[];
  product: string;
  /** The address of the installation that sends the mail. */
  address: string;
};

/** Subject, plain text and simple HTML of a mail. */
export function composeMail({ language, subject, parts, product, address }: MailContent): {
  subject: string;
  text: string;
  html: string;
} {
  return {
    subject,
    text: [...parts.flatMap(plainText), `${product}\n${address}`].join('\n\n') + '\n',
    html: [
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>`,
      '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px">',
      ...parts.map(htmlOf),
      `<p style="margin:24px 0 0;color:#666">${safe(product)}<br>${safe(address)}</p>`,
      '</div></body></html>',
    ].join(''),
  };
}

function plainText(part: MailPart): string[] {
  if ('text' in part) return [part.text];
  if ('quote' in part) return [part.quote.replaceAll(/^/gm, '> ')];
  return 'action' in part ? [part.link] : [];
}

function htmlOf(part: MailPart): string {
  if ('text' in part) return paragraph(safe(part.text));
  if ('quote' in part) {
    return `<blockquote style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #0f5c62;white-space:pre-wrap">${withLinks(part.quote)}</blockquote>`;
  }
  if ('copy' in part) {
    return paragraph(`${safe(part.copy)}<br><span style="word-break:break-all">${safe(part.link)}</span>`);
  }
  return paragraph(
    `<a href="${safe(part.link)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#0f5c62;color:#fff;text-decoration:none">${safe(part.action)}</a>`,
  );
}

/** Turns web addresses into links, without the punctuation of the sentence after them. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/i)
    .map((part, index) => (index % 2 === 0 ? safe(part) : `<a href="${safe(part)}">${safe(part)}</a>`))
    .join('');
}

function safe(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function paragraph(inside: string): string {
  return `<p style="margin:0 0 16px">${inside}</p>`;
}
