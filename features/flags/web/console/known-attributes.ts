import { parseJson } from './flag-form.ts';

/**
 * What Portico knows about each person (FLAG-3), and what its own pages send besides, as conditions name it.
 * Applications may send others.
 */
export const knownAttributes: Record<string, 'text' | 'list' | 'number'> = {
  id: 'text',
  email: 'text',
  emailDomain: 'text',
  roles: 'list',
  groups: 'list',
  locale: 'text',
  timeZone: 'text',
  createdAt: 'number',
  url: 'text',
  release: 'text',
};

/** Those of which each person has another one, by which people can be distributed. */
export const distributing = ['id', 'email'];

/**
 * Attributes that were made up in a form, as they are sent: numbers, true and false as such, and a list
 * separated by commas where the attribute is one.
 */
export function attributesIn(rows: readonly { name: string; value: string }[]): Record<string, unknown> {
  const named = rows.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), readAttribute(name.trim(), value)]));
}

function readAttribute(name: string, value: string): unknown {
  const known = knownAttributes[name];
  if (known === 'text') return value;
  if (known === 'list' && !value.trim().startsWith('['))
    return value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  const read = parseJson(value);
  return read === undefined ? value : read;
}

/** An attribute as it is typed. */
export function attributeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return JSON.stringify(value) ?? '';
}
