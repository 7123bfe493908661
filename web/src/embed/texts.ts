import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';
import { createStore, type Readable } from '../platform/state/store.ts';

/*
 * The texts of `portico.js` by their keys, with values and plurals. Each late part loads the texts that it uses. A
 * test compares the results with those of i18next, from the same catalogues.
 */

export type Translation = {
  t: (key: string, values?: Record<string, string | number>) => string;
  i18n: { language: Language };
};

export type EmbedTexts = {
  readonly translation: Readable<Translation>;
  show(language: Language): Promise<void>;
  /** Adds the texts of a part; resolves once they are there in the language that is shown. */
  add(load: LoadTexts): Promise<void>;
};

export type LoadTexts = (language: Language) => Promise<Catalogue>;

/** @param first the texts that need no download, in all languages */
export function createEmbedTexts(first: Record<Language, Catalogue>, language: Language): EmbedTexts {
  const parts: LoadTexts[] = [];
  const translation = createStore(createTranslation(language, first[language]));
  let wanted = language;

  async function load(shown: Language): Promise<void> {
    wanted = shown;
    try {
      const loaded = await Promise.all(parts.map((part) => part(shown)));
      if (wanted === shown)
        translation.set(createTranslation(shown, mergeCatalogues([first[shown], ...loaded])));
    } catch (error) {
      // The next call downloads it again.
      if (wanted === shown) wanted = translation.get().i18n.language;
      throw error;
    }
  }

  return {
    translation,
    show: (shown) => (shown === wanted ? Promise.resolve() : load(shown)),
    async add(part) {
      if (parts.includes(part)) return;
      // The part is registered only after its download, so that a failed one can be added again.
      await part(wanted);
      parts.push(part);
      await load(wanted);
    },
  };
}

let product = 'Portico';

/** Sets the name of the installation that all texts use from now on. */
export function setProduct(name: string): void {
  product = name;
}

export function createTranslation(language: Language, catalogue: Catalogue): Translation {
  const plurals = new Intl.PluralRules(language);
  const find = (key: string): Catalogue | string | undefined =>
    key
      .split('.')
      .reduce<Catalogue | string | undefined>(
        (level, part) => (typeof level === 'object' ? level[part] : undefined),
        catalogue,
      );
  return {
    i18n: { language },
    t(key, values = {}) {
      const { count } = values;
      const counted = typeof count === 'number' ? find(`${key}_${plurals.select(count)}`) : undefined;
      const text = counted ?? find(key);
      if (typeof text !== 'string') return key;
      const known: Record<string, string | number> = { product, ...values };
      return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(known[name] ?? ''));
    },
  };
}

/**
 * Merges catalogues that share upper levels, such as `COMMON`; of two texts under one key the later one is
 * used.
 */
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
