import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useCallback } from 'react';
import './table.css';

export type Column<Row> = {
  key: string;
  /** Always announced; shown unless `headerHidden`. */
  header: string;
  /** Stands in the head in place of the header, such as a box that selects all rows. */
  head?: ReactNode;
  /** Makes the header a button that sorts; `direction` is null while another column sorts. */
  sort?: { direction: 'ascending' | 'descending' | null; onSort: () => void };
  headerHidden?: boolean;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** Whether the column is only as wide as its content. */
  tight?: boolean;
  /**
   * `primary` opens the row and is its first line in a narrow container; there `beside` is right of it, and
   * `select` left of it.
   */
  role?: 'primary' | 'beside' | 'select';
  /** In a narrow container: on the second line of the row after its header (`labelled`), or not shown (`hidden`). */
  narrow?: 'labelled' | 'hidden';
};

type TableProps<Row> = {
  /** What the table lists, for a screen reader. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Opens a row on a click or Enter; with `href` the row has a real link. */
  open?: { act: (row: Row) => void; href?: (row: Row) => string };
  selected?: (row: Row) => boolean;
  /** Controls that change the table itself; at the right of the head in a wide container. */
  corner?: ReactNode;
  /** Rows of 32 px instead of 44. */
  compact?: boolean;
};

function isOwnAction(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('a, button, input, select, textarea, label, summary') !== null
  );
}

/** A list with columns. Each row is one stop for Tab; arrows move between rows and their controls. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, open, selected, corner, compact = false } = props;
  const stops = useRowStops();
  return (
    <div className="table-frame panel">
      {corner === undefined ? null : <div className="table-corner">{corner}</div>}
      <table className={compact ? 'table table-compact' : 'table'}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={cellClass(column)}
                aria-sort={column.sort?.direction ?? undefined}
              >
                <Head column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...stops}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={rowClass(open !== undefined, selected?.(row) ?? false)}
              aria-current={selected?.(row) === true ? 'true' : undefined}
              onClick={(event: MouseEvent) => {
                if (open === undefined || isOwnAction(event.target)) return;
                if (window.getSelection()?.toString() === '') open.act(row);
              }}
            >
              {columns.map((column) => (
                <td key={column.key} className={cellClass(column)} data-label={column.header}>
                  {column.role === 'primary' && open !== undefined ? (
                    <Opener row={row} open={open}>
                      {column.cell(row)}
                    </Opener>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ column: { head, header, headerHidden, sort } }: { column: Column<Row> }) {
  if (head === undefined && sort === undefined)
    return <span className={headerHidden === true ? 'visually-hidden' : undefined}>{header}</span>;
  return (
    <>
      <span className="table-head-wide">
        {sort === undefined ? (
          head
        ) : (
          <button type="button" className="table-sort" onClick={sort.onSort}>
            {header}
            <span
              className="table-sort-mark"
              data-direction={sort.direction ?? undefined}
              aria-hidden="true"
            />
          </button>
        )}
      </span>
      <span className="table-head-narrow">{header}</span>
    </>
  );
}

function Opener<Row>(props: { row: Row; open: NonNullable<TableProps<Row>['open']>; children: ReactNode }) {
  const { row, open, children } = props;
  if (open.href === undefined) {
    return (
      <button type="button" className="table-open" onClick={() => open.act(row)}>
        {children}
      </button>
    );
  }
  return (
    <a
      className="table-open"
      href={open.href(row)}

      onClick={(event: MouseEvent) => {
        // The browser handles this press: it opens a new tab or window.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        open.act(row);
      }}
    >
      {children}
    </a>
  );
}

function cellClass<Row>(column: Column<Row>): string | undefined {
  const names: string[] = [];
  if (column.align === 'end') names.push('table-end');
  if (column.tight === true) names.push('table-tight');
  if (column.role !== undefined) names.push(`table-${column.role}`);
  if (column.narrow !== undefined) names.push(`table-narrow-${column.narrow}`);
  return names.length === 0 ? undefined : names.join(' ');
}

function rowClass(opens: boolean, selected: boolean): string | undefined {
  const names: string[] = [];
  if (opens) names.push('table-row-opens');
  if (selected) names.push('table-row-selected');
  return names.length === 0 ? undefined : names.join(' ');
}

const controls = 'a[href], button, input, select, textarea, summary';
/** Controls that use the arrow keys themselves. */
const ownArrows = 'input:not([type=checkbox]), select, textarea';
/** What opens from a row is not part of it. */
const opened = '[popover], dialog, [role=menu], [role=listbox]';

const managed = new WeakSet<HTMLElement>();

/**
 * Makes each row of a table one stop for Tab: left and right arrows move between its controls, up and down
 * arrows between rows, Home and End to the first and the last. The stop of a row is the control that had the focus
 * last; at first it is the control that opens the row.
 */
function useRowStops() {
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

/** The corresponding control of another row, by its place; rows may have different controls. */
function sameControl(all: HTMLElement[], from: HTMLElement | undefined, at: number): HTMLElement | undefined {
  if (from?.matches('.table-open') === true) return all.find((one) => one.matches('.table-open')) ?? all[0];
  return all[Math.min(at, all.length - 1)];
}
