import { type RefObject, useEffect } from 'react';

/** Below this height everything scrolls together, the buttons too: there is no room for a part that stands still. */
const lowHeight = 400;

/**
 * Keeps the dialog out from under the keyboard of a phone, which covers the page without making it smaller. Sets `--covered`,
 * and `data-low` where little is left.
 */
export function useKeyboardInset(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    const seen = window.visualViewport;
    if (element === null || seen === null) return undefined;
    const fit = () => {
      // Who zooms in sees less of the page too, and wants it to stay where it is.
      const covered = seen.scale > 1.01 ? 0 : Math.max(0, window.innerHeight - seen.height - seen.offsetTop);
      element.style.setProperty('--covered', `${Math.round(covered)}px`);
      element.toggleAttribute('data-low', window.innerHeight - covered < lowHeight);
    };
    fit();
    seen.addEventListener('resize', fit);
    seen.addEventListener('scroll', fit);
    return () => {
      seen.removeEventListener('resize', fit);
      seen.removeEventListener('scroll', fit);
    };
  }, [dialog]);
}
