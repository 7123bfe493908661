import type { Feature, Screen } from './feature.ts';
import { apiTokensFeature } from './features/api-tokens/feature.ts';
import { auditFeature } from './features/audit/feature.ts';
import { brandingFeature } from './features/branding/feature.ts';
import { diagnosticsFeature } from './features/diagnostics/feature.ts';
import { erasureFeature } from './features/erasure/feature.ts';
import { feedbackFeature } from './features/feedback/feature.ts';
import { flagsFeature } from './features/flags/feature.ts';
import { gatewayFeature } from './features/gateway/feature.ts';
import { homeFeature } from './features/home/feature.ts';
import { maintenanceFeature } from './features/maintenance/feature.ts';
import { mapFeature } from './features/map/feature.ts';
import { overviewFeature } from './features/overview/feature.ts';
import { peopleFeature } from './features/people/feature.ts';
import { permissionsFeature } from './features/permissions/feature.ts';
import { profileFeature } from './features/profile/feature.ts';
import { sessionFeature } from './features/session/feature.ts';
import { settingsFeature } from './features/settings/feature.ts';
import { webhooksFeature } from './features/webhooks/feature.ts';

/** Every feature that has screens: an import and an entry. Their order is that of the navigation. */
const features: readonly Feature[] = [
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
  apiTokensFeature,
  brandingFeature,
  gatewayFeature,
];

/** Every screen of the application, with its files from the folder of the features. */
export const screens: readonly Screen[] = features.flatMap(({ name, screens: own }) =>
  own.map((screen) => {
    const file = `${name}/${screen.file}`;
    const badge = screen.badge && `${name}/${screen.badge}`;
    return { texts: screen.title.split('.', 1), ...screen, file, badge };
  }),
);
