import { createContext, type ReactNode, useContext } from 'react';
import { currentBranding } from '../platform/branding.ts';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';

/*
 * Replaces `react-i18next` in the entry pages (`vite.entry.config.ts`). Together with i18next it would be
 * twice as large as the rest of such a page; the pages need only a text by its key with values filled in. A
 * test compares the texts with those of i18next, from the same catalogues.
 */

export type Translation = {
  t: (key: string, values?: Record<string, string | number>) => string;
  i18n: { language: Language };
};

export function createTranslation(language: Language, catalogue: Catalogue): Translation {
  return {
    i18n: { language },
    t(key, values = {}) {
      const text = key
        .split('.')
        .reduce<Catalogue | string | undefined>(
          (level, part) => (typeof level === 'object' ? level[part] : undefined),
          catalogue,
        );
      if (typeof text !== 'string') return key;
      const { product } = currentBranding();
      const known: Record<string, string | number> = { product, ...values };
      return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(known[name] ?? ''));
    },
  };
}

const context = createContext<Translation | null>(null);

export function ProvideTranslation({ value, children }: { value: Translation; children: ReactNode }) {
  return <context.Provider value={value}>{children}</context.Provider>;
}

export function useTranslation(): Translation {
  const translation = useContext(context);
  if (translation === null) throw new Error('No texts are provided here.');
  return translation;
}
