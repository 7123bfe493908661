import { type RefObject, useLayoutEffect, useRef } from 'react';

/** From this width on there is room for a detail beside its list; the same as in the style sheets of such screens. */
const roomForBoth = '(min-width: 1100px)';

/**
 * Opens and closes a detail: the focus goes to its heading and comes back to its row, and where the detail takes the place of
 * the list, the list is found again where it was left. "Back" closes it.
 *
 * @param open the id of what is open, or ''
 * @param show puts an id, or '', into the address
 */
export function useListAndDetail(
  open: string,
  heading: RefObject<HTMLHeadingElement | null>,
  focusRow: (id: string) => void,
  show: (id: string, how?: 'push') => void,
) {
  const asked = useRef(false);
  const pushed = useRef(false);
  const before = useRef({ open, scrolled: 0 });

  useLayoutEffect(() => {
    const last = before.current.open;
    if (last === open) return;
    before.current.open = open;
    const alone = !window.matchMedia(roomForBoth).matches;
    if (open === '') {
      pushed.current = false;
      if (alone) window.scrollTo(0, before.current.scrolled);
      if (document.activeElement === document.body || document.activeElement === null) focusRow(last);
    } else if (asked.current) {
      asked.current = false;
      if (alone) window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
  }, [open, heading, focusRow]);

  return {
    openOne(id: string) {
      if (id === open) {
        heading.current?.focus({ preventScroll: true });
        return;
      }
      asked.current = true;
      if (open === '') {
        pushed.current = true;
        before.current.scrolled = window.scrollY;
        show(id, 'push');
      } else show(id);
    },
    close() {
      if (pushed.current) window.history.back();
      else show('');
    },
  };
}
