import type { MaintenanceStatus } from '../maintenance.ts';

/** No maintenance, no notice and nothing planned. */
export const openStatus: Omit<MaintenanceStatus, 'serverTime'> = {
  mode: 'off',
  text: '',
  texts: {},
  severity: 'HIGH',
  expectedEnd: null,
  since: null,
  upcoming: null,
  returnWithin: 2_000,
  changedAt: 0,
};
