import * as apiTokens from '#features/api-tokens/contract/feature.ts';
import * as audit from '#features/audit/contract/feature.ts';
import * as backup from '#features/backup/contract/feature.ts';
import * as branding from '#features/branding/contract/feature.ts';
import * as diagnostics from '#features/diagnostics/contract/feature.ts';
import * as erasure from '#features/erasure/contract/feature.ts';
import * as feedback from '#features/feedback/contract/feature.ts';
import * as files from '#features/files/contract/feature.ts';
import * as flags from '#features/flags/contract/feature.ts';
import * as health from '#features/health/contract/feature.ts';
import * as home from '#features/home/contract/feature.ts';
import * as identityProvider from '#features/identity-provider/contract/feature.ts';
import * as maintenance from '#features/maintenance/contract/feature.ts';
import * as map from '#features/map/contract/feature.ts';
import * as outsideProvider from '#features/outside-provider/contract/feature.ts';
import * as overview from '#features/overview/contract/feature.ts';
import * as people from '#features/people/contract/feature.ts';
import * as permissions from '#features/permissions/contract/feature.ts';
import * as profile from '#features/profile/contract/feature.ts';
import * as session from '#features/session/contract/feature.ts';
import * as views from '#features/views/contract/feature.ts';
import * as webhooks from '#features/webhooks/contract/feature.ts';

/** What each capability says about its rights, in the order of the screens. */
export const rights = [
  flags.rights,
  maintenance.rights,
  people.rights,
  feedback.rights,
  diagnostics.rights,
  audit.rights,
  // Covers all pages of the settings, whichever capability they belong to.
  [{ right: 'SETTINGS_WRITE', area: 'settings', roles: [] }] as const,
  map.rights,
];

/** What each capability says about the audit. */
export const audits = [
  apiTokens.audit,
  backup.audit,
  branding.audit,
  diagnostics.audit,
  erasure.audit,
  feedback.audit,
  files.audit,
  flags.audit,
  health.audit,
  home.audit,
  identityProvider.audit,
  maintenance.audit,
  map.audit,
  outsideProvider.audit,
  overview.audit,
  people.audit,
  permissions.audit,
  profile.audit,
  session.audit,
  views.audit,
  webhooks.audit,
];
