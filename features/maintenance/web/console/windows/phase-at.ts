import type { MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';
import { finishedTextFor, finishedText } from '#features/maintenance/contract/texts.ts';
import type { MaintenanceWindow, WindowPhase } from '#features/maintenance/contract/windows.ts';
import { countdownText } from '../../countdown.ts';

const minute = 60_000;

type Timed = Pick<
  MaintenanceWindow,
  'startsAt' | 'endsAt' | 'leadMinutes' | 'mode' | 'endsByItself' | 'phase' | 'overAt'
>;

/** When the lead time of a window begins, in milliseconds since the epoch. */
export function leadBeginsAt({ startsAt, leadMinutes }: Pick<Timed, 'startsAt' | 'leadMinutes'>): number {
  return startsAt - leadMinutes * minute;
}

/** When people are first notified of a window, in milliseconds since the epoch; null: they are not. */
export function notifiedFrom(window: Pick<MaintenanceWindow, 'startsAt' | 'leadMinutes' | 'createdAt'>) {
  return window.leadMinutes === 0 ? null : Math.max(leadBeginsAt(window), window.createdAt);
}

/**
 * The phase of a window at an instant, by the rule of MAINT-5: so the screen shows a new phase at once, before the
 * server's next answer. A window that the server reported as over stays over.
 *
 * @param now milliseconds since the epoch by the server
 */
export function phaseAt(window: Timed, now: number): WindowPhase {
  if (window.overAt !== null || window.phase === 'ended' || window.phase === 'cancelled') return window.phase;
  if (now < leadBeginsAt(window)) return 'scheduled';
  if (now < window.startsAt) return 'imminent';
  if (now < window.endsAt) return 'active';
  return window.endsByItself || window.mode === 'announce' ? 'ended' : 'overdue';
}

/** Whether a window in this phase is in force, on time or not. */
export function isRunning(phase: WindowPhase): boolean {
  return phase === 'active' || phase === 'overdue';
}

const order: Record<WindowPhase, number> = {
  overdue: 0,
  active: 0,
  imminent: 1,
  scheduled: 2,
  ended: 3,
  cancelled: 3,
};

/** The window that matters now: one in force, else the next; null: none is planned. */
export function currentWindow<W extends Timed>(windows: readonly W[], now: number): W | null {
  const standing = windows
    .filter((window) => order[phaseAt(window, now)] < 3)
    .toSorted((a, b) => order[phaseAt(a, now)] - order[phaseAt(b, now)] || a.startsAt - b.startsAt);
  return standing[0] ?? null;
}

/** Whether two spans overlap; one that ends when the other starts does not. */
export function overlaps(
  a: { startsAt: number; endsAt: number },
  b: { startsAt: number; endsAt: number },
): boolean {
  return a.startsAt < b.endsAt && b.startsAt < a.endsAt;
}

/** When the text about a window that has ended stops being shown; null if it has none. */
export function textReadUntil(window: Pick<MaintenanceWindow, 'texts' | 'overAt' | 'phase'>): number | null {
  if (window.phase !== 'ended' || window.overAt === null || finishedText(window) === null) return null;
  return window.overAt + finishedTextFor;
}

export function isTextRead(window: Parameters<typeof textReadUntil>[0], now: number): boolean {
  const until = textReadUntil(window);
  return until !== null && now < until;
}

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
