import { role as builtInRole } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';
import {
  listRights,
  listRoles,
  type CatalogueRight,
  type RoleDefinition,
} from '#features/permissions/contract/administration.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routeQuery } from './calls/route-query.ts';
import { useCan } from './contexts.tsx';
import { catalogueKey } from './i18n/isolated.ts';

/** The common start of the query keys of rights. */
export const rightsKey = ['rights'] as const;

/** The roles, built-in and own. */
export const rolesQuery = routeQuery([...rightsKey, 'roles'], listRoles, {});

/** The catalogue of rights, built-in and own. */
export const catalogueQuery = routeQuery([...rightsKey, 'catalogue'], listRights, {});

/** A function that loads a missing list again, and whether that is under way. */
export type MissingList = { readonly onRetry: () => void; readonly busy: boolean };

function missing({ data, errorUpdateCount, isFetching, refetch }: UseQueryResult): MissingList | null {
  return data !== undefined || errorUpdateCount === 0
    ? null
    : { onRetry: () => void refetch(), busy: isFetching };
}

export type RightsWords = {
  /** All roles; only the built-in ones until the installation's own are loaded. */
  readonly roles: readonly Pick<RoleDefinition, 'role' | 'builtIn'>[];
  readonly rights: readonly Pick<CatalogueRight, 'right' | 'builtIn' | 'area'>[];
  /** Set for a list whose own entries could not be loaded. */
  readonly missing: { roles: MissingList | null; rights: MissingList | null };
  role(role: string): string;
  roleHint(role: string): string;
  right(right: string): string;
  rightHint(right: string): string;
  area(right: Pick<CatalogueRight, 'right' | 'builtIn' | 'area'>): string;
};

const builtInRights = new Set<string>(rightCatalogue.map(({ right }) => right));
const builtIn = rightCatalogue.map(({ right, area }) => ({ right, area, builtIn: true }));
const builtInRoles = new Set<string>(builtInRole.options);

/**
 * The names of roles and rights: the built-in ones in the person's language, the own ones as operators named
 * them.
 */
export function useRightsWords(): RightsWords {
  const { t } = useTranslation();
  // Without this right both are refused.
  const enabled = useCan()('PEOPLE_READ');
  const asked = {
    roles: useQuery({ ...rolesQuery, enabled }),
    rights: useQuery({ ...catalogueQuery, enabled }),
  };
  const roles = asked.roles.data?.roles;
  const rights = asked.rights.data?.rights;
  const ownRole = (name: string) => roles?.find((one) => one.role === name);
  const ownRight = (name: string) => byName(rights).get(name);
  return {
    roles: roles ?? builtInRole.options.map((role) => ({ role, builtIn: true })),
    rights: rights ?? builtIn,
    missing: { roles: missing(asked.roles), rights: missing(asked.rights) },
    role: (name) =>
      builtInRoles.has(name) ? t(`ROLES.${catalogueKey(name)}.LABEL`) : (ownRole(name)?.name ?? name),
    roleHint: (name) =>
      builtInRoles.has(name)
        ? t(`ROLES.${catalogueKey(name)}.DESCRIPTION`)
        : (ownRole(name)?.description ?? ''),
    right: (name) => (builtInRights.has(name) ? t(`RIGHTS.${name}.LABEL`) : (ownRight(name)?.label ?? name)),
    rightHint: (name) =>
      builtInRights.has(name) ? t(`RIGHTS.${name}.DESCRIPTION`) : (ownRight(name)?.description ?? ''),
    area: ({ area, builtIn }) => (builtIn ? t(`HOME.AREAS.${catalogueKey(area)}`) : area),
  };
}

const maps = new WeakMap<readonly CatalogueRight[], Map<string, CatalogueRight>>();

/** The rights by name, built once for each list, since it may have 10,000 rights. */
function byName(rights: readonly CatalogueRight[] | undefined): Map<string, CatalogueRight> {
  if (rights === undefined) return new Map();
  const known = maps.get(rights) ?? new Map(rights.map((one) => [one.right, one]));
  maps.set(rights, known);
  return known;
}
