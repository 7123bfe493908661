import type { MaintenanceHistoryEntry } from '@portico/contract/maintenance/windows';

/**
 * Since when people have been warned of a window, by what has happened to it; null: they have not been, or it is not known. A start
 * that is put off takes a warning back; a change while they are warned does not.
 *
 * @param entries what has happened to that window, in any order
 */
export function warnedAt(
  entries: readonly Pick<MaintenanceHistoryEntry, 'at' | 'deed' | 'phase'>[],
): number | null {
  let since: number | null = null;
  for (const { at, deed, phase } of entries.toSorted((a, b) => a.at - b.at))
    if (deed === 'warned' || phase === 'imminent') since ??= at;
    else if (phase === 'scheduled') since = null;
  return since;
}
