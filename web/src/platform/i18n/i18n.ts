import { createInstance, type i18n } from 'i18next';
import { currentBranding } from '../branding.ts';
import type { Language } from './language.ts';

/** Texts by nested keys in UPPER_SNAKE. */
export type Catalogue = { [key: string]: string | Catalogue };

export type Texts = {
  /** For `I18nextProvider`. */
  readonly i18n: i18n;
  /**
   * Shows this language once its catalogue is loaded; the last call wins. Rejects if that fails, and changes
   * nothing.
   */
  show(language: Language): Promise<void>;
  /**
   * Adds a part, which is downloaded only with the screen that uses it: resolves once it is there in the
   * language that is shown. From then on it comes with each language that is switched to. Rejects when it
   * cannot be had, and can be tried again.
   */
  add(part: string): Promise<void>;
};

/**
 * The texts in one language at a time; only the catalogue of the shown language is downloaded, and of its
 * parts those that were added.
 *
 * @param loadFirst loads what every page needs
 * @param loadPart loads one of the parts
 */
export function createTexts(
  loadFirst: (language: Language) => Promise<Catalogue>,
  loadPart: (part: string, language: Language) => Promise<Catalogue>,
): Texts {
  const i18n = createInstance();
  const downloads = new Map<string, { done: Promise<void>; there: boolean }>();
  const added = new Set<string>();
  let started: Promise<unknown> | null = null;
  let shown: Language | null = null;
  let wanted: Language | null = null;
  let wish = 0;

  const keyOf = (part: string | null, language: Language) => `${language} ${part ?? ''}`;

  function download(part: string | null, language: Language): Promise<void> {
    const key = keyOf(part, language);
    const known = downloads.get(key);
    if (known !== undefined) return known.done;
    const entry = { there: false, done: Promise.resolve() };
    entry.done = (part === null ? loadFirst(language) : loadPart(part, language)).then(
      async (catalogue) => {
        await started;
        i18n.addResourceBundle(language, 'translation', catalogue, true, true);
        entry.there = true;
      },
      (error: unknown) => {
        downloads.delete(key);
        throw error;
      },
    );
    downloads.set(key, entry);
    return entry.done;
  }

  return {
    i18n,
    async show(language) {
      wish += 1;
      const own = wish;
      wanted = language;
      started ??= i18n.init({
        lng: language,
        fallbackLng: false,
        resources: {},
        interpolation: {
          escapeValue: false,
          // Read at each text: the name may change while the page is open.
          defaultVariables: {
            get product() {
              return currentBranding().product;
            },
          },
        },
        returnNull: false,
        react: { useSuspense: false },
      });
      try {
        await started;
        await Promise.all([null, ...added].map((part) => download(part, language)));
        if (own !== wish) return;
        await i18n.changeLanguage(language);
        shown = language;
        document.documentElement.lang = language;
      } finally {
        if (own === wish) wanted = null;
      }
    },
    async add(part) {
      // The language may change until then.
      for (;;) {
        const missing = [shown, wanted]
          .filter((language) => language !== null)
          .filter((language) => downloads.get(keyOf(part, language))?.there !== true);
        if (missing.length === 0) break;
        await Promise.all(missing.map((language) => download(part, language)));
      }
      added.add(part);
    },
  };
}
