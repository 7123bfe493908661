import first from 'virtual:texts/first';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';

/** What every page of the application needs, in one language: one download. */
export const loadCatalogue = (language: Language): Promise<Catalogue> => first[language]();

/**
 * The texts of a screen or a dialog in one language, which come with it, so that others do not download them: all whose
 * keys begin with `part`, without those of the first page. Where they lie is not known before the first of them is
 * asked for.
 */
export async function loadPart(part: string, language: Language): Promise<Catalogue> {
  const { default: parts } = await import('virtual:late-texts');
  const load = parts[`${part}.${language}`];
  if (load === undefined) throw new Error(`There are no late texts whose keys begin with ${part}.`);
  return load();
}
