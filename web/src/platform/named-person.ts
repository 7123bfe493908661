import type { PeopleNames } from '#features/people/contract/names.ts';
import type { Person } from '#features/people/contract/people.ts';
import type { TFunction } from 'i18next';

type Named = { id: string; name: string; email: string };

/** The displayed name of a person: the name, else the email address, else the id. */
export function namedPerson(t: TFunction, { id, name, email }: Named): string {
  return name.trim() || email || t('COMMON.NO_NAME', { id });
}

/** The code in the name of an erased person; null for every other text. */
export function erasedCode(text: string): string | null {
  return /^erased person ([0-9a-f]{6})$/.exec(text)?.[1] ?? null;
}

/**
 * The displayed name of an actor: the known name, else the recorded text (an address, a token, the command line).
 * An erased person is named in the language of the page.
 */
export function namedActor(t: TFunction, written: string, names: PeopleNames = {}): string {
  const code = erasedCode(written);
  if (code !== null) return t('COMMON.ERASED_PERSON', { code });
  return Object.hasOwn(names, written) ? (names[written] ?? written) : written;
}

/** The displayed name of a person; never empty. */
export function personName(
  t: TFunction,
  { id, firstName, lastName, email }: Pick<Person, 'id' | 'firstName' | 'lastName' | 'email'>,
): string {
  return namedPerson(t, { id, name: `${firstName} ${lastName}`, email });
}

/** The first letters of the first and the last word of a name, or of the part of an email address before the @. */
export function initials(name: string): string {
  const [own = ''] = name.split('@');
  const words = own.split(/[\s._-]+/).filter((word) => word !== '');
  const letters = words.length < 2 ? [words[0]] : [words[0], words.at(-1)];
  return letters
    .map((word = '') => String.fromCodePoint(word.codePointAt(0) ?? 32).toLocaleUpperCase())
    .join('');
}
