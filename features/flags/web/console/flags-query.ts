import { flagList, getFlag, listFlagVersions, listFlags } from '#features/flags/contract/flags.ts';
import {
  listSeenAttributes,
  previewFlag,
  tryFlag,
  type FlagDefinition,
} from '#features/flags/contract/trials.ts';
import { getSegment, listSegments } from '#features/flags/contract/segments.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';

/** The key of all queries about flags, which are loaded again when an operator changes a flag. */
export const flagsKey = [flagList.list] as const;

export const flagsQuery = queryOptions({
  ...routeQuery([...flagsKey, 'list'], listFlags, {}),
  // Updates the number of connected clients; the first answer precedes the connection of this browser itself.
  refetchInterval: ({ state }) => (state.dataUpdateCount < 2 ? 2_000 : 30_000),
});

/** One flag with what depends on it; always loaded again, since other flags change too. */
export const flagQuery = (flagKey: string) => ({
  ...routeQuery([...flagsKey, 'one', flagKey], getFlag, { params: { flagKey } }),
  gcTime: 0,
  staleTime: 0,
});

/** The versions of a flag, page by page; loaded again after each change. */
export const flagVersionsQuery = (flagKey: string) =>
  routePages([...flagsKey, 'versions', flagKey], listFlagVersions, { params: { flagKey } });

export const segmentsQuery = routeQuery([...flagsKey, 'segments'], listSegments, {});

/** One segment with its values, which are not cached, since they may be megabytes. */
export const segmentQuery = (segmentId: string) => ({
  ...routeQuery([...flagsKey, 'segment', segmentId], getSegment, { params: { segmentId } }),
  gcTime: 0,
});

/** The person, or the attributes, that a trial evaluates a flag for, and when. */
export type TrialSubject = {
  for: { personId: string } | { attributes: Record<string, unknown> };
  /** Milliseconds; left out: now. */
  at?: number;
};

/** Evaluates a definition, saved or not. The previous answer stays while the next one is fetched. */
export const trialQuery = (flagKey: string, definition: FlagDefinition, subject: TrialSubject) => ({
  ...routeQuery([...flagsKey, 'trial', flagKey, definition, subject], tryFlag, {
    params: { flagKey },
    body: { definition, ...subject },
  }),
  gcTime: 10_000,
  retry: false,
  placeholderData: keepPreviousData,
});

/** The effect of saving a definition on connected people. */
export const effectQuery = (flagKey: string, definition: FlagDefinition) => ({
  ...routeQuery([...flagsKey, 'effect', flagKey, definition], previewFlag, {
    params: { flagKey },
    body: { definition },
  }),
  gcTime: 10_000,
  retry: false,
  placeholderData: keepPreviousData,
  refetchInterval: 30_000,
});

/** The attributes that rules may ask about, with values of connected people and values that applications sent. */
export const seenAttributesQuery = {
  ...routeQuery([...flagsKey, 'attributes'], listSeenAttributes, {}),
  staleTime: 60_000,
  retry: false,
};

/** The first people whom a search finds. */
export const foundPeopleQuery = (search: string) => ({
  ...routeQuery(['people', 'found', search], listPeople, { query: { search, limit: 20 } }),
  placeholderData: keepPreviousData,
});
