import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';

/** A window of an hour from that time on. */
export function windowAt(startsAt: number, change: Partial<MaintenanceWindow> = {}): MaintenanceWindow {
  return {
    id: 'w1',
    title: 'Database upgrade',
    text: '',
    texts: {},
    severity: 'MEDIUM',
    mode: 'full',
    leadMinutes: 15,
    endsByItself: true,
    startsAt,
    endsAt: startsAt + 3_600_000,
    timeZone: null,
    phase: 'scheduled',
    overAt: null,
    createdAt: startsAt - 86_400_000,
    createdBy: 'Olga',
    changedAt: startsAt - 86_400_000,
    changedBy: 'Olga',
    version: 1,
    ...change,
  };
}
