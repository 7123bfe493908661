import type {
  MaintenanceMode,
  MaintenanceStatus,
  TextByLanguage,
  Severity,
  UpcomingWindow,
  WindowMode,
} from '#features/maintenance/contract/maintenance.ts';
import {
  finishedTextFor,
  type WindowTexts,
  finishedText,
  type FittingText,
  textOfPhase,
} from '#features/maintenance/contract/texts.ts';
import type { WindowPhase } from '#features/maintenance/contract/windows.ts';

/** The manual switch and notice, as stored or followed from another flag host. Milliseconds. */
export type MaintenanceState = {
  mode: MaintenanceMode;
  text: string;
  texts: TextByLanguage;
  severity: Severity;
  expectedEnd: number | null;
  since: number | null;
  /** When it last changed, or null: never. */
  changedAt: number | null;
};

/** The fields of a planned window that decide its phase and texts. */
export type PlannedWindow = {
  id: string;
  title: string;
  text: string;
  texts: WindowTexts;
  severity: Severity;
  mode: WindowMode;
  startsAt: number;
  endsAt: number;
  leadMinutes: number;
  endsByItself: boolean;
  /** The last recorded phase. */
  phase: WindowPhase;
  /** When the window ended or was cancelled. */
  overAt: number | null;
};

/** The stored state from which, together with the time, maintenance follows. */
export type StoredState = {
  manual: MaintenanceState;
  windows: readonly PlannedWindow[];
  /** The time of its last write; 0: never. */
  changedAt: number;
  /** The break-glass file exists: maintenance is off, whatever is set or planned. */
  heldOpen: boolean;
};

/** Maintenance between two phase changes. */
export type MaintenanceAt = Omit<MaintenanceStatus, 'serverTime' | 'returnWithin'>;

/** Maintenance at a point in time. Flags, gate, page and status are derived from it. */
export type MaintenanceNow = MaintenanceAt & {
  returnWithin: number;
  /** Whole seconds after which a refused request may be tried again (RFC 9110, 10.2.3). */
  retryAfter: number;
};

const minute = 60_000;
/** The tolerated difference of two replicas' clocks, within which neither undoes the other's phase. */
export const clockToleranceMs = 5_000;
/** Used while the end is unknown or has passed. */
const retryAfterUnknown = 60;

const order: readonly WindowPhase[] = ['scheduled', 'imminent', 'active', 'overdue', 'ended', 'cancelled'];
const gravity: Record<Severity, number> = { HIGH: 3, MEDIUM: 2, INFO: 1 };
const strictness: Record<MaintenanceMode, number> = { full: 2, 'read-only': 1, off: 0 };

/** Whether phase `one` follows `other`. */
export function isLater(one: WindowPhase, other: WindowPhase): boolean {
  return order.indexOf(one) > order.indexOf(other);
}

/** The planned beginning of a phase; `scheduled` has none. */
export function boundaryOf(window: PlannedWindow, phase: WindowPhase): number {
  switch (phase) {
    case 'imminent':
      return window.startsAt - window.leadMinutes * minute;
    case 'active':
      return window.startsAt;
    case 'overdue':
    case 'ended':
      return window.endsAt;
    default:
      return Number.NEGATIVE_INFINITY;
  }
}

function boundariesOf(window: PlannedWindow): number[] {
  return (['imminent', 'active', 'ended'] as const).map((phase) => boundaryOf(window, phase));
}

function phaseByClock(window: PlannedWindow, now: number): WindowPhase {
  if (now >= window.endsAt) return window.endsByItself || window.mode === 'announce' ? 'ended' : 'overdue';
  if (now >= window.startsAt) return 'active';
  return now >= boundaryOf(window, 'imminent') ? 'imminent' : 'scheduled';
}

/**
 * The phase of a window (MAINT-5). A finished window stays finished. Otherwise the clock decides, but a later
 * phase that another replica has recorded counts where it begins within `clockToleranceMs`. A larger difference
 * means that this clock was set back, and then this clock alone decides.
 */
export function phaseAt(window: PlannedWindow, now: number): WindowPhase {
  if (window.overAt !== null) return window.phase === 'cancelled' ? 'cancelled' : 'ended';
  const byClock = phaseByClock(window, now);
  const reached = window.phase;
  const soon = boundaryOf(window, reached) - now <= clockToleranceMs;
  return isLater(reached, byClock) && soon ? reached : byClock;
}

/** Whether a window is in a later phase than recorded; with `backward` (the clock was set back) in any other one. */
export function isUnrecorded(windows: readonly PlannedWindow[], now: number, backward: boolean): boolean {
  return windows.some((window) => {
    const phase = phaseAt(window, now);
    return backward ? phase !== window.phase : isLater(phase, window.phase);
  });
}

/** A phase that has begun, and when it was due; null: `scheduled`, to which a clock that was set back returns. */
export type PhaseChange = { phase: WindowPhase; due: number | null };

/** The phases after the recorded one up to the present one, in order; empty where the phase has not changed. */
export function phasesUntil(window: PlannedWindow, now: number): PhaseChange[] {
  const phase = phaseAt(window, now);
  if (phase === window.phase) return [];
  const between = isLater(phase, window.phase)
    ? order.filter((one) => isLater(one, window.phase) && isLater(phase, one))
    : [];
  return (
    [...between, phase]
      // A window without a lead time is never imminent, and a window that ends by itself is never overdue.
      .filter((one) => one !== 'imminent' || window.leadMinutes > 0)
      .filter((one) => one !== 'overdue' || phase === 'overdue')
      .map((one) => ({ phase: one, due: one === 'scheduled' ? null : boundaryOf(window, one) }))
  );
}

