import type { AnswerOf, CallOf } from '#contract/route.ts';
import {
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  type QueryMeta,
  queryOptions,
} from '@tanstack/react-query';
import type { Api, CallableRoute } from './call.ts';

/** Makes the queries of a client call routes through `api`. */
export const callThrough = (queries: QueryClient, api: Api): void =>
  queries.setQueryDefaults([], { meta: { api } });

const apiOf = (meta: QueryMeta | undefined) => (meta as { api: Api }).api;

/** The query that loads the answer of a route. */
export function routeQuery<R extends CallableRoute>(queryKey: QueryKey, route: R, input: CallOf<R>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, meta }) => apiOf(meta).call(route, input, { signal }),
  });
}

type Page = { next: string | null };

/** The query of a list whose route answers in pages; each page has the cursor of the next page. */
export function routePages<R extends CallableRoute>(
  queryKey: QueryKey,
  route: R & (AnswerOf<R> extends Page ? unknown : never),
  input: CallOf<R> & { query?: object },
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal, meta }) =>
      apiOf(meta).call<R>(route, { ...input, query: { ...input.query, ...pageParam } }, { signal }),
    initialPageParam: {},
    getNextPageParam(page) {
      const { next } = page as Page;
      return next === null ? null : { cursor: next };
    },
  });
}
