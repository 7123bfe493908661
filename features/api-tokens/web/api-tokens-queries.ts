import { listApiTokens } from '#features/api-tokens/contract/api-tokens.ts';
import { reservedRightPrefix } from '#features/permissions/contract/permissions.ts';
import { getPermissions } from '#features/permissions/contract/of-person.ts';
import { queryOptions } from '@tanstack/react-query';
import { routeQuery } from '#web/platform/calls/route-query.ts';

export const apiTokensKey = ['api-tokens'] as const;

export const apiTokensQuery = {
  ...routeQuery([...apiTokensKey, 'list'], listApiTokens, {}),
  refetchInterval: 30_000,
};

/**
 * The rights that a token may get: the person's own, without those that flags give and those that have no
 * effect yet.
 */
export const ownRightsQuery = queryOptions({
  ...routeQuery([...apiTokensKey, 'own-rights'], getPermissions, { params: { userId: 'current' } }),
  select: (rights) => rights.filter((right) => !right.startsWith(reservedRightPrefix)),
});
