import type { MaintenanceMode, MaintenanceStatus, Severity } from '@portico/contract/maintenance';

/** What is kept, or followed from another flag host. Times in milliseconds since the epoch. */
export type MaintenanceState = {
  mode: MaintenanceMode;
  text: string;
  severity: Severity;
  expectedEnd: number | null;
  since: number | null;
  /** When it last changed, or null: never. */
  changedAt: number | null;
};

/** Maintenance as it is at one moment: everything else (flags, gate, page, status) is read off this. */
export type MaintenanceNow = Omit<MaintenanceStatus, 'serverTime'> & {
  /** Whole seconds after which a refused request may be tried again (RFC 9110, 10.2.3). */
  retryAfter: number;
};

/** While the end is unknown or has passed. */
const retryAfterUnknown = 60;

/** A pure function of state and time: the same answer for the flags, the gate, the page and the status (MAINT-1). */
export function maintenanceAt(state: MaintenanceState, now: number): MaintenanceNow {
  const left = state.expectedEnd === null ? 0 : Math.ceil((state.expectedEnd - now) / 1000);
  return {
    ...state,
    expectedEnd: state.mode === 'off' ? null : state.expectedEnd,
    since: state.mode === 'off' ? null : state.since,
    upcoming: null,
    returnWithin: 2_000,
    changedAt: state.changedAt ?? 0,
    retryAfter: left > 0 ? left : retryAfterUnknown,
  };
}
