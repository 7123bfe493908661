import { createContext, type ReactNode, useContext } from 'react';
import { currentBranding } from '../platform/branding.ts';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';

/*
 * Stands in the place of `react-i18next` in the small pages (`vite.entry.config.ts`). Together with i18next it would weigh as
 * much as the rest of such a page twice over; of all that it does, the pages need a text by its key with values filled in. The same
 * catalogues, and the same texts out of them: the test compares.
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
