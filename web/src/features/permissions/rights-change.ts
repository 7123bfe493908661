import { maintenanceFlag } from '@portico/contract/maintenance';
import { reservedRightPrefix } from '@portico/contract/permissions';

export type RightsChange = { readonly gained: readonly string[]; readonly lost: readonly string[] };

/** While it is held, a change is taken over silently (RIGHT-6). */
export const silencingRight = `${reservedRightPrefix}${maintenanceFlag}`;

/**
 * What the warning says about a new list of the server's, or null where there is nothing to warn of (RIGHT-6):
 *
 * 1. Without a list before it nothing has changed: the first load, and the first success after a failed one.
 * 2. Only the server's list counts, as a set; rights that begin with `FF_` come from flags.
 * 3. While FF_MAINTENANCE is held a change is taken over silently.
 */
export function rightsChange(
  before: readonly string[] | null,
  after: readonly string[],
  held: ReadonlySet<string>,
): RightsChange | null {
  if (before === null || held.has(silencingRight)) return null;
  const gained = without(after, before);
  const lost = without(before, after);
  return gained.length === 0 && lost.length === 0 ? null : { gained, lost };
}

function without(rights: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  const left = rights.filter((right) => !known.has(right) && !right.startsWith(reservedRightPrefix));
  return [...new Set(left)].toSorted();
}
