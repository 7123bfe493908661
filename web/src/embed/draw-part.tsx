import { render } from 'preact';
import type { ReactNode } from 'react';
import { enterModal } from '../ui/modal-stack.ts';
import { notifications } from '../ui/notifications/notifications.ts';
import type { EmbedTexts } from './texts.ts';
import { ProvideTexts } from './texts-context.tsx';

/** Where a late part is drawn, and with what. */
export type PartPlace = {
  /** An element of the shadow root that holds nothing else. */
  element: Element;
  texts: EmbedTexts;
  /** A part wants to show a notification: what shows them is downloaded. */
  onNotify: () => void;
};

let isFirst = true;

/** Draws a late part; with the first of them comes Preact, which the page at rest does without. */
export function drawPart({ element, texts, onNotify }: PartPlace, part: ReactNode): void {
  const root = element.closest<HTMLElement>('.portico');
  if (isFirst && root !== null) {
    isFirst = false;
    // Notifications stand in the uppermost dialog; without one, here.
    enterModal({ element: root, state: () => 'free', leave: (instead) => instead() });
    notifications.subscribe(onNotify);
  }
  render(<ProvideTexts texts={texts}>{part}</ProvideTexts>, element);
}
