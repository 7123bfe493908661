import { listApiTokens } from '@portico/contract/api-tokens';
import { reservedRightPrefix } from '@portico/contract/permissions';
import { getPermissions } from '@portico/contract/permissions/of-person';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../platform/calls/call.ts';

export const apiTokensKey = ['api-tokens'] as const;

export function apiTokensQuery(api: Api) {
  return queryOptions({
    queryKey: [...apiTokensKey, 'list'],
    queryFn: ({ signal }) => api.call(listApiTokens, {}, { signal }),
    refetchInterval: 30_000,
  });
}

/**
 * The rights that a token may get: the person's own, without those that flags give and those that have no
 * effect yet.
 */
export function ownRightsQuery(api: Api) {
  return queryOptions({
    queryKey: [...apiTokensKey, 'own-rights'],
    queryFn: async ({ signal }) => {
      const rights = await api.call(getPermissions, { params: { userId: 'current' } }, { signal });
      return rights.filter((right) => !right.startsWith(reservedRightPrefix));
    },
  });
}
