import { type RefObject, useEffect } from 'react';

/** Below this height everything scrolls together, the buttons too: a fixed part would leave too little. */
const lowHeight = 400;

/**
 * Keeps the dialog out from under the keyboard of a phone, which covers the page without making it smaller.
 * Sets `--covered`, and `data-low` where little is left.
 */
export function useKeyboardInset(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    const seen = window.visualViewport;
    if (element === null || seen === null) return undefined;
    const fit = () => {
      // A person who has zoomed in also sees less of the page, but nothing may move then.
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
