import type { TFunction } from 'i18next';
import { isProblem, ProblemError } from '../calls/problem-error.ts';

type ListQuery = Parameters<typeof retryProps>[1] & {
  isPending: boolean;
  data: unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => Promise<unknown>;
};

/**
 * The state of a list's query for its frame; a query that is read in pages also gets a way to load the next
 * one.
 */
export function listState(t: TFunction, query: ListQuery) {
  const { isPending, data, hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = query;
  return {
    state: isPending ? ('loading' as const) : data === undefined ? ('failed' as const) : ('loaded' as const),
    more: hasNextPage ? { busy: isFetchingNextPage, onMore: () => void fetchNextPage?.() } : undefined,
    ...retryProps(t, query),
  };
}

/**
 * The state of a query for the frame of one thing, which is missing where the server knows none.
 *
 * @param thing left out: all that was answered
 */
export function detailState(
  t: TFunction,
  query: ListQuery & { isPlaceholderData?: boolean },
  thing: unknown = query.data,
) {
  const known =
    query.isPending || (query.isPlaceholderData ?? false) ? ('loading' as const) : ('failed' as const);
  const state = isProblem(query.error, 'NOT_FOUND', 'INVALID_REQUEST') ? ('missing' as const) : known;
  return { state: thing === undefined ? state : ('loaded' as const), ...retryProps(t, query) };
}

/**
 * Props of an error state for a failed query: its retry button, and the id of the request in the server's
 * log.
 */
export function retryProps(
  t: TFunction,
  { refetch, isFetching, error }: { refetch: () => Promise<unknown>; isFetching: boolean; error: unknown },
) {
  return {
    retry: { label: t('COMMON.RETRY'), onRetry: () => void refetch(), busy: isFetching },
    detail: error instanceof ProblemError ? error.requestId : undefined,
  };
}
