import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';

/** What every page of the application needs, in one language: one download. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  switch (language) {
    case 'en':
      return (await import('./catalogue.en.ts')).catalogue;
    case 'de':
      return (await import('./catalogue.de.ts')).catalogue;
    case 'fr':
      return (await import('./catalogue.fr.ts')).catalogue;
  }
}

/**
 * The folders of features whose texts come with the screen or the dialog that uses them, so that nobody downloads what only
 * others see. All others are named in `catalogue.<language>.ts`.
 */
export const lateParts = [
  'api-tokens',
  'audit',
  'branding',
  'client-keys',
  'erasure',
  'feedback',
  'feedback/console',
  'feedback/member',
  'feedback/report/pictures',
  'flags/console',
  'maintenance/console',
  'own-password',
  'own-sessions',
  'people',
  'profile/member',
  'roles',
  'webhooks',
] as const;
export type LatePart = (typeof lateParts)[number];

/** The texts of one such folder, in one language. Where they lie is not known before the first of them is asked for. */
export async function loadPart(part: LatePart, language: Language): Promise<Catalogue> {
  return (await import('./late-catalogue.ts')).loadPart(part, language);
}
