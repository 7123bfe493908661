import { getRetention, previewErasure } from '#features/erasure/contract/erasure.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';

/**
 * What an erasure would remove and leave; loaded again each time, since it changes with everything that the
 * person does.
 */
export const previewQuery = (personId: string) => ({
  ...routeQuery(['erasure', personId], previewErasure, { params: { personId } }),
  staleTime: 0,
});

export const retentionKey = ['retention'] as const;

export const retentionQuery = routeQuery(retentionKey, getRetention, {});
