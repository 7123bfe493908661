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
 * The texts of a feature's folder in one language, for those that come with the screen or the dialog that
 * uses them, so that others do not download them: all that `catalogue.<language>.ts` does not name. Where
 * they lie is not known before the first of them is asked for.
 */
export async function loadPart(part: string, language: Language): Promise<Catalogue> {
  return (await import('./lazy-catalogue.ts')).loadPart(part, language);
}
