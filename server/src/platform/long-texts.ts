import { isAscii } from 'node:buffer';
import { HttpProblem } from './http-problem.ts';
import { newId } from './ids.ts';

/** Texts from here on are set aside: base64, in practice. */
const longText = 16_384;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
// RFC 8259, 7: JSON takes none of them as they are.
const control = /[\u0000-\u001f]/;

/**
 * Reads a JSON body that is large for the few long texts in it. They are cut out of the bytes before the parser sees
 * them: so the parser's work and memory are bounded by what is left, where 12 MiB of brackets would hold up everybody
 * for two seconds and take 350 MB. The value is the one that the parser would have given for the whole.
 *
 * @param parse reads what is left, as text
 * @param most bytes that may be left; more is TOO_LARGE
 */
export function parseWithLongTexts(body: Buffer, parse: (rest: string) => unknown, most: number): unknown {
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
    if (close < body.length && close - open > longText && isMember(body, open)) {
      const text = plainText(body.subarray(open + 1, close));
      if (text !== null) {
        const name = `${mark}-${texts.size}`;
        leave(open);
        left.push(`"${name}"`);
        texts.set(name, text);
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

/** Whether a text is the value of an object's member: a name or an element of a list stays where it is. */
function isMember(body: Buffer, open: number): boolean {
  let before = open - 1;
  while (body[before] === 0x20 || body[before] === 0x09 || body[before] === 0x0a || body[before] === 0x0d)
    before -= 1;
  return body[before] === colon;
}

/** What stands between two quotes, or null where the parser has to read it: escapes, and what JSON does not take. */
function plainText(bytes: Buffer): string | null {
  if (bytes.includes(backslash)) return null;
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
  return control.test(text) ? null : text;
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
