import type { TFunction } from 'i18next';
import { isProblem, ProblemError } from '../calls/problem-error.ts';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '../calls/problem-text.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

type ListQuery = Parameters<typeof retryProps>[1] & {
  isPending: boolean;
  /** How often loading has failed. */
  errorUpdateCount: number;
  data: unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => Promise<unknown>;
};

/**
 * The state of a list's query for its frame; a query that is read in pages also gets a function that loads the next
 * page.
 */
export function listState(t: TFunction, query: ListQuery) {
  const { data, hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = query;
  return {
    state: isFirstLoad(query)
      ? ('loading' as const)
      : data === undefined
        ? ('failed' as const)
        : ('loaded' as const),
    more: hasNextPage ? { busy: isFetchingNextPage, onMore: () => void fetchNextPage?.() } : undefined,
    ...retryProps(t, query),
  };
}

/** Nothing has been loaded, and no failure is known: after one its error stays, with its button, while it is retried. */
export function isFirstLoad({
  isPending,
  errorUpdateCount,
}: Pick<ListQuery, 'isPending' | 'errorUpdateCount'>): boolean {
  return isPending && errorUpdateCount === 0;
}

type DetailQuery<Data> = ListQuery & { data: Data | undefined; isPlaceholderData?: boolean };

/** The state of a query for the frame of one thing; `missing` where the server does not know the thing. */
export function detailState(t: TFunction, query: DetailQuery<unknown>) {
  return detailOf(t, query, (data) => data, true).frame;
}

/**
 * One thing (undefined: not shown) and the state for its page. `gone`: the server no longer knows the thing.
 *
 * @param pick finds the thing in the answer, which may still be the answer of the previous address
 * @param stays whether a thing that is gone stays on the page, since the person may have typed something
 */
export function detailOf<Data, Thing>(
  t: TFunction,
  query: DetailQuery<Data>,
  pick: (data: Data) => Thing | undefined,
  stays = false,
) {
  const { data, isPlaceholderData: isOld = false } = query;
  const found = data === undefined ? undefined : pick(data);
  const isUnknown = isProblem(query.error, 'NOT_FOUND', 'INVALID_REQUEST');
  const gone = isUnknown || (data !== undefined && !isOld && found === undefined);
  const thing = gone && !stays ? undefined : found;
  const why = gone
    ? ('missing' as const)
    : isFirstLoad(query) || isOld
      ? ('loading' as const)
      : ('failed' as const);
  const state = thing === undefined ? why : ('loaded' as const);
  return { thing, gone, frame: { state, ...retryProps(t, query) } };
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

/** Props of a `ConfirmAction` for a removal: afterwards it closes and the queries below `list` are reloaded. */
export function useRemoval(list: QueryKey, onClose: () => void, onRemoved = onClose) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return {
    tone: 'danger' as const,
    problem: (error: unknown) => problemText(t, error),
    onDone: () => {
      onRemoved();
      void queries.invalidateQueries({ queryKey: list });
    },
    onCancel: onClose,
  };
}

type Change<Names extends readonly string[]> = (
  change: Partial<Record<Names[number], string>>,
  /**
   * `push`: "back" reverts the change, such as an opened detail; left out: it replaces the entry in the history.
   */
  how?: 'push',
) => void;

/**
 * Filters in the query of the address (CON-1), without empty ones. A change replaces the entry in the
 * history, so that "back" leaves the screen and does not revert the filter letter by letter.
 */
export function useAddressFilter<const Names extends readonly string[]>(
  names: Names,
): [Record<Names[number], string>, Change<Names>] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as Record<
    Names[number],
    string
  >;
  return [
    filter,
    (change, how) => {
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) =>
          Object.fromEntries(
            Object.entries<unknown>({ ...now, ...change }).filter(
              ([, value]) => value !== '' && value !== undefined,
            ),
          ),
        replace: how !== 'push',
        resetScroll: false,
      } as never);
    },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/**
 * Runs the action that `?do=` in the address names once, such as opening the dialog for a new flag, and removes
 * `?do=` from the address. The command palette leads to such addresses.
 *
 * @param allowed whether the person may run the action; if not, `?do=` is only removed
 */
export function useAskedAction(action: string, allowed: boolean, act: () => void): void {
  const [{ do: asked }, setAddress] = useAddressFilter(['do']);
  const answer = useEffectEvent(() => {
    setAddress({ do: '' });
    if (allowed) act();
  });
  useEffect(() => {
    if (asked === action) answer();
  }, [asked, action]);
}
