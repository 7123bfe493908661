import { listApiTokens } from '#features/api-tokens/contract/api-tokens.ts';
import { reservedRightPrefix } from '#features/permissions/contract/permissions.ts';
import { getPermissions } from '#features/permissions/contract/of-person.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

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
