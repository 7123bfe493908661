import type { MaintenanceHistoryEntry } from '#features/maintenance/contract/windows.ts';

/**
 * Since when people have been warned of a window, by its history; null: not yet, or unknown. A postponed
 * start takes a warning back; a change during the warning does not.
 *
 * @param entries the history of that window, in any order
 */
export function warnedAt(
  entries: readonly Pick<MaintenanceHistoryEntry, 'id' | 'at' | 'deed' | 'phase'>[],
): number | null {
  let since: number | null = null;
  // What is written in one change has the same time; its ids are in order.
  for (const { at, deed, phase } of entries.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)))
    if (deed === 'warned' || phase === 'imminent') since ??= at;
    else if (phase === 'scheduled') since = null;
  return since;
}
