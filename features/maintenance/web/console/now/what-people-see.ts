import type { MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { countdownText } from '../../countdown.ts';
import { phaseAt } from '../windows/phase-at.ts';

type Shown = {
  mode: MaintenanceMode;
  /** The text of the notice; empty: there is none. */
  text: string;
  heldOpen: boolean;
  /** The window that matters now. */
  window: MaintenanceWindow | null;
  /** Milliseconds since the epoch by the server. */
  now: number;
};

/** What people see of maintenance now. The notice shows a clock only on the last day before the start. */
export function whatPeopleSee({
  mode,
  text,
  heldOpen,
  window,
  now,
}: Shown): 'PAGE' | 'READ_ONLY' | 'COUNTDOWN' | 'DATE' | 'NOTICE' | 'NOTHING' {
  if (mode === 'full') return 'PAGE';
  if (mode === 'read-only') return 'READ_ONLY';
  if (!heldOpen && window !== null && phaseAt(window, now) === 'imminent')
    return countdownText(window.startsAt - now) === null ? 'DATE' : 'COUNTDOWN';
  return text === '' ? 'NOTHING' : 'NOTICE';
}
