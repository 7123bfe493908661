import { listAudit } from '#features/audit/contract/audit.ts';
import { listReports } from '#features/feedback/contract/inbox.ts';
import { listFlags } from '#features/flags/contract/flags.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { getMaintenance } from '#features/maintenance/contract/settings.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { listWebhooks } from '#features/webhooks/contract/webhooks.ts';
import { expect, it } from 'vitest';
import { firstCall } from './create-token-dialog.tsx';

it.each([
  ['FLAGS_READ', listFlags],
  ['PEOPLE_READ', listPeople],
  ['REPORTS_READ', listReports],
  ['AUDIT_READ', listAudit],
  ['SETTINGS_WRITE', listWebhooks],
  ['MAINTENANCE_WRITE', getMaintenance],
] as const)(
  'SES-9: a token with %s is shown with a call that it may make',
  (right, { method, path, access }) => {
    expect([method, access, firstCall(['OWN_RIGHT', right])]).toEqual(['GET', { right }, path]);
  },
);

it('SES-9: a token that reads nothing here is shown with a call that needs no right', () => {
  expect([getMaintenanceStatus.access, firstCall(['OWN_RIGHT', 'FLAGS_WRITE', 'MAP_VIEW'])]).toEqual([
    'public',
    getMaintenanceStatus.path,
  ]);
});
