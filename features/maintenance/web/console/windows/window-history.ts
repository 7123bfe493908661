import type { MaintenanceHistoryEntry } from '#features/maintenance/contract/windows.ts';

export type PlannedTimes = { startsAt: number; endsAt: number };

type Entry = Pick<MaintenanceHistoryEntry, 'at' | 'deed' | 'startsAt' | 'endsAt'>;

/**
 * Start and end as they were planned last, in milliseconds since the epoch: a start at once moves both, and an extension
 * the end, and neither is the plan.
 *
 * @param window as it is now, for what the history does not have
 * @param history of that window, in any order
 */
export function plannedTimes(window: PlannedTimes, history: readonly Entry[]): PlannedTimes {
  const startedAt = Math.min(...history.filter(({ deed }) => deed === 'started').map(({ at }) => at));
  const plans = history
    .filter(({ deed }) => deed === 'planned' || deed === 'changed')
    .toSorted((a, b) => a.at - b.at);
  return {
    // A change after the start has the actual one.
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
  // What is written in one change has the same time; its ids are in order.
  for (const { at, deed, phase } of entries.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)))
    if (deed === 'warned' || phase === 'imminent') since ??= at;
    else if (phase === 'scheduled') since = null;
  return since;
}
