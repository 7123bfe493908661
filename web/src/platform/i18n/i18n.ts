import { createInstance, type i18n } from 'i18next';
import type { Language } from './language.ts';

/** Texts by nested keys in UPPER_SNAKE. */
export type Catalogue = { [key: string]: string | Catalogue };

/** Merges catalogues that share upper levels, such as `COMMON`; of two texts under one key the later one stays. */
export function mergeCatalogues(parts: readonly Catalogue[]): Catalogue {
  const merged: Catalogue = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const known = merged[key];
      merged[key] =
        typeof value === 'object' && typeof known === 'object' ? mergeCatalogues([known, value]) : value;
    }
  }
  return merged;
}

export type Texts = {
  /** For `I18nextProvider`. */
  readonly i18n: i18n;
  /** Shows this language, once its catalogue is there; the last wish wins. Rejects when it cannot be had, and changes nothing. */
  show(language: Language): Promise<void>;
};

/**
 * The texts in one language at a time; only the catalogue of the language that is shown is downloaded.
 *
 * @param load gives the catalogue of a language
 */
export function createTexts(load: (language: Language) => Promise<Catalogue>): Texts {
  const i18n = createInstance();
  let started: Promise<unknown> | null = null;
  let wish = 0;
  return {
    i18n,
    async show(language) {
      wish += 1;
      const own = wish;
      started ??= i18n.init({
        lng: language,
        fallbackLng: false,
        resources: {},
        interpolation: { escapeValue: false },
        returnNull: false,
        react: { useSuspense: false },
      });
      await started;
      if (!i18n.hasResourceBundle(language, 'translation')) {
        i18n.addResourceBundle(language, 'translation', await load(language));
      }
      if (own !== wish) return;
      await i18n.changeLanguage(language);
      document.documentElement.lang = language;
    },
  };
}
