import type { Feature, Screen } from './feature.ts';
import { apiTokensFeature } from '#features/api-tokens/web/feature.ts';
import { auditFeature } from '#features/audit/web/feature.ts';
import { backupFeature } from '#features/backup/web/feature.ts';
import { brandingFeature } from '#features/branding/web/feature.ts';
import { diagnosticsFeature } from '#features/diagnostics/web/feature.ts';
import { erasureFeature } from '#features/erasure/web/feature.ts';
import { feedbackFeature } from '#features/feedback/web/feature.ts';
import { flagsFeature } from '#features/flags/web/feature.ts';
import { gatewayFeature } from '#features/gateway/web/feature.ts';
import { healthFeature } from '#features/health/web/feature.ts';
import { homeFeature } from '#features/home/web/feature.ts';
import { maintenanceFeature } from '#features/maintenance/web/feature.ts';
import { identityProviderFeature } from '#features/identity-provider/web/feature.ts';
import { mapFeature } from '#features/map/web/feature.ts';
import { overviewFeature } from '#features/overview/web/feature.ts';
import { peopleFeature } from '#features/people/web/feature.ts';
import { permissionsFeature } from '#features/permissions/web/feature.ts';
import { profileFeature } from '#features/profile/web/feature.ts';
import { sessionFeature } from '#features/session/web/feature.ts';
import { settingsFeature } from '#features/settings/web/feature.ts';
import { webhooksFeature } from '#features/webhooks/web/feature.ts';

/** Every feature that has screens, in the order of the navigation. A new feature needs an import and an entry. */
const features: readonly Feature[] = [
  brandingFeature,
  homeFeature,
  profileFeature,
  sessionFeature,
  overviewFeature,
  auditFeature,
  webhooksFeature,
  mapFeature,
  feedbackFeature,
  maintenanceFeature,
  flagsFeature,
  peopleFeature,
  permissionsFeature,
  erasureFeature,
  diagnosticsFeature,
  settingsFeature,
  identityProviderFeature,
  apiTokensFeature,
  backupFeature,
  healthFeature,
  gatewayFeature,
];

/** Every screen of the application; its files are paths below the folder of the features. */
export const screens: readonly Screen[] = features.flatMap(({ name, screens: own }) =>
  own.map((screen) => {
    const file = `${name}/web/${screen.file}`;
    const badge = screen.badge && `${name}/web/${screen.badge}`;
    const texts = [screen.texts ?? screen.title.split('.', 1)].flat();
    // Operators save and remove with the same words everywhere.
    return { ...screen, texts: screen.right === undefined ? texts : [...texts, 'EDITING'], file, badge };
  }),
);
