import { getRetention, previewErasure } from '#features/erasure/contract/erasure.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

/**
 * What an erasure would remove and leave; asked again each time, since it changes with everything that the
 * person does.
 */
export function previewQuery(api: Api, personId: string) {
  return queryOptions({
    queryKey: ['erasure', personId],
    queryFn: ({ signal }) => api.call(previewErasure, { params: { personId } }, { signal }),
    staleTime: 0,
  });
}

export const retentionKey = ['retention'] as const;

export function retentionQuery(api: Api) {
  return queryOptions({
    queryKey: retentionKey,
    queryFn: ({ signal }) => api.call(getRetention, {}, { signal }),
  });
}
