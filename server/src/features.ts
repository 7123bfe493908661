import type { Migration } from 'kysely/migration';
import type { Manifest } from './feature.ts';
import type { PresentNames } from './features/audit/current-names.ts';
import { apiTokensFeature } from './features/api-tokens/feature.ts';
import { auditFeature } from './features/audit/feature.ts';
import { brandingFeature } from './features/branding/feature.ts';
import { diagnosticsFeature } from './features/diagnostics/feature.ts';
import { directoryFeature } from './features/directory/feature.ts';
import { embedFeature } from './features/embed/feature.ts';
import { erasureFeature } from './features/erasure/feature.ts';
import { eventsFeature } from './features/events/feature.ts';
import { feedbackFeature } from './features/feedback/feature.ts';
import { filesFeature } from './features/files/feature.ts';
import { flagsFeature } from './features/flags/feature.ts';
import { gatewayFeature } from './features/gateway/feature.ts';
import { healthFeature } from './features/health/feature.ts';
import { homeFeature } from './features/home/feature.ts';
import { identityProviderFeature } from './features/identity-provider/feature.ts';
import { mailFeature } from './features/mail/feature.ts';
import { maintenanceFeature } from './features/maintenance/feature.ts';
import { mapFeature } from './features/map/feature.ts';
import { outsideProviderFeature } from './features/outside-provider/feature.ts';
import { overviewFeature } from './features/overview/feature.ts';
import { peopleFeature } from './features/people/feature.ts';
import { permissionsFeature } from './features/permissions/feature.ts';
import { presenceFeature } from './features/presence/feature.ts';
import { profileFeature } from './features/profile/feature.ts';
import { sessionFeature } from './features/session/feature.ts';
import { webPagesFeature } from './features/web-pages/feature.ts';
import { webhooksFeature } from './features/webhooks/feature.ts';
import { firstMigrations } from './platform/database/migrate.ts';
import { platformFates, type Fates } from './platform/database/schema.ts';

/** The capabilities, each above those that it imports; they end from the last to the first. */
export const features = [
  healthFeature,
  auditFeature,
  mailFeature,
  filesFeature,
  presenceFeature,
  profileFeature,
  directoryFeature,
  apiTokensFeature,
  brandingFeature,
  webhooksFeature,
  maintenanceFeature,
  permissionsFeature,
  feedbackFeature,
  flagsFeature,
  sessionFeature,
  diagnosticsFeature,
  peopleFeature,
  identityProviderFeature,
  outsideProviderFeature,
  erasureFeature,
  eventsFeature,
  homeFeature,
  overviewFeature,
  embedFeature,
  gatewayFeature,
  webPagesFeature,
  mapFeature,
] as const;

type TableOf<M> = M extends Manifest<infer Table> ? Table : never;
type Declared = keyof typeof platformFates | TableOf<(typeof features)[number]>;

/** The fate of every text column. While no manifest declares the fates of a table, this does not compile. */
export const fates: Fates = Object.assign({}, platformFates, ...features.map((one) => one.fates)) as Pick<
  Fates,
  Declared
>;

/** What the audit shows as the present names of subjects. */
export const presentNames = Object.assign({}, ...features.map((one) => one.names)) as PresentNames;

/** Every migration, oldest first. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  [firstMigrations, ...features.map((one) => one.migrations ?? {})]
    .flatMap((some) => Object.entries(some))
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
);
