import { type RefObject, useLayoutEffect, useRef } from 'react';

/** From this width on there is room for a report beside the list; the same as in inbox.css. */
const roomForBoth = '(min-width: 1100px)';

/**
 * Opens and closes a report: the focus goes to its heading and comes back to its row, and where the report takes the place of
 * the list, the list is found again where it was left. "Back" closes it.
 */
export function useOpening(
  open: string,
  heading: RefObject<HTMLHeadingElement | null>,
  focusRow: (reportId: string) => void,
  setAddress: (change: { report: string }, how?: 'push') => void,
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
    openReport(reportId: string) {
      if (reportId === open) {
        heading.current?.focus({ preventScroll: true });
        return;
      }
      asked.current = true;
      if (open === '') {
        pushed.current = true;
        before.current.scrolled = window.scrollY;
        setAddress({ report: reportId }, 'push');
      } else setAddress({ report: reportId });
    },
    closeReport() {
      if (pushed.current) window.history.back();
      else setAddress({ report: '' });
    },
  };
}
