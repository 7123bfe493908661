import { type FocusEvent, type KeyboardEvent, useCallback } from 'react';

const controls = 'a[href], button, input, select, textarea, summary';
/** They have their own use for arrows. */
const ownArrows = 'input:not([type=checkbox]), select, textarea';
/** What opens from a row is not part of it. */
const opened = '[popover], dialog, [role=menu], [role=listbox]';

const managed = new WeakSet<HTMLElement>();

/**
 * Makes each row of a table one stop for Tab: left and right arrows move between its controls, up and down
 * arrows between rows, Home and End to the first and the last. The control that had the focus last is the stop
 * of its row, at first the one that opens the row.
 */
export function useRowStops() {
  const ref = useCallback((body: HTMLTableSectionElement | null) => {
    if (body === null) return undefined;
    const arrange = () => [...body.rows].forEach((row) => setStop(row));
    arrange();
    const observer = new MutationObserver(arrange);
    observer.observe(body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => observer.disconnect();
  }, []);
  return {
    ref,
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest('tr');
      if (row !== null && controlsOf(row).includes(target)) setStop(row, target);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const next = nextControl(event.target as HTMLElement, event.key);
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    },
  };
}

function controlsOf(row: HTMLTableRowElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(controls)].filter(
    (one) =>
      !one.matches(':disabled') && one.closest(opened) === null && (one.tabIndex !== -1 || managed.has(one)),
  );
}

function setStop(row: HTMLTableRowElement, wanted?: HTMLElement): void {
  const all = controlsOf(row);
  const stop =
    wanted ??
    all.find((one) => managed.has(one) && one.tabIndex === 0) ??
    all.find((one) => one.matches('.table-open')) ??
    all[0];
  for (const one of all) {
    managed.add(one);
    one.tabIndex = one === stop ? 0 : -1;
  }
}

function nextControl(from: HTMLElement, key: string): HTMLElement | undefined {
  const row = from.closest('tr');
  if (row === null || from.matches(ownArrows)) return undefined;
  const own = controlsOf(row);
  const at = own.indexOf(from);
  if (at === -1) return undefined;
  if (key === 'ArrowRight') return own[at + 1];
  if (key === 'ArrowLeft') return own[at - 1];
  const rows = [...(row.closest('tbody')?.rows ?? [])].filter((one) => controlsOf(one).length > 0);
  const place = rows.indexOf(row);
  const target = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 }[key];
  const other = target === undefined ? undefined : rows[target];
  return other === undefined || other === row ? undefined : sameControl(controlsOf(other), own[at], at);
}

/** The control of another row that does the same; rows may have different ones. */
function sameControl(all: HTMLElement[], from: HTMLElement | undefined, at: number): HTMLElement | undefined {
  if (from?.matches('.table-open') === true) return all.find((one) => one.matches('.table-open')) ?? all[0];
  return all[Math.min(at, all.length - 1)];
}
