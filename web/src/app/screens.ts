import type { ComponentType } from 'react';
import type { Right } from '@portico/contract/permissions';
import type { IconName } from '../ui/icon.tsx';
import type { LatePart } from './catalogue.ts';

/** A right of your own, by its name in the catalogue. */
type OwnRight = string & Record<never, never>;

export type Screen = {
  /** Its address; `$name` is a parameter. */
  path: string;
  /** Key of its name in the catalogues: in the navigation and in the title of the window. */
  title: string;
  /** Key of one line about it, for the home screen. */
  description?: string;
  /** Whom it is for; left out: everybody who is signed in. The server decides what it answers all the same (RIGHT-8). */
  right?: Right | OwnRight;
  /** Where it stands: in the top bar, in the console's side navigation, or nowhere. */
  nav: 'main' | 'console' | 'none';
  icon?: IconName;
  /** The texts that come with it; left out: those that are always there are enough. */
  texts?: LatePart | readonly LatePart[];
  /** Downloads it when it is first opened. */
  load: () => Promise<ComponentType>;
};

/** A screen with lists; what keeps them comes with the first such screen, since the home screen does not need it. */
function withLists(load: Screen['load']): Screen['load'] {
  return async () => {
    const [{ withQueries }, screen] = await Promise.all([import('./with-queries.tsx'), load()]);
    return withQueries(screen);
  };
}

/** Every screen of the application, in the order of the navigation. One entry adds a screen. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    title: 'HOME.TITLE',
    nav: 'main',
    icon: 'home',
    load: async () => (await import('./home.tsx')).Home,
  },
  {
    path: '/my-reports',
    title: 'MY_REPORTS.TITLE',
    description: 'MY_REPORTS.LEAD',
    nav: 'main',
    icon: 'bug',
    texts: ['feedback/member', 'feedback/report/pictures'],
    load: withLists(async () => (await import('./my-reports.tsx')).MyReports),
  },
  {
    path: '/profile',
    title: 'PROFILE.TITLE',
    nav: 'none',
    icon: 'person',
    texts: ['profile/member', 'erasure'],
    load: withLists(async () => (await import('./profile.tsx')).Profile),
  },
  {
    path: '/sessions',
    title: 'OWN_SESSIONS.TITLE',
    nav: 'none',
    icon: 'monitor',
    texts: 'own-sessions',
    load: withLists(
      async () => (await import('../features/own-sessions/own-sessions-screen.tsx')).OwnSessionsScreen,
    ),
  },
  {
    path: '/flags',
    title: 'FLAGS.TITLE',
    description: 'FLAGS.LEAD',
    right: 'FLAGS_READ',
    nav: 'console',
    icon: 'flag',
    texts: 'flags/console',
    load: withLists(async () => (await import('../features/flags/console/flags-screen.tsx')).FlagsScreen),
  },
  {
    path: '/maintenance',
    title: 'MAINTENANCE.CONSOLE.TITLE',
    description: 'MAINTENANCE.CONSOLE.LEAD',
    right: 'MAINTENANCE_WRITE',
    nav: 'console',
    icon: 'wrench',
    texts: 'maintenance/console',
    load: withLists(
      async () => (await import('../features/maintenance/console/maintenance-screen.tsx')).MaintenanceConsole,
    ),
  },
  {
    path: '/people',
    title: 'PEOPLE.TITLE',
    description: 'PEOPLE.LEAD',
    right: 'PEOPLE_READ',
    nav: 'console',
    icon: 'people',
    texts: 'people',
    load: withLists(async () => (await import('../features/people/people-screen.tsx')).PeopleScreen),
  },
  {
    path: '/roles',
    title: 'ROLES_AND_RIGHTS.TITLE',
    description: 'ROLES_AND_RIGHTS.LEAD',
    right: 'PEOPLE_READ',
    nav: 'console',
    icon: 'shield',
    texts: 'roles',
    load: withLists(async () => (await import('../features/roles/roles-screen.tsx')).RolesScreen),
  },
  {
    path: '/people/$personId/data',
    title: 'PAGES.PERSON_DATA',
    right: 'PEOPLE_WRITE',
    nav: 'none',
    texts: 'erasure',
    load: withLists(
      async () => (await import('../features/erasure/person-data-screen.tsx')).PersonDataScreen,
    ),
  },
  {
    path: '/reports',
    title: 'REPORTS.TITLE',
    description: 'REPORTS.LEAD',
    right: 'REPORTS_READ',
    nav: 'console',
    icon: 'inbox',
    texts: ['feedback/console', 'feedback/report/pictures', 'erasure'],
    load: withLists(async () => (await import('./inbox.tsx')).Inbox),
  },
  {
    path: '/audit',
    title: 'AUDIT.TITLE',
    description: 'AUDIT.LEAD',
    right: 'AUDIT_READ',
    nav: 'console',
    icon: 'list',
    texts: 'audit',
    load: withLists(async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen),
  },
  {
    path: '/webhooks',
    title: 'WEBHOOKS.TITLE',
    description: 'WEBHOOKS.LEAD',
    right: 'SETTINGS_WRITE',
    nav: 'console',
    icon: 'external',
    texts: 'webhooks',
    load: withLists(async () => (await import('../features/webhooks/webhooks-screen.tsx')).WebhooksScreen),
  },
  {
    path: '/settings',
    title: 'SETTINGS.TITLE',
    description: 'SETTINGS.LEAD',
    right: 'SETTINGS_WRITE',
    nav: 'console',
    icon: 'settings',
    load: async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
  },
  {
    path: '/settings/api-tokens',
    title: 'API_TOKENS.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'api-tokens',
    load: withLists(
      async () => (await import('../features/api-tokens/api-tokens-screen.tsx')).ApiTokensScreen,
    ),
  },
  {
    path: '/settings/client-keys',
    title: 'CLIENT_KEYS.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'client-keys',
    load: withLists(
      async () => (await import('../features/client-keys/client-keys-screen.tsx')).ClientKeysScreen,
    ),
  },
  {
    path: '/settings/branding',
    title: 'BRANDING.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'branding',
    load: withLists(async () => (await import('../features/branding/branding-screen.tsx')).BrandingScreen),
  },
  {
    path: '/settings/retention',
    title: 'PAGES.RETENTION',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'erasure',
    load: withLists(async () => (await import('../features/erasure/retention-screen.tsx')).RetentionScreen),
  },
];
