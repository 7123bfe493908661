/** A part of a JSON text that a parser reads as another value, or leaves out. */
export type JsonLoss = {
  /** A JSON pointer (RFC 6901) to the part in the parsed value. */
  pointer: string;
  /** Where the part begins in the text. */
  at: number;
  /** The part as it is written. */
  found: string;
  /**
   * `too_big`, `inexact`: a number that JavaScript cannot hold, or holds as another one. `duplicate`: a name that its
   * object has twice. `reserved`: a name that leads to the prototype of objects.
   */
  code: 'too_big' | 'inexact' | 'duplicate' | 'reserved';
};

/** An open list (without `names`) or object; `name` is null where a name comes next. */
type Level = { names: Set<string> | null; name: string | null; index: number };

const mostLosses = 20;

/**
 * Lists the first 20 parts of a valid JSON text (RFC 8259) that do not survive `JSON.parse`. Numbers are compared
 * as decimals: `1.0` and `0.1` survive, `0.10000000000000001` and `-0` do not. One pass without recursion.
 */
export function jsonLosses(text: string): JsonLoss[] {
  const losses: JsonLoss[] = [];
  const open: Level[] = [];

  const add = (at: number, found: string, code: JsonLoss['code']): void => {
    const steps = open.map(({ names, name, index }) => (names === null ? String(index) : (name ?? '')));
    const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    losses.push({ pointer, at, found, code });
  };

  for (let at = 0; at < text.length && losses.length < mostLosses; at += 1) {
    const character = text.charAt(at);
    const level = open.at(-1);
    if (character === '"') {
      const end = endOfText(text, at);
      if (level !== undefined && level.names !== null && level.name === null) {
        const written = text.slice(at, end + 1);
        const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
        const above = open.at(-2);
        level.name = name;
        if (level.names.has(name)) add(at, written, 'duplicate');
        else if (name === '__proto__' || (name === 'prototype' && above?.name === 'constructor'))
          add(at, written, 'reserved');
        level.names.add(name);
      }
      at = end;
    } else if (character === '{') open.push({ names: new Set(), name: null, index: 0 });
    else if (character === '[') open.push({ names: null, name: null, index: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && level !== undefined) {
      level.name = null;
      level.index += 1;
    } else if (character === '-' || isDigit(character)) {
      let end = at + 1;
      while (end < text.length && (isDigit(text.charAt(end)) || '.eE+-'.includes(text.charAt(end)))) end += 1;
      const found = text.slice(at, end);
      const code = numberLoss(found);
      if (code !== null) add(at, found, code);
      at = end - 1;
    }
  }
  return losses;
}

/** How JavaScript fails to hold a number as JSON writes it, or as a person types it (`+.5`); null where it holds it. */
export function numberLoss(written: string): 'too_big' | 'inexact' | null {
  const value = Number(written);
  const shown = String(value);
  if (shown === written) return null;
  if (!Number.isFinite(value)) return 'too_big';
  return decimalOf(shown) === decimalOf(written) ? null : 'inexact';
}

/** A canonical spelling of a decimal number: its sign, its digits without zeros at either end, and its exponent. */
function decimalOf(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(?:\+|(-?))(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  if (end === 0) return `${sign}0`;
  return `${sign}${digits.slice(0, end).replace(/^0+/, '')}e${Number(exponent) - fraction.length + digits.length - end}`;
}

function endOfText(text: string, quote: number): number {
  let at = quote + 1;
  for (; at < text.length && text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === '\\') at += 1;
  return at;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
