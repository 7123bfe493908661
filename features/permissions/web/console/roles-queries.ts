import {
  type GroupKind,
  listGroupMappings,
  listGroups,
  previewChange,
  type ProposedChange,
} from '#features/permissions/contract/administration.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { rightsKey } from '#web/platform/rights-words.ts';

export function mappingsQuery(api: Api) {
  return queryOptions({
    queryKey: [...rightsKey, 'mappings'],
    queryFn: ({ signal }) => api.call(listGroupMappings, {}, { signal }),
  });
}

/** Groups that the provider has named, for suggestions. */
export function groupsQuery(api: Api, kind: GroupKind, search: string) {
  return queryOptions({
    queryKey: [...rightsKey, 'groups', kind, search],
    queryFn: ({ signal }) => api.call(listGroups, { query: { kind, search } }, { signal }),
    placeholderData: (previous) => previous,
  });
}

/** The effect of a change, and on whom; always loaded again, since people come and go. */
export function previewQuery(api: Api, change: ProposedChange) {
  return queryOptions({
    queryKey: [...rightsKey, 'preview', change],
    queryFn: ({ signal }) => api.call(previewChange, { body: change }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
}
