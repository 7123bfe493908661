import type { OverviewWindow } from '#features/overview/contract/overview.ts';
import type { Core } from '#server/core.ts';
import { phaseAt } from '#features/maintenance/server/maintenance-at.ts';
import { openWindows } from '#features/maintenance/server/windows.store.ts';

export type WindowsNow = {
  /** Those that are not over by the clock, the next first. */
  windows: OverviewWindow[];
  /** A file overrides maintenance. */
  heldOpen: boolean;
};

/** The windows as the clock has them, which may be a moment ahead of what is recorded. */
export async function windowsNow({ database, clock }: Core, heldOpen: () => boolean): Promise<WindowsNow> {
  const now = clock.now();
  const windows = (await openWindows(database.read)).map((window): OverviewWindow => ({
    ...window,
    phase: phaseAt(window, now),
  }));
  return { windows: windows.filter(({ phase }) => phase !== 'ended'), heldOpen: heldOpen() };
}
