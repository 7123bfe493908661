import type { OutsideProviderSettings } from '#server/config.ts';
import type { ClaimPath } from '#server/config-claim-paths.ts';
import type { ReadClaims } from '#features/session/server/identity.ts';

/** The most roles and the most groups that are read; more would be no list of memberships. */
const mostNames = 1_000;
const longestName = 500;

/**
 * Reads name, email address, roles and groups at the paths that the installation's settings name. `onCut` is called
 * with the number of roles or groups where they are too many, and some are left out.
 */
export function createReadClaims(
  wanted: OutsideProviderSettings['claims'],
  onCut: (found: number) => void = () => undefined,
): ReadClaims {
  function read(claims: Record<string, unknown>, paths: readonly ClaimPath[]): string[] {
    const names = namesAt(claims, paths);
    if (names.length > mostNames) onCut(names.length);
    return names.slice(0, mostNames);
  }
  return (claims, complete) => {
    const { name, email, roles, groups } = wanted;
    const paths = [...roles, ...groups];
    const areListed = complete || firstAt(claims, paths) !== undefined;
    const known = areListed && !isElsewhere(claims, paths);
    return {
      ...(name === null ? {} : { name: firstAt(claims, name) ?? '' }),
      email: firstAt(claims, email),
      groups: known ? { roles: read(claims, roles), groups: read(claims, groups) } : null,
    };
  };
}

function firstAt(claims: Record<string, unknown>, paths: readonly ClaimPath[]): unknown {
  return paths.map((path) => claimAt(claims, path)).find((value) => value !== undefined);
}

/** The names at all paths, unchanged, each once. A value is a list, a single name, or an object whose keys count. */
function namesAt(claims: Record<string, unknown>, paths: readonly ClaimPath[]): string[] {
  const names = paths.flatMap((path): unknown[] => {
    const value = claimAt(claims, path);
    if (Array.isArray(value)) return value;
    return typeof value === 'object' && value !== null ? Object.keys(value) : [value];
  });
  return [...new Set(names.filter(isName))].toSorted();
}

/** PostgreSQL takes neither NUL nor half a character. */
function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= longestName &&
    value.isWellFormed() &&
    !value.includes('\u0000')
  );
}

/**
 * Where there are too many groups for a token, Entra ID refers to another place instead of listing them
 * (OpenID Connect Core 5.6.2). Userinfo may list them.
 */
function isElsewhere(claims: Record<string, unknown>, paths: readonly ClaimPath[]): boolean {
  const elsewhere = claims['_claim_names'];
  return (
    typeof elsewhere === 'object' &&
    elsewhere !== null &&
    paths.some((path) => Object.hasOwn(elsewhere, path[0] ?? '') && claimAt(claims, path) === undefined)
  );
}

/** A claim path as it is configured. */
export function writeClaimPath(path: ClaimPath): string {
  return path.map((key) => key.replaceAll(/[\\.,]/g, (character) => `\\${character}`)).join('.');
}

/** The value at a path; undefined if there is none. */
export function claimAt(claims: Record<string, unknown>, path: ClaimPath): unknown {
  let here: unknown = claims;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || Array.isArray(here) || !Object.hasOwn(here, key))
      return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}
