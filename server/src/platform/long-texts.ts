import { isAscii } from 'node:buffer';
import { HttpProblem } from './http-problem.ts';
import { newId } from './ids.ts';

/** Texts from here on are set aside: base64, in practice. */
const longText = 16_384;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

export type LongTexts = {
  /** The name of the members that hold them. */
  member: string;
  /** Bytes that the body may have beside them; more is TOO_LARGE. */
  most: number;
};

/**
 * Reads a JSON body that is large for the few long texts in it. They are cut out of the bytes before the parser sees
 * them: so the work and the memory of the parser, and of all that look at other texts, are bounded by what is left,
 * where 12 MiB of brackets would hold up everybody for two seconds and take 350 MB. The value is the one that the
 * parser would have given for the whole. Only of a long text it is not asked whether it has control characters, which
 * JSON takes none of as they are (RFC 8259, 7): looking for them takes longer than all the rest, and who reads a long
 * text has a rule for it.
 *
 * @param parse reads what is left, as text
 */
export function parseWithLongTexts(
  body: Buffer,
  parse: (rest: string) => unknown,
  { member, most }: LongTexts,
): unknown {
  const name = Buffer.from(JSON.stringify(member));
  const texts = new Map<string, string>();
  const mark = newId();
  const left: string[] = [];
  let bytes = 0;
  let from = 0;

  function leave(to: number): void {
    bytes += to - from;
    if (bytes > most) {
      throw new HttpProblem('TOO_LARGE', { detail: `Beside its long texts it has more than ${most} bytes.` });
    }
    left.push(body.toString('utf8', from, to));
  }

  for (let open = body.indexOf(quote); open >= 0;) {
    const close = endOfText(body, open);
    if (close < body.length && close - open > longText && isValueOf(name, body, open)) {
      const text = plainText(body.subarray(open + 1, close));
      if (text !== null) {
        const standIn = `${mark}-${texts.size}`;
        leave(open);
        left.push(`"${standIn}"`);
        texts.set(standIn, text);
        from = close + 1;
      }
    }
    if (bytes + close - from > most) break;
    open = body.indexOf(quote, close + 1);
  }
  leave(body.length);
  return putBack(parse(left.join('')), texts);
}

/** Where the text that begins at a quote has its other quote; the end of the body where it has none. */
function endOfText(body: Buffer, open: number): number {
  for (let close = body.indexOf(quote, open + 1); close >= 0; close = body.indexOf(quote, close + 1)) {
    let before = close;
    while (body[before - 1] === backslash) before -= 1;
    if ((close - before) % 2 === 0) return close;
  }
  return body.length;
}

/** Whether the text that begins at a quote is the value of a member with this name, as it is written with its quotes. */
function isValueOf(name: Buffer, body: Buffer, open: number): boolean {
  const end = skipBlanks(body, open);
  if (body[end - 1] !== colon) return false;
  const nameEnd = skipBlanks(body, end - 1);
  const nameStart = nameEnd - name.length;
  // An escaped quote begins no name.
  return nameStart > 0 && body[nameStart - 1] !== backslash && body.subarray(nameStart, nameEnd).equals(name);
}

/** Where the blanks before a place begin (RFC 8259, 2). */
function skipBlanks(body: Buffer, end: number): number {
  let before = end;
  while ([0x20, 0x09, 0x0a, 0x0d].includes(body[before - 1] ?? 0)) before -= 1;
  return before;
}

/** What stands between two quotes, or null where the parser has to read it, since it has escapes. */
function plainText(bytes: Buffer): string | null {
  return bytes.includes(backslash) ? null : bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Without recursion: what is left may be nested deeper than the stack is. */
function putBack(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (texts.size === 0) return value;
  const open: unknown[] = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [name, member] of Object.entries(each)) {
      const text = typeof member === 'string' ? texts.get(member) : undefined;
      if (text !== undefined) (each as Record<string, unknown>)[name] = text;
      else if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return value;
}
