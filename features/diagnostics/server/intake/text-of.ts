import { cleaned } from '#contract/text.ts';
import { filtered, isSecretName, withoutSecrets } from './secrets.ts';

/** How many characters of a value are still read. */
export type Budget = { characters: number };

/** Limits of one value: characters of each text and name, entries of each list and object, levels. */
const most = { text: 2_000, name: 100, entries: 100, levels: 6 };

/**
 * A value as one line of stored text: cut, then cleaned of characters without meaning there. A value that is no
 * text is written as JSON, without secrets; a missing value gives an empty text.
 *
 * @param length UTF-16 units
 */
export function lineOf(value: unknown, length: number): string {
  return cleaned(cut(asText(value, length), length))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** As `lineOf`, but line breaks stay. */
export function proseOf(value: unknown, length: number): string {
  return cleaned(cut(asText(value, length), length).replaceAll(/\r\n?/g, '\n')).trim();
}

/** As `proseOf`, but a text that was cut ends with `…`. */
export function markedProseOf(value: unknown, length: number): string {
  const text = proseOf(value, length + 2);
  return text.length > length ? `${cut(text, length - 1)}…` : text;
}

/** As `lineOf`, but null for an empty one. */
export function lineOrNull(value: unknown, length: number): string | null {
  const text = lineOf(value, length);
  return text === '' ? null : text;
}

/** The first characters of a text; never half of a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}

function asText(value: unknown, length: number): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return JSON.stringify(bounded(value, { characters: length })) ?? '';
}

/**
 * Any value of an event within the limits: texts are cleaned and lose their secrets, and values under secret names
 * are filtered.
 *
 * @param budget counted down; when it is used up, the rest is left out
 */
export function bounded(value: unknown, budget: Budget, levels = most.levels): unknown {
  if (typeof value === 'string') {
    const text = withoutSecrets(markedProseOf(value, most.text));
    budget.characters -= text.length;
    return text;
  }
  budget.characters -= 2;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return undefined;
  if (levels === 0) return Array.isArray(value) ? '[…]' : '{…}';
  const entries = Object.entries(value).slice(0, most.entries);
  const within: [string, unknown][] = [];
  for (const [name, each] of entries) {
    if (budget.characters <= 0) break;
    const key = lineOf(name, most.name);
    if (key === '' || key === '__proto__' || each === undefined) continue;
    budget.characters -= key.length;
    within.push([key, isSecretName(key) ? filtered : bounded(each, budget, levels - 1)]);
  }
  if (!Array.isArray(value)) return Object.fromEntries(within);
  const list = within.map(([, each]) => each);
  // A pair of a name and its value, as some languages write a map.
  return list.length === 2 && typeof list[0] === 'string' && isSecretName(list[0])
    ? [list[0], filtered]
    : list;
}
