import { reservedRightPrefix, type Right, rightCatalogue } from '@portico/contract/permissions';

export type Area = (typeof rightCatalogue)[number]['area'];

/**
 * The rights that are held, by area, both in the order of the catalogue, without the installation's
 * own.
 */
export function rightsByArea(can: (right: string) => boolean): { area: Area; rights: Right[] }[] {
  const areas = new Map<Area, Right[]>();
  for (const { right, area } of rightCatalogue) {
    if (!can(right)) continue;
    const known = areas.get(area);
    if (known === undefined) areas.set(area, [right]);
    else known.push(right);
  }
  return [...areas].map(([area, rights]) => ({ area, rights }));
}

/** The installation's own rights that are held, sorted, without those that flags give. */
export function ownRights(held: Iterable<string>): string[] {
  const known = new Set<string>(rightCatalogue.map(({ right }) => right));
  return [...held].filter((right) => !known.has(right) && !right.startsWith(reservedRightPrefix)).toSorted();
}
