import type { PeopleNames } from '@portico/contract/people/names';
import type { TFunction } from 'i18next';

type Named = { id: string; name: string; email: string };

/** How a person is called: the name, or the e-mail address where there is none, or the id where a provider gave neither. */
export function namedPerson(t: TFunction, { id, name, email }: Named): string {
  return name.trim() || email || t('COMMON.NO_NAME', { id });
}

/** The code in what an erased person is called; null for every other text. */
export function erasedCode(text: string): string | null {
  return /^erased person ([0-9a-f]{6})$/.exec(text)?.[1] ?? null;
}

/**
 * How the one is called who did something: by name, else as it was written down (an address, a token, the command line), and who was
 * erased in the language of the page.
 */
export function namedActor(t: TFunction, written: string, names: PeopleNames = {}): string {
  const code = erasedCode(written);
  if (code !== null) return t('COMMON.ERASED_PERSON', { code });
  return Object.hasOwn(names, written) ? (names[written] ?? written) : written;
}
