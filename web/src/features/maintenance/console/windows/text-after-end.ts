import { finishedTextFor } from '@portico/contract/maintenance/texts';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import { finishedText } from '@portico/contract/rules/window-texts';

/** Until when people read a text of a window that has ended; null where they read none. */
export function textReadUntil(window: Pick<MaintenanceWindow, 'texts' | 'overAt' | 'phase'>): number | null {
  if (window.phase !== 'ended' || window.overAt === null || finishedText(window) === null) return null;
  return window.overAt + finishedTextFor;
}

export function isTextRead(window: Parameters<typeof textReadUntil>[0], now: number): boolean {
  const until = textReadUntil(window);
  return until !== null && now < until;
}
