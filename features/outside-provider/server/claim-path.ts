import type { ClaimPath } from '#server/config-claim-paths.ts';

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
