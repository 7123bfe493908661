/** A first call to try, by right. */
const byRight = [
  ['FLAGS_READ', '/v1/flags'],
  ['PEOPLE_READ', '/v1/people'],
  ['REPORTS_READ', '/v1/reports'],
  ['AUDIT_READ', '/v1/audit'],
  ['SETTINGS_WRITE', '/v1/webhooks'],
  ['MAINTENANCE_WRITE', '/v1/maintenance'],
] as const;

/** Needs no right. */
const withoutRight = '/v1/maintenance/status';

/** The address of a call that a token with these rights may make. */
export function firstCall(rights: readonly string[]): string {
  return byRight.find(([right]) => rights.includes(right))?.[1] ?? withoutRight;
}
