import type { MouseEvent, ReactNode } from 'react';
import { useRowStops } from './row-stops.ts';
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
  /** As narrow as its content. */
  tight?: boolean;
  /**
   * `primary` opens the row and is its first line in a narrow container; there `beside` is right of it, and
   * `select` left of it.
   */
  role?: 'primary' | 'beside' | 'select';
  /** On the second line of a row in a narrow container: with its header before it, or not at all. */
  narrow?: 'labelled' | 'hidden';
};

type TableProps<Row> = {
  /** What the table lists, for a screen reader. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What a click or Enter on a row opens; with `href` it is a real link. */
  open?: { act: (row: Row) => void; href?: (row: Row) => string };
  selected?: (row: Row) => boolean;
};

function isOwnAction(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('a, button, input, select, textarea, label, summary') !== null
  );
}

/** A list with columns. Each row is one stop for Tab; arrows move between rows and their controls. */
export function Table<Row>({ caption, columns, rows, rowKey, open, selected }: TableProps<Row>) {
  const stops = useRowStops();
  return (
    <div className="table-frame">
      <table className="table">
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
        // Left to the browser: it opens a new tab or window.
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
