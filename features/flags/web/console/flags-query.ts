import { flagList, getFlag, listFlagVersions, listFlags } from '#features/flags/contract/flags.ts';
import {
  listSeenAttributes,
  previewFlag,
  tryFlag,
  type FlagDefinition,
} from '#features/flags/contract/trials.ts';
import { getSegment, listSegments } from '#features/flags/contract/segments.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { pages } from '#web/platform/lists/pages.ts';

/** Loaded again when an operator changes a flag. */
export const flagsKey = [flagList.list] as const;

export function flagsQuery(api: Api) {
  return queryOptions({
    queryKey: [...flagsKey, 'list'],
    queryFn: ({ signal }) => api.call(listFlags, {}, { signal }),
    // For how many are connected: the first answer precedes the connection of this browser itself.
    refetchInterval: ({ state }) => (state.dataUpdateCount < 2 ? 2_000 : 30_000),
  });
}

/** One flag with what depends on it; always loaded again, since other flags change too. */
export function flagQuery(api: Api, flagKey: string) {
  return queryOptions({
    queryKey: [...flagsKey, 'one', flagKey],
    queryFn: ({ signal }) => api.call(getFlag, { params: { flagKey } }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
}

/** What a flag was, a page after the other; it follows each change. */
export function flagVersionsQuery(api: Api, flagKey: string) {
  return infiniteQueryOptions({
    queryKey: [...flagsKey, 'versions', flagKey],
    queryFn: ({ pageParam, signal }) =>
      api.call(listFlagVersions, { params: { flagKey }, query: pageParam }, { signal }),
    ...pages,
  });
}

export function segmentsQuery(api: Api) {
  return queryOptions({
    queryKey: [...flagsKey, 'segments'],
    queryFn: ({ signal }) => api.call(listSegments, {}, { signal }),
  });
}

/** One segment with its values, which may be megabytes: they are not held. */
export function segmentQuery(api: Api, segmentId: string) {
  return queryOptions({
    queryKey: [...flagsKey, 'segment', segmentId],
    queryFn: ({ signal }) => api.call(getSegment, { params: { segmentId } }, { signal }),
    gcTime: 0,
  });
}

/** The person, or the attributes, that a trial evaluates a flag for, and when. */
export type TrialSubject = {
  for: { personId: string } | { attributes: Record<string, unknown> };
  /** Milliseconds; left out: now. */
  at?: number;
};

/** Evaluates a definition, saved or not. The previous answer stays while the next one is fetched. */
export function trialQuery(api: Api, flagKey: string, definition: FlagDefinition, subject: TrialSubject) {
  return queryOptions({
    queryKey: [...flagsKey, 'trial', flagKey, definition, subject],
    queryFn: ({ signal }) =>
      api.call(tryFlag, { params: { flagKey }, body: { definition, ...subject } }, { signal }),
    gcTime: 10_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** The effect of saving a definition on connected people. */
export function effectQuery(api: Api, flagKey: string, definition: FlagDefinition) {
  return queryOptions({
    queryKey: [...flagsKey, 'effect', flagKey, definition],
    queryFn: ({ signal }) => api.call(previewFlag, { params: { flagKey }, body: { definition } }, { signal }),
    gcTime: 10_000,
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}

/** What rules may ask about, as people who are connected and applications have it. */
export function seenAttributesQuery(api: Api) {
  return queryOptions({
    queryKey: [...flagsKey, 'attributes'],
    queryFn: ({ signal }) => api.call(listSeenAttributes, {}, { signal }),
    staleTime: 60_000,
    retry: false,
  });
}

/** The first people whom a search finds. */
export function foundPeopleQuery(api: Api, search: string) {
  return queryOptions({
    queryKey: ['people', 'found', search],
    queryFn: ({ signal }) => api.call(listPeople, { query: { search, limit: 20 } }, { signal }),
    placeholderData: keepPreviousData,
  });
}
