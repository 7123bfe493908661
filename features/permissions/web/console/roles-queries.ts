import {
  type GroupKind,
  listGroupMappings,
  listGroups,
  previewChange,
  type ProposedChange,
} from '#features/permissions/contract/administration.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { rightsKey } from '#web/platform/rights-words.ts';

export const mappingsQuery = routeQuery([...rightsKey, 'mappings'], listGroupMappings, {});

/** Groups that the provider has named, for suggestions. */
export const groupsQuery = (kind: GroupKind, search: string) => ({
  ...routeQuery([...rightsKey, 'groups', kind, search], listGroups, { query: { kind, search } }),
  placeholderData: keepPreviousData,
});

/** The effect of a change, and on whom; always loaded again, since people come and go. */
export const previewQuery = (change: ProposedChange) => ({
  ...routeQuery([...rightsKey, 'preview', change], previewChange, { body: change }),
  gcTime: 0,
  staleTime: 0,
});
