import { render } from 'preact';
import { createContext, type ReactNode, useContext } from 'react';
import { enterModal } from '../ui/modal-stack.ts';
import { notifications } from '../ui/notifications/notifications.ts';
import type { EmbedTexts, Translation } from './texts.ts';
import type { Readable } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';

/* Replaces `react-i18next` in `portico.js` (`vite.embed.config.ts`). */

const context = createContext<Readable<Translation> | null>(null);

function ProvideTexts({ texts, children }: { texts: EmbedTexts; children: ReactNode }) {
  return <context.Provider value={texts.translation}>{children}</context.Provider>;
}

export function useTranslation(): Translation {
  const translation = useContext(context);
  if (translation === null) throw new Error('No texts are provided here.');
  return useStore(translation);
}

/** Where a late part is drawn, and what it needs. */
export type PartPlace = {
  /** An element of the shadow root that holds nothing else. */
  element: Element;
  texts: EmbedTexts;
  /** Called when a part has a notification to show: the code that shows notifications is then downloaded. */
  onNotify: () => void;
};

let isFirst = true;

/** Draws a late part. Preact is downloaded with the first one; an idle page does not need it. */
export function drawPart({ element, texts, onNotify }: PartPlace, part: ReactNode): void {
  const root = element.closest<HTMLElement>('.portico');
  if (isFirst && root !== null) {
    isFirst = false;
    // Notifications are shown in the uppermost dialog; without a dialog, in this root.
    enterModal({ element: root, state: () => 'free', leave: (instead) => instead() });
    notifications.subscribe(onNotify);
  }
  render(<ProvideTexts texts={texts}>{part}</ProvideTexts>, element);
}
