import type { WindowMode } from '@portico/contract/maintenance';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import { isRunning, phaseAt } from '../windows/phase-at.ts';
import type { WindowDraft } from './plan-form.ts';

/** What saving does to people at once: it begins, it ends, or it becomes another mode while it lasts. */
export type AtOnce = 'begins' | 'ends' | 'mode';

const minute = 60_000;
const strictness: Record<WindowMode, number> = { announce: 0, 'read-only': 1, full: 2 };

/**
 * What people would notice within a minute of saving, beyond what they would notice anyway; null: nothing.
 *
 * @param window as it was; null: a new one
 * @param now milliseconds since the epoch by the server
 */
export function atOnce(
  window: MaintenanceWindow | null,
  draft: Pick<WindowDraft, 'mode' | 'endsByItself' | 'leadMinutes'>,
  span: { startsAt: number; endsAt: number },
  now: number,
): AtOnce | null {
  const soon = now + minute;
  const before = window === null ? null : phaseAt(window, now);
  const after = phaseAt({ ...draft, ...span, phase: 'scheduled', overAt: null }, soon);
  if (window === null || before === null || !isRunning(before)) {
    const anyway = window !== null && isRunning(phaseAt(window, soon)) && window.mode === draft.mode;
    return after === 'scheduled' || after === 'imminent' || anyway ? null : 'begins';
  }
  if (window.mode !== draft.mode) return 'mode';
  return after === 'ended' && phaseAt(window, soon) !== 'ended' ? 'ends' : null;
}

/** Whether it keeps people from more than before. */
export function isStricter(mode: WindowMode, than: WindowMode | null): boolean {
  return strictness[mode] > (than === null ? 0 : strictness[than]);
}
