import type { Catalogue } from './i18n.ts';

/**
 * Merges catalogues that share upper levels, such as `COMMON`; of two texts under one key the later one is
 * used.
 */
export function mergeCatalogues(parts: readonly Catalogue[]): Catalogue {
  const merged: Catalogue = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const known = merged[key];
      merged[key] =
        typeof value === 'object' && typeof known === 'object' ? mergeCatalogues([known, value]) : value;
    }
  }
  return merged;
}
