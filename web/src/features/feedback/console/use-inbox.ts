import { reportStatus } from '@portico/contract/feedback/own-reports';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../../platform/contexts.tsx';
import { useAddressFilter } from '../../../platform/lists/address-filter.ts';
import { useListAndDetail } from '../../../platform/lists/list-and-detail.ts';
import { useTypedSearch } from '../../../platform/lists/typed-search.ts';
import { type ReportFilter, reportsQuery } from './reports-queries.ts';
import { useHeldReports } from './use-held-reports.ts';

export type Inbox = ReturnType<typeof useInbox>;

/** The inbox's list for the filter in the address, and the open report. */
export function useInbox() {
  const api = useApi();
  const [address, setAddress] = useAddressFilter(['report', 'search', 'status', 'order']);
  const [typed, type] = useTypedSearch(address.search, (search) => setAddress({ search }));
  const open = address.report;
  const filter: ReportFilter = {
    search: address.search.trim(),
    status: reportStatus.safeParse(address.status).data ?? '',
    order: address.order === 'oldest' ? 'oldest' : 'newest',
  };
  const answer = useInfiniteQuery(reportsQuery(api, filter));
  const latest = useMemo(() => answer.data?.pages.flatMap((page) => page.reports) ?? null, [answer.data]);
  const held = useHeldReports(JSON.stringify(filter), answer.isPlaceholderData ? null : latest);
  const { rows } = held;
  const detail = useListAndDetail(open, rows, (report, how) => setAddress({ report }, how));

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
    setAddress,
    answer,
    held,
    rows,
    detail,
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
