import first from 'virtual:texts/first';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';

/** The texts that every page of the application needs, in one language, as one download. */
export const loadCatalogue = (language: Language): Promise<Catalogue> => first[language]();

/**
 * Loads the texts of a screen or a dialog in one language: all texts whose keys begin with `part`, without those of
 * the first page. They are downloaded with the screen, so that other screens do not download them. The list of
 * their files is downloaded when the first part is requested.
 */
export async function loadPart(part: string, language: Language): Promise<Catalogue> {
  const { default: parts } = await import('virtual:late-texts');
  const load = parts[`${part}.${language}`];
  if (load === undefined) throw new Error(`There are no late texts whose keys begin with ${part}.`);
  return load();
}
