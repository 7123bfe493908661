import type { WindowMode } from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { isRunning, phaseAt } from '../windows/phase-at.ts';
import type { WindowDraft } from './plan-form.ts';

/** The immediate effect of saving: maintenance begins, ends, or gets another mode. */
export type AtOnce = 'begins' | 'ends' | 'mode';

const minute = 60_000;
const strictness: Record<WindowMode, number> = { announce: 0, 'read-only': 1, full: 2 };

/**
 * The effect of saving that people would notice within a minute; null: none, or the same as without saving.
 *
 * @param window the window before the change; null: a new window
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

/** Whether a mode prevents more than another. */
export function isStricter(mode: WindowMode, than: WindowMode | null): boolean {
  return strictness[mode] > (than === null ? 0 : strictness[than]);
}
