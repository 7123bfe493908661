import type { Work } from './regex-match.ts';

/**
 * Converts a value of a person for GrowthBook's conditions: to a text, a number or a version. The SDK uses
 * JavaScript's own conversions; these are the same, but bounded in length: null where the value is longer, or
 * cannot be converted at all.
 */

/** Texts of people that are longer than this, in UTF-16 units, are not compared with anything. */
export const longestText = 2_048;

const longestVersion = 256;

/** Converts a JSON value to a text as JavaScript does in `value + ""`; null if it is too long or has no text. */
export function textOf(value: unknown, longest = longestText): string | null {
  if (typeof value === 'string') return value.length > longest ? null : value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return joined(value, longest);
  // A function that every object inherits, such as `constructor`, which a path can name.
  if (typeof value === 'function') return String(value);
  // JSON can hold {"toString": 1}, which JavaScript cannot turn into a text.
  return typeof value === 'object' && !('toString' in value && typeof value.toString !== 'function')
    ? '[object Object]'
    : null;
}

function joined(list: readonly unknown[], longest: number): string | null {
  let text = '';
  for (const [index, each] of list.entries()) {
    const part = each === null ? '' : textOf(each, longest);
    if (part === null) return null;
    text += index === 0 ? part : `,${part}`;
    if (text.length > longest) return null;
  }
  return text;
}

/** Converts a value to a number as JavaScript does in `value * 1`; null if `textOf` answers null. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (value === null || typeof value === 'boolean') return Number(value);
  const text = textOf(value);
  return text === null ? null : Number(text);
}

/** Pads a version so that its numbers compare as numbers, like the SDK's `paddedVersionString`. */
export function versionText(value: unknown): string | null {
  const given = typeof value === 'number' ? String(value) : value;
  const text = typeof given === 'string' && given !== '' ? given : '0';
  if (text.length > longestVersion) return null;
  const parts = withoutBuild(text.startsWith('v') ? text.slice(1) : text).split(/[-.]/);
  if (parts.length === 3) parts.push('~');
  return parts.map((part) => (/^[0-9]+$/.test(part) ? part.padStart(5, ' ') : part)).join('-');
}

/** Removes what `/\+.*$/` would match, in one pass. */
function withoutBuild(text: string): string {
  let plus = text.length;
  for (let at = text.length - 1; at >= 0 && !/[\n\r\u2028\u2029]/.test(text.charAt(at)); at -= 1)
    if (text[at] === '+') plus = at;
  return text.slice(0, plus);
}

/** Whether a value has at most `most` characters, entries and members together, so it is cheap to serialize. */
export function isWithin(most: number, value: unknown, work?: Work): boolean {
  let left = most;
  const open = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    if (typeof next === 'string') left -= next.length;
    if (typeof next !== 'object' || next === null) continue;
    const names = Array.isArray(next) ? [] : Object.keys(next);
    // Listing the names of a large object takes long, even if the object turns out to be too large.
    if (work !== undefined) work.left -= 5 * names.length;
    left -= names.join(' ').length + (Array.isArray(next) ? next.length : 0);
    if (left >= 0) open.push(...(Object.values(next) as unknown[]));
  }
  return left >= 0;
}
