import { createContext, type ReactNode, useContext } from 'react';
import type { Readable } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';
import type { EmbedTexts, Translation } from './texts.ts';

/* Replaces `react-i18next` in `portico.js` (`vite.embed.config.ts`). */

const context = createContext<Readable<Translation> | null>(null);

export function ProvideTexts({ texts, children }: { texts: EmbedTexts; children: ReactNode }) {
  return <context.Provider value={texts.translation}>{children}</context.Provider>;
}

export function useTranslation(): Translation {
  const translation = useContext(context);
  if (translation === null) throw new Error('No texts are provided here.');
  return useStore(translation);
}
