import type { ComponentType } from 'react';

const loaders = {
  MyReports: async () => (await import('./my-reports.tsx')).MyReports,
  Profile: async () => (await import('./profile.tsx')).Profile,
  OwnSessionsScreen: async () =>
    (await import('../features/own-sessions/own-sessions-screen.tsx')).OwnSessionsScreen,
  FlagsScreen: async () => (await import('../features/flags/console/flags-screen.tsx')).FlagsScreen,
  MaintenanceConsole: async () =>
    (await import('../features/maintenance/console/maintenance-screen.tsx')).MaintenanceConsole,
  PeopleScreen: async () => (await import('../features/people/people-screen.tsx')).PeopleScreen,
  RolesScreen: async () => (await import('../features/roles/roles-screen.tsx')).RolesScreen,
  PersonDataScreen: async () => (await import('../features/erasure/person-data-screen.tsx')).PersonDataScreen,
  Inbox: async () => (await import('./inbox.tsx')).Inbox,
  AuditScreen: async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen,
  WebhooksScreen: async () => (await import('../features/webhooks/webhooks-screen.tsx')).WebhooksScreen,
  SettingsScreen: async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
  ApiTokensScreen: async () => (await import('../features/api-tokens/api-tokens-screen.tsx')).ApiTokensScreen,
  ClientKeysScreen: async () =>
    (await import('../features/client-keys/client-keys-screen.tsx')).ClientKeysScreen,
  BrandingScreen: async () => (await import('../features/branding/branding-screen.tsx')).BrandingScreen,
  RetentionScreen: async () => (await import('../features/erasure/retention-screen.tsx')).RetentionScreen,
};
export type LateScreen = keyof typeof loaders;

/** Downloads a screen, and what keeps lists, since nearly every screen but the home screen has one. */
export async function loadScreen(name: LateScreen): Promise<ComponentType> {
  const [{ withQueries }, screen] = await Promise.all([import('./with-queries.tsx'), loaders[name]()]);
  return withQueries(screen);
}
