import type { AppRouter } from './router.tsx';

/**
 * After a change of screen: the focus goes to the heading of the new one, so that a screen reader announces
 * it and the keyboard goes on from there. Not after the first screen, which the browser announces itself.
 */
export function focusAfterNavigation(router: AppRouter, contentId: string): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return;
    const content = document.getElementById(contentId);
    const target = content?.querySelector<HTMLElement>('h1') ?? content;
    if (target === null || target === undefined) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  });
}
