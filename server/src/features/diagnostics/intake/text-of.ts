import { cleaned } from '@portico/contract/text';

/**
 * A text on one line as it is stored: cut, then without what has no meaning there. Empty for whatever is no
 * text.
 *
 * @param most UTF-16 units
 */
export function lineOf(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const text = cleaned(value.length > most ? value.slice(0, most) : value);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** As `lineOf`, but line breaks stay. */
export function proseOf(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  return cleaned((value.length > most ? value.slice(0, most) : value).replaceAll(/\r\n?/g, '\n')).trim();
}

/** As `lineOf`, but null for an empty one. */
export function lineOrNull(value: unknown, most: number): string | null {
  const text = lineOf(value, most);
  return text === '' ? null : text;
}
