import { finishedTextFor } from '#features/maintenance/contract/texts.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { finishedText } from '#features/maintenance/contract/window-texts.ts';

/** Until when people read a text of a window that has ended; null where they read none. */
export function textReadUntil(window: Pick<MaintenanceWindow, 'texts' | 'overAt' | 'phase'>): number | null {
  if (window.phase !== 'ended' || window.overAt === null || finishedText(window) === null) return null;
  return window.overAt + finishedTextFor;
}

export function isTextRead(window: Parameters<typeof textReadUntil>[0], now: number): boolean {
  const until = textReadUntil(window);
  return until !== null && now < until;
}
