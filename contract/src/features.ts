import * as apiTokens from './api-tokens/feature.ts';
import * as audit from './audit/feature.ts';
import * as backup from './backup/feature.ts';
import * as branding from './branding/feature.ts';
import * as diagnostics from './diagnostics/feature.ts';
import * as erasure from './erasure/feature.ts';
import * as feedback from './feedback/feature.ts';
import * as files from './files/feature.ts';
import * as flags from './flags/feature.ts';
import * as home from './home/feature.ts';
import * as identityProvider from './identity-provider/feature.ts';
import * as maintenance from './maintenance/feature.ts';
import * as map from './map/feature.ts';
import * as outsideProvider from './outside-provider/feature.ts';
import * as people from './people/feature.ts';
import * as permissions from './permissions/feature.ts';
import * as profile from './profile/feature.ts';
import * as session from './session/feature.ts';
import * as settings from './settings/feature.ts';
import * as webhooks from './webhooks/feature.ts';

/** What each capability says about its rights, in the order of the screens. */
export const rights = [
  flags.rights,
  maintenance.rights,
  people.rights,
  feedback.rights,
  diagnostics.rights,
  audit.rights,
  settings.rights,
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
  home.audit,
  identityProvider.audit,
  maintenance.audit,
  map.audit,
  outsideProvider.audit,
  people.audit,
  permissions.audit,
  profile.audit,
  session.audit,
  webhooks.audit,
];
