import type { TFunction } from 'i18next';
import { askAgain } from '../calls/ask-again.ts';

type ListQuery = Parameters<typeof askAgain>[1] & {
  isPending: boolean;
  data: unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => Promise<unknown>;
};

/** What the frame of a list shows of its query; a query that is read in pages also has a way to the next one. */
export function listState(t: TFunction, query: ListQuery) {
  const { isPending, data, hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = query;
  return {
    state: isPending ? ('loading' as const) : data === undefined ? ('failed' as const) : ('loaded' as const),
    more: hasNextPage ? { busy: isFetchingNextPage, onMore: () => void fetchNextPage?.() } : undefined,
    ...askAgain(t, query),
  };
}
