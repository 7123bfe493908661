import { createInstance, type i18n } from 'i18next';
import { currentBranding } from '../branding.ts';
import type { Language } from './language.ts';

/** Texts by nested keys in UPPER_SNAKE. */
export type Catalogue = { [key: string]: string | Catalogue };

export type Texts = {
  /** For `I18nextProvider`. */
  readonly i18n: i18n;
  /**
   * Shows this language once its catalogue is loaded; the last call wins. If that fails, it rejects and changes
   * nothing.
   */
  show(language: Language): Promise<void>;
  /**
   * Adds a part, which is downloaded only with the screen that uses it. Resolves once the part is loaded in the
   * shown language; from then on each switch of language loads the part too. Rejects if the download fails, and can
   * be called again.
   */
  add(part: string): Promise<void>;
};

/**
 * Creates the texts, in one language at a time: only the catalogue of the shown language is downloaded, with the
 * parts that were added.
 *
 * @param loadFirst loads the texts that every page needs
 * @param loadPart loads the texts of one part
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
      // A loop, since the language may change during the download.
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
