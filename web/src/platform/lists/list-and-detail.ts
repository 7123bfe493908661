import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The window width from which a detail is next to its list; the style sheet of these screens has the same. */
const wideEnough = '(min-width: 1100px)';

export type ListAndDetail = ReturnType<typeof useListAndDetail>;

/**
 * A list whose rows are links to a detail. The list is one stop for Tab. The focus goes to the heading of the
 * opened detail and returns to its row; where the detail replaces the list, the list keeps its scroll
 * position. "Back" closes the detail.
 *
 * @param open the id of the open row, or ''
 * @param show writes the id of the open row, or '', into the address
 */
export function useListAndDetail(
  open: string,
  rows: readonly { id: string }[],
  show: (id: string, how?: 'push') => void,
) {
  const list = useRef<HTMLUListElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState('');
  const current = [chosen, open].find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id ?? '';
  const rowOf = useCallback(
    (id = '') => list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`),
    [],
  );
  const focusRow = useCallback((id: string | undefined) => rowOf(id)?.focus(), [rowOf]);

  const next = useRef<number | null>(null);
  useEffect(() => {
    const row = next.current === null ? undefined : rows[next.current];
    if (row === undefined) return;
    focusRow(row.id);
    // The list cannot have the focus yet where the detail has replaced it.
    if (open === '' || document.activeElement?.matches('[data-row]') === true) next.current = null;
  }, [rows, open, focusRow]);

  const asked = useRef(false);
  const pushed = useRef(false);
  const before = useRef({ open, scrolled: 0, rowTop: 0 });

  useLayoutEffect(() => {
    const last = before.current.open;
    if (last === open) return;
    before.current.open = open;
    const alone = !window.matchMedia(wideEnough).matches;
    if (open === '') {
      pushed.current = false;
      if (alone) window.scrollTo(0, before.current.scrolled);
      // A change in the detail may have removed its row from the list.
      if (document.activeElement === document.body || document.activeElement === null)
        (rowOf(last) ?? rowOf(current))?.focus();
    } else if (asked.current) {
      asked.current = false;
      if (alone) window.scrollTo(0, 0);
      // The list becomes narrower and so longer; scrolling keeps the row where it was pressed.
      else window.scrollBy(0, (rowOf(open)?.getBoundingClientRect().top ?? 0) - before.current.rowTop);
      heading.current?.focus({ preventScroll: true });
    }
  }, [open, current, rowOf]);

  function openOne(id: string): void {
    if (id === open) {
      heading.current?.focus({ preventScroll: true });
      return;
    }
    asked.current = true;
    before.current.rowTop = rowOf(id)?.getBoundingClientRect().top ?? 0;
    if (open === '') {
      pushed.current = true;
      before.current.scrolled = window.scrollY;
      show(id, 'push');
    } else show(id);
  }

  return {
    list,
    heading,
    /** The row that Tab focuses. */
    current,
    focusRow,
    /** Focuses the row at that place, once the requested rows are loaded. */
    goOnAt(place: number) {
      next.current = place;
    },
    openOne,
    close() {
      if (pushed.current) window.history.back();
      else show('');
    },
    /** Props that make a link the row of that id. */
    rowLink: (id: string) => ({
      'data-row': id,
      tabIndex: id === current ? 0 : -1,
      'aria-current': id === open ? ('true' as const) : undefined,
      onFocus: () => setChosen(id),
      onClick(event: MouseEvent) {
        // The browser handles this press: it opens a new tab or window.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        openOne(id);
      },
    }),
  };
}
