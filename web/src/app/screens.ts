import type { ComponentType } from 'react';
import type { Right } from '@portico/contract/permissions';
import type { IconName } from '../ui/icon.tsx';
import type { LatePart } from './catalogue.ts';
import type { LateScreen } from './late-screens.ts';

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

/** A screen beside the home screen: where it lies is not known before the first of them is opened. */
function late(name: LateScreen): Screen['load'] {
  return async () => (await import('./late-screens.ts')).loadScreen(name);
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
    load: late('MyReports'),
  },
  {
    path: '/profile',
    title: 'PROFILE.TITLE',
    nav: 'none',
    icon: 'person',
    texts: ['profile/member', 'erasure'],
    load: late('Profile'),
  },
  {
    path: '/sessions',
    title: 'OWN_SESSIONS.TITLE',
    nav: 'none',
    icon: 'monitor',
    texts: 'own-sessions',
    load: late('OwnSessionsScreen'),
  },
  {
    path: '/flags',
    title: 'FLAGS.TITLE',
    description: 'FLAGS.LEAD',
    right: 'FLAGS_READ',
    nav: 'console',
    icon: 'flag',
    texts: 'flags/console',
    load: late('FlagsScreen'),
  },
  {
    path: '/maintenance',
    title: 'MAINTENANCE.CONSOLE.TITLE',
    description: 'MAINTENANCE.CONSOLE.LEAD',
    right: 'MAINTENANCE_WRITE',
    nav: 'console',
    icon: 'wrench',
    texts: 'maintenance/console',
    load: late('MaintenanceConsole'),
  },
  {
    path: '/people',
    title: 'PEOPLE.TITLE',
    description: 'PEOPLE.LEAD',
    right: 'PEOPLE_READ',
    nav: 'console',
    icon: 'people',
    texts: 'people',
    load: late('PeopleScreen'),
  },
  {
    path: '/roles',
    title: 'ROLES_AND_RIGHTS.TITLE',
    description: 'ROLES_AND_RIGHTS.LEAD',
    right: 'PEOPLE_READ',
    nav: 'console',
    icon: 'shield',
    texts: 'roles',
    load: late('RolesScreen'),
  },
  {
    path: '/people/$personId/data',
    title: 'PAGES.PERSON_DATA',
    right: 'PEOPLE_WRITE',
    nav: 'none',
    texts: 'erasure',
    load: late('PersonDataScreen'),
  },
  {
    path: '/reports',
    title: 'REPORTS.TITLE',
    description: 'REPORTS.LEAD',
    right: 'REPORTS_READ',
    nav: 'console',
    icon: 'inbox',
    texts: ['feedback/console', 'feedback/report/pictures', 'erasure'],
    load: late('Inbox'),
  },
  {
    path: '/audit',
    title: 'AUDIT.TITLE',
    description: 'AUDIT.LEAD',
    right: 'AUDIT_READ',
    nav: 'console',
    icon: 'list',
    texts: 'audit',
    load: late('AuditScreen'),
  },
  {
    path: '/webhooks',
    title: 'WEBHOOKS.TITLE',
    description: 'WEBHOOKS.LEAD',
    right: 'SETTINGS_WRITE',
    nav: 'console',
    icon: 'external',
    texts: 'webhooks',
    load: late('WebhooksScreen'),
  },
  {
    path: '/settings',
    title: 'SETTINGS.TITLE',
    description: 'SETTINGS.LEAD',
    right: 'SETTINGS_WRITE',
    nav: 'console',
    icon: 'settings',
    load: late('SettingsScreen'),
  },
  {
    path: '/settings/api-tokens',
    title: 'API_TOKENS.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'api-tokens',
    load: late('ApiTokensScreen'),
  },
  {
    path: '/settings/client-keys',
    title: 'CLIENT_KEYS.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'client-keys',
    load: late('ClientKeysScreen'),
  },
  {
    path: '/settings/branding',
    title: 'BRANDING.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'branding',
    load: late('BrandingScreen'),
  },
  {
    path: '/settings/retention',
    title: 'PAGES.RETENTION',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    texts: 'erasure',
    load: late('RetentionScreen'),
  },
];
