import { render } from 'preact';
import type { ReactNode } from 'react';
import { enterModal } from '../ui/modal-stack.ts';
import { notifications } from '../ui/notifications/notifications.ts';
import type { EmbedTexts } from './texts.ts';
import { ProvideTexts } from './texts-context.tsx';

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
