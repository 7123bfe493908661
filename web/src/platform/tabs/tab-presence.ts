import { createSignal, createStore, type Readable } from '../state/store.ts';

/** Whether this tab is visible, and when a person or the network returns. */
export type TabPresence = {
  readonly visible: Readable<boolean>;
  /**
   * Calls the listener after the tab was hidden, after the back-forward cache, and when the network is back: known
   * data may then be outdated.
   */
  onReturn(listener: () => void): () => void;
};

export function watchTabPresence(window: Window, document: Document): TabPresence {
  const visible = createStore(document.visibilityState === 'visible');
  const returned = createSignal();
  document.addEventListener('visibilitychange', () => {
    visible.set(document.visibilityState === 'visible');
    if (visible.get()) returned.publish();
  });
  window.addEventListener('pageshow', (shown) => {
    if (shown.persisted) returned.publish();
  });
  window.addEventListener('online', () => returned.publish());
  return { visible, onReturn: returned.subscribe };
}
