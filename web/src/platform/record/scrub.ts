/*
 * Removes from texts of a page what must not be in a bug report (BUG-7): tokens, passwords, addresses of
 * people, numbers, queries, values. In doubt it removes too much.
 */

/** The most characters of a text that are read; the rest is dropped. */
const longestText = 1000;

const email = '[email]';
const number = '[number]';
const removed = '[removed]';

const address = /\b[a-z][a-z0-9+.-]*:\/\/\S*/gi;
const inlineData = /\b(?:data|blob):\S+/gi;
const credentials = /\b(bearer|basic)\s+\S+/gi;
/** Matches only from the beginning of a name: trying each letter of the name would take long. */
const secret =
  /(?<![\w-])(?=[\w-]*(?:passw|pwd|token|secret|authoriz|cookie|session|api[-_]?key|credential))([\w-]+["'”]?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|\S+)/gi;
/** A percent-encoded `@` in an email address counts too. */
const emails = /\S+(?:[@＠]|%40)\S+/giu;
/** Queries and fragments, except a number as in `error #418`. */
const query = /(?!(?<=\s)#\d{1,4}[;,.:]?(?:\s|$))[?#]\S*/g;
const assigned = /([\w.-]+)=(?:"[^"]*"|'[^']*'|\S+)/g;
const typographicQuotes = /(?:“[^”]*”|„[^“”]*[“”]|«[^»]*»|‹[^›]*›)/g;
const doubleQuotes = /"[^"]*"|`[^`]*`/g;
const singleQuotes = /(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;
const identifier = /^.[\w$.:-]{1,40}.$/;
/** Letters, digits and what stands between them in tokens of all kinds (RFC 4648, 7519, 9562). */
const runs = /[\p{L}\p{N}_+~%=-]+(?:[./]+[\p{L}\p{N}_+~%=-]+)*/gu;
const digits = /\+?\p{Nd}(?:[\s().,:/-]{0,2}\p{Nd}){5,}/gu;

export type ScrubOptions = {
  /** The longest result in UTF-16 units. */
  most: number;
  /** Texts that must not come through, such as a person's name or what is typed into fields. */
  words?: readonly string[];
};

/** Returns the text without what a bug report must not contain, on one line, cut to at most `most`. */
export function scrub(text: string, { most, words = [] }: ScrubOptions): string {
  // Drops a word that the cut would split, since it could no longer be recognised.
  const read = text.length <= longestText ? text : text.slice(0, longestText).replace(/\S*$/, '');
  const scrubbed = withoutWords(read, words)
    .replaceAll(address, hostAndPath)
    .replaceAll(inlineData, removed)
    .replaceAll(credentials, `$1 ${removed}`)
    .replaceAll(secret, `$1${removed}`)
    .replaceAll(emails, email)
    .replaceAll(query, '')
    .replaceAll(assigned, `$1=${removed}`)
    .replaceAll(typographicQuotes, quoted)
    .replaceAll(doubleQuotes, quoted)
    .replaceAll(singleQuotes, quoted)
    .replaceAll(runs, (run) => (isTokenLike(run) ? removed : run))
    .replaceAll(digits, number)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cut(scrubbed, most);
}

/** The text in at most `most` UTF-16 units, with an ellipsis where it was longer. */
export function cut(text: string, most: number): string {
  const whole = text.toWellFormed();
  return whole.length <= most ? whole : `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function withoutWords(text: string, words: readonly string[]): string {
  let left = text;
  for (const word of words) {
    const trimmed = word.trim();
    // A shorter word would match inside other words; a word longer than the text cannot be in it.
    if (trimmed.length >= 3 && trimmed.length <= left.length)
      left = left.replaceAll(new RegExp(escaped(trimmed), 'giu'), removed);
  }
  return left;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Reduces an address to scheme, host and masked path: no user name, password, query or fragment. */
function hostAndPath(text: string): string {
  const [, scheme = '', rest = ''] = /^([^:]+):\/\/(.*)$/.exec(text) ?? [];
  const [place = ''] = rest.split(/[?#]/, 1);
  const [authority = '', ...segments] = place.split('/');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const path = segments.length === 0 ? '' : maskedPath(`/${segments.join('/')}`);
  return `${scheme}://${isHost(host) ? host : removed}${path}`;
}

function isHost(text: string): boolean {
  return /^[a-z0-9.-]{1,100}(?::\d{1,5})?$/i.test(text) && !text.split('.').some(isTokenLike);
}

/** Keeps a quoted name of a program, which the message is about; removes other quotes, which may be values. */
function quoted(text: string): string {
  if (identifier.test(text) && !isTokenLike(text.slice(1, -1))) return text;
  return `${text[0] ?? ''}…${text.at(-1) ?? ''}`;
}

/** Whether a run looks like a token, in one part or as a whole: base64 with slashes may have only short parts. */
function isTokenLike(run: string): boolean {
  return run.split(/[./]/).some(isTokenPart) || isTokenPart(run.replaceAll(/[./]/g, ''));
}

/** Whether a part is long and no word: it has digits among its letters, or as many capitals as small letters. */
function isTokenPart(part: string): boolean {
  const letters = part.match(/\p{L}/gu)?.length ?? 0;
  const numbers = part.match(/\p{N}/gu)?.length ?? 0;
  if (part.length >= 10 && numbers >= 2 && letters > 0) return true;
  if (part.length < 16) return false;
  const capitals = part.match(/\p{Lu}/gu)?.length ?? 0;
  const isMixed = capitals >= letters * 0.3 && capitals <= letters * 0.7;
  return numbers > 0 || isMixed || letters > 40;
}

const wordSegment = /^(?:[a-z]{1,24}|[A-Z]{1,24}|[A-Z][a-z]{1,23})(?:[_-](?:[a-z]{1,24}|[A-Z]{1,24})){0,4}$/;
const versionSegment = /^v\d{1,2}$/;

/**
 * A path without ids: each segment that is not a plain word is `:id`.
 *
 * @param path without query and fragment
 */
export function maskedPath(path: string): string {
  const segments = path.split(/[?#]/, 1)[0]?.split('/') ?? [];
  const masked = segments.map((segment) => (isPlainSegment(segment) ? segment : ':id'));
  return cut(masked.join('/'), 200);
}

/** Whether a part of an address is a word of the application, not an id or a name that was typed. */
export function isPlainSegment(segment: string): boolean {
  return segment === '' || wordSegment.test(segment) || versionSegment.test(segment);
}
