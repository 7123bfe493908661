import { listAudit } from '@portico/contract/audit';
import { listReports } from '@portico/contract/feedback/inbox';
import { listFlags } from '@portico/contract/flags';
import { getMaintenanceStatus } from '@portico/contract/maintenance';
import { getMaintenance } from '@portico/contract/maintenance/settings';
import { listPeople } from '@portico/contract/people';
import { listWebhooks } from '@portico/contract/webhooks';
import { expect, it } from 'vitest';
import { firstCall } from './first-call.ts';

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
