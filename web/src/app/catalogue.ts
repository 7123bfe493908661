import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';

/** The texts of the application in one language, each language a download of its own. */
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
