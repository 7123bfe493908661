import type { ReportSummary } from '#features/feedback/contract/inbox.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useListAndDetail } from '#web/platform/lists/list-and-detail.ts';
import { useTypedSearch } from '#web/platform/lists/typed-search.ts';
import { filterNames, type InboxFilter, noFilter, readFilter } from './inbox-filter.ts';
import { reportQuery, reportsQuery } from './reports-queries.ts';
import { noSelection, shownSelection, toggleAll, toggleRow } from '#web/platform/lists/selection.ts';
import { type StableRows, updateStableRows } from './stable-rows.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import { useAddressFilter } from '#web/platform/lists/list-state.ts';

export type Inbox = ReturnType<typeof useInbox>;

/** The inbox's list for the filter in the address, the open report, and the selected ones. */
export function useInbox() {
  const { timeZone } = useFormats();
  const [address, setAddress] = useAddressFilter(['report', ...filterNames]);
  const [typed, type] = useTypedSearch(address.search, (search) => setAddress({ search }));
  const { report: open, ...asked } = address;
  const filter = readFilter(asked);
  const answer = useInfiniteQuery(reportsQuery(filter, timeZone));
  const latest = useMemo(() => answer.data?.pages.flatMap((page) => page.reports) ?? null, [answer.data]);
  const of = JSON.stringify(filter);
  const held = useStableReports(of, answer.isPlaceholderData ? null : latest, !answer.hasNextPage);
  // The open report is loaded separately, and its row shows it, even if the list's answer lacks it by now.
  const detailOf = useQuery({ ...reportQuery(open), enabled: open !== '' }).data;
  const rows = useMemo(
    () => held.rows.map((row) => (row.id === detailOf?.id ? detailOf : row)),
    [held.rows, detailOf],
  );
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const detail = useListAndDetail(open, rows, (report, how) => setAddress({ report }, how));
  const place = usePlaceOf(open, ids);
  const [chosen, setChosen] = useState(noSelection);
  const selection = shownSelection(chosen, ids);

  const title = useRef<HTMLHeadingElement>(null);
  const emptied = useRef(false);
  useEffect(() => {
    if (emptied.current && rows.length === 0 && open === '') {
      emptied.current = false;
      title.current?.focus();
    }
  }, [rows, open]);

  return {
    typed,
    type,
    open,
    filter,
    /** Changes the filter in the address; the open report stays. */
    setFilter: (change: Partial<InboxFilter>) => setAddress(change),
    /** Shows the whole tab again, without words and choices. */
    clear: () => setAddress({ ...noFilter, tab: filter.tab, order: filter.order }),
    answer,
    held,
    rows,
    detail,
    /** The report after (1) or before (-1) the open one. Where the open one has left the list, the next has its place. */
    beside: (by: 1 | -1) =>
      place.at < 0 ? undefined : rows[place.gone && by > 0 ? place.at : place.at + by],
    selected: rows.filter(({ id }) => selection.ids.has(id)),
    isSelected: (id: string) => selection.ids.has(id),
    toggle: (id: string, range: boolean) => setChosen(toggleRow(selection, ids, id, range)),
    toggleAll: () => setChosen(toggleAll(selection, ids)),
    deselect: () => setChosen(noSelection),
    title,
    more: useRef<HTMLButtonElement>(null),
    /** Loads the next page; the focus goes to its first row. */
    showMore() {
      detail.goOnAt(rows.length);
      void answer.fetchNextPage();
    },
    /** Removes a deleted report from the list; the focus moves to the next one, or to the last. */
    leaveRow(reportId: string, focus: boolean): void {
      const at = rows.findIndex(({ id }) => id === reportId);
      const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'] === reportId;
      if (focus || focused) {
        if (at >= 0 && rows.length > 1) detail.goOnAt(Math.min(at, rows.length - 2));
        else emptied.current = true;
      }
      held.remove(reportId);
    },
  };
}

type Place = { of: string; at: number; gone: boolean };

/** The place of the open row, or its last place; `at` -1: the row was never in this list. */
function usePlaceOf(open: string, ids: readonly string[]): Place {
  const [last, setLast] = useState<Place>({ of: '', at: -1, gone: false });
  const at = open === '' ? -1 : ids.indexOf(open);
  const place =
    at >= 0
      ? { of: open, at, gone: false }
      : last.of === open
        ? { ...last, gone: true }
        : { of: open, at, gone: false };
  if (place.of !== last.of || place.at !== last.at || place.gone !== last.gone) setLast(place);
  return place;
}

type Held = StableRows<ReportSummary> & {
  /** The filter and order of these rows. */
  of: string;
  answer: readonly ReportSummary[] | null;
  moved: ReadonlySet<string>;
};

const nothing: Held = { of: '', answer: null, rows: [], left: new Set(), waiting: [], moved: new Set() };

/**
 * The rows of the inbox. Rows keep their places while new answers arrive; new rows wait until the person asks
 * for them. Rows that the person has changed leave the list, or return to it, at once.
 *
 * @param of filter and order; another value means another list
 * @param answer the latest answer for `of`; null while there is none
 * @param complete whether the answer holds the whole list
 */
function useStableReports(of: string, answer: readonly ReportSummary[] | null, complete: boolean) {
  const [held, setHeld] = useState(nothing);
  if (answer !== null && (held.of !== of || held.answer !== answer)) {
    const same = held.of === of;
    const moved = same ? held.moved : nothing.moved;
    setHeld({ of, answer, moved, ...updateStableRows(same ? held.rows : [], answer, { moved, complete }) });
  }
  return {
    rows: held.rows,
    /** Rows that other people have changed, so that the filter no longer fits them. */
    left: held.left,
    waiting: held.waiting.length,
    /** Shows the latest answer. */
    showAll: () =>
      setHeld((now) => ({
        ...now,
        rows: now.answer ?? [],
        left: nothing.left,
        waiting: [],
        moved: nothing.moved,
      })),
    /** Removes a deleted report. */
    remove: (reportId: string) =>
      setHeld((now) => ({ ...now, rows: now.rows.filter((row) => row.id !== reportId) })),
    /** Moves or removes these rows as the latest answer says, even if a live event brought it before this call. */
    release: (ids: readonly string[]) =>
      setHeld((now) => {
        const moved = new Set([...now.moved, ...ids]);
        return { ...now, moved, ...updateStableRows(now.rows, now.answer ?? [], { moved, complete }) };
      }),
  };
}