/** The next time at which the answer of `maintenanceAt` may change for this state; infinite: never. */
export function nextBoundary(windows: readonly PlannedWindow[], now: number): number {
  const times = windows
    .filter(({ overAt }) => overAt === null)
    .flatMap(boundariesOf)
    .flatMap((at) => [at - clockToleranceMs, at])
    .concat(windows.filter((window) => finishedText(window) !== null).map(finishedUntil));
  return Math.min(...times.filter((at) => at > now), Number.POSITIVE_INFINITY);
}

/** A function of state and time alone: one answer for flags, gate, page and status (MAINT-1). */
export function maintenanceAt(state: StoredState, now: number): MaintenanceAt {
  const { manual, heldOpen } = state;
  const open = state.windows
    .filter(({ overAt }) => overAt === null)
    .map((window) => ({ ...window, phase: phaseAt(window, now) }))
    .toSorted((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1));
  const inForce = open.filter(({ phase }) => phase === 'active' || phase === 'overdue');
  const imminent = open.filter(({ phase }) => phase === 'imminent');
  const finished = state.windows.filter(
    (window) => phaseAt(window, now) === 'ended' && finishedText(window) !== null,
  );
  const changedAt = Math.max(
    state.changedAt,
    manual.changedAt ?? 0,
    // A phase change counts from its planned time on, even where another clock has recorded a later one.
    ...open.flatMap(boundariesOf).filter((at) => at <= now),
    ...finished.map(finishedUntil).filter((at) => at <= now),
  );
  if (heldOpen) {
    // A manual notice without maintenance is still true; the text of maintenance that is held off is not.
    const { text, texts } = manual.mode === 'off' ? manual : noText;
    const nothing = { expectedEnd: null, since: null, upcoming: null };
    return { mode: 'off', text, texts, severity: manual.severity, ...nothing, changedAt };
  }
  return {
    ...strictest([manual, ...inForce.map(asSwitch)]),
    ...gravest(
      [
        ...[...inForce, ...imminent].map(asNotice),
        ...finished
          .filter((window) => now < finishedUntil(window))
          .map((window) => asNotice({ ...window, phase: 'ended' })),
      ],
      manual,
    ),
    upcoming: imminent[0] === undefined ? null : asUpcoming(imminent[0]),
    changedAt,
  };
}

type Switch = Pick<MaintenanceState, 'mode' | 'expectedEnd' | 'since'>;

function asSwitch(window: PlannedWindow): Switch {
  const mode = window.mode === 'announce' ? 'off' : window.mode;
  return { mode, expectedEnd: window.endsAt, since: window.startsAt };
}

/**
 * The strictest mode counts; where several switches have it, it lasts from the first beginning until the last end.
 */
function strictest(switches: readonly Switch[]): Switch {
  const most = Math.max(...switches.map(({ mode }) => strictness[mode]));
  const those = switches.filter(({ mode }) => strictness[mode] === most);
  const mode = those[0]?.mode ?? 'off';
  if (mode === 'off') return { mode, expectedEnd: null, since: null };
  const ends = those.flatMap(({ expectedEnd }) => expectedEnd ?? []);
  const beginnings = those.flatMap(({ since }) => since ?? []);
  return {
    mode,
    expectedEnd: ends.length < those.length ? null : Math.max(...ends),
    since: beginnings.length === 0 ? null : Math.min(...beginnings),
  };
}

type NoticeNow = Pick<MaintenanceState, 'text' | 'texts' | 'severity'>;

const noText: FittingText = { text: '', texts: {} };

/** Until when people are shown the text about a window that is over. */
function finishedUntil({ overAt, endsAt }: PlannedWindow): number {
  return (overAt ?? endsAt) + finishedTextFor;
}

/** What people read of a window in its phase. */
export function fittingText(window: Pick<PlannedWindow, 'title' | 'text' | 'texts' | 'phase'>): FittingText {
  switch (window.phase) {
    case 'active':
      return textOfPhase(window, 'during');
    case 'overdue':
      return textOfPhase(window, 'late');
    case 'ended':
      return finishedText(window) ?? noText;
    case 'cancelled':
      return noText;
    case 'scheduled':
    case 'imminent':
      return textOfPhase(window, 'before');
  }
}

function asNotice(window: PlannedWindow): NoticeNow {
  const over = window.overAt !== null || window.phase === 'ended';
  return { ...fittingText(window), severity: over ? 'INFO' : window.severity };
}

/** The most severe notice; among equals windows in force, then imminent ones, then the manual one. */
function gravest(ofWindows: readonly NoticeNow[], manual: NoticeNow): NoticeNow {
  const own: NoticeNow = { text: manual.text, texts: manual.texts, severity: manual.severity };
  const [first = own, ...others] = manual.text === '' ? ofWindows : [...ofWindows, own];
  return others.reduce((best, one) => (gravity[one.severity] > gravity[best.severity] ? one : best), first);
}

function asUpcoming(window: PlannedWindow): UpcomingWindow {
  const { title, mode, startsAt, endsAt } = window;
  return { title, ...asNotice(window), mode, startsAt, endsAt };
}

/** Seconds until the expected end, rounded up. A minute where it is unknown or has passed. */
export function retryAfterAt(expectedEnd: number | null, now: number): number {
  const left = expectedEnd === null ? 0 : Math.ceil((expectedEnd - now) / 1000);
  return left > 0 ? left : retryAfterUnknown;
}

/** Milliseconds over which browsers reconnect: 500 a second, at least two seconds, at most a minute. */
export function returnWithinFor(browsers: number): number {
  return Math.min(60_000, Math.max(2_000, browsers * 2));
}
