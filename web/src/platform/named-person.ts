import type { TFunction } from 'i18next';

type Named = { id: string; name: string; email: string };

/** How a person is called: the name, or the e-mail address where there is none, or the id where a provider gave neither. */
export function namedPerson(t: TFunction, { id, name, email }: Named): string {
  return name.trim() || email || t('COMMON.NO_NAME', { id });
}
