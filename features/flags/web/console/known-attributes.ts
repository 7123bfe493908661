import { parseJson } from './flag-form.ts';

/**
 * The attributes that Portico knows about each person (FLAG-3), and those that its own pages send, by name.
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

/** Attributes with a different value for each person, so people can be distributed by them. */
export const distributing = ['id', 'email'];

/**
 * Converts attributes that were typed in a form to the values to send: numbers, true and false as such, and a text
 * separated by commas to a list if the attribute is a list.
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

/** The text of an attribute's value, in the form in which a person types it. */
export function attributeText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return JSON.stringify(value) ?? '';
}
