import type { Migration } from 'kysely/migration';
import { feature, type Manifest } from './feature.ts';
import type { PresentNames } from '#features/audit/server/current-names.ts';
import { apiTokensFeature } from '#features/api-tokens/server/feature.ts';
import { auditFeature } from '#features/audit/server/feature.ts';
import { backupFeature } from '#features/backup/server/feature.ts';
import { brandingFeature } from '#features/branding/server/feature.ts';
import { diagnosticsFeature } from '#features/diagnostics/server/feature.ts';
import { directoryFeature } from '#features/directory/server/feature.ts';
import { embedFeature } from '#features/embed/server/feature.ts';
import { erasureFeature } from '#features/erasure/server/feature.ts';
import { eventsFeature } from '#features/events/server/feature.ts';
import { feedbackFeature } from '#features/feedback/server/feature.ts';
import { filesFeature } from '#features/files/server/feature.ts';
import { flagsFeature } from '#features/flags/server/feature.ts';
import { gatewayFeature } from '#features/gateway/server/feature.ts';
import { healthFeature } from '#features/health/server/feature.ts';
import { homeFeature } from '#features/home/server/feature.ts';
import { identityProviderFeature } from '#features/identity-provider/server/feature.ts';
import { mailFeature } from '#features/mail/server/feature.ts';
import { maintenanceFeature } from '#features/maintenance/server/feature.ts';
import { mapFeature } from '#features/map/server/feature.ts';
import { metricsFeature } from '#features/metrics/server/feature.ts';
import { outsideProviderFeature } from '#features/outside-provider/server/feature.ts';
import { overviewFeature } from '#features/overview/server/feature.ts';
import { peopleFeature } from '#features/people/server/feature.ts';
import { permissionsFeature } from '#features/permissions/server/feature.ts';
import { presenceFeature } from '#features/presence/server/feature.ts';
import { profileFeature } from '#features/profile/server/feature.ts';
import { sessionFeature } from '#features/session/server/feature.ts';
import { viewsFeature } from '#features/views/server/feature.ts';
import { webPagesFeature } from '#features/web-pages/server/feature.ts';
import { webhooksFeature } from '#features/webhooks/server/feature.ts';
import { firstMigrations } from './platform/database/migrate.ts';
import type { Fates } from './platform/database/schema.ts';

/** The capabilities, each above those that it imports; they end from the last to the first. */
export const features = [
  healthFeature,
  metricsFeature,
  auditFeature,
  backupFeature,
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
  viewsFeature,
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

/** The tables and migrations that no capability owns. */
const platform = feature({
  fates: {
    revision: {},
    changed: { 'not personal': ['topic'], id: ['key'] },
    // All rows are deleted, since a stored answer can name anyone.
    creation: { own: ['key_hash', 'caller', 'content', 'answer'] },
    setting: { 'not personal': ['name', 'value'] },
    signing_key: { 'not personal': ['kid', 'purpose', 'jwk'] },
    removed_content: { 'not personal': ['hash'] },
    file_chunk: { 'not personal': ['hash'] },
    object_content: { 'not personal': ['hash', 'state'] },
  },
  migrations: firstMigrations,
});
const all = [platform, ...features] as const;

type TableOf<M> = M extends Manifest<infer F> ? keyof F : never;

/** The fate of every text column. While no manifest declares the fates of a table, this does not compile. */
export const fates: Fates = Object.assign({}, ...all.map((one) => one.fates)) as Pick<
  Fates,
  TableOf<(typeof all)[number]>
>;

/** What the audit shows as the present names of subjects. */
export const presentNames = Object.assign({}, ...all.map((one) => one.names)) as PresentNames;

/** Every migration, oldest first. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  all
    .flatMap((one) => Object.entries(one.migrations ?? {}))
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
);
