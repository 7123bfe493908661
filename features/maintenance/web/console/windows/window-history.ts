import type { MaintenanceHistoryEntry } from '#features/maintenance/contract/windows.ts';

export type PlannedTimes = { startsAt: number; endsAt: number };

type Entry = Pick<MaintenanceHistoryEntry, 'at' | 'deed' | 'startsAt' | 'endsAt'>;

/**
 * The last planned start and end, in milliseconds since the epoch. A start at once moves both and an extension
 * moves the end, but neither changes the plan.
 *
 * @param window the window as it is now, for what the history does not have
 * @param history of that window, in any order
 */
export function plannedTimes(window: PlannedTimes, history: readonly Entry[]): PlannedTimes {
  const startedAt = Math.min(...history.filter(({ deed }) => deed === 'started').map(({ at }) => at));
  const plans = history
    .filter(({ deed }) => deed === 'planned' || deed === 'changed')
    .toSorted((a, b) => a.at - b.at);
  return {
    // A change after the start holds the actual start, not the planned one.
    startsAt: plans.findLast(({ at }) => at <= startedAt)?.startsAt ?? window.startsAt,
    endsAt: plans.at(-1)?.endsAt ?? window.endsAt,
  };
}

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
  // Entries of one change have the same time; their ids are in order.
  for (const { at, deed, phase } of entries.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)))
    if (deed === 'warned' || phase === 'imminent') since ??= at;
    else if (phase === 'scheduled') since = null;
  return since;
}
