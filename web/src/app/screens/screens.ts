import type { Screen } from './screen.ts';

/**
 * A screen beside the home screen, downloaded when it is opened first.
 *
 * @param file below `features`, or one of `composed`; the screen is all that it exports
 * @param texts left out: those of its folder
 */
function late(
  file: string,
  texts: Screen['texts'] & {} = file.slice(0, file.lastIndexOf('/')),
): Pick<Screen, 'load' | 'texts'> {
  return { texts, load: async () => (await import('./late-screens.ts')).loadScreen(file) };
}

/**
 * Every screen of the application, in the order of the navigation. One entry adds a screen
 * (docs/add-a-capability.md).
 */
export const screens: readonly Screen[] = [
  {
    path: '/',
    title: 'HOME.TITLE',
    nav: 'main',
    icon: 'home',
    load: async () => (await import('./home.tsx')).Home,
  },
  {
    path: '/map',
    title: 'MAP.TITLE',
    description: 'MAP.LEAD',
    right: 'MAP_VIEW',
    nav: 'main',
    icon: 'image',
    ...late('map/map-screen'),
  },
  {
    path: '/my-reports',
    title: 'MY_REPORTS.TITLE',
    description: 'MY_REPORTS.LEAD',
    nav: 'main',
    icon: 'bug',
    ...late('composed/my-reports', ['feedback/member', 'feedback/report/pictures']),
  },
  {
    path: '/profile',
    title: 'PROFILE.TITLE',
    nav: 'none',
    icon: 'person',
    ...late('composed/profile', ['profile/member', 'erasure']),
  },
  {
    path: '/sessions',
    title: 'OWN_SESSIONS.TITLE',
    nav: 'none',
    icon: 'monitor',
    ...late('session/own-sessions/own-sessions-screen'),
  },
  {
    path: '/console',
    title: 'OVERVIEW.TITLE',
    right: ['MAINTENANCE_WRITE', 'REPORTS_READ', 'FLAGS_READ', 'SETTINGS_WRITE', 'AUDIT_READ'],
    nav: 'console',
    icon: 'monitor',
    ...late('composed/overview', ['overview', 'audit']),
  },
  {
    path: '/flags',
    title: 'FLAGS.TITLE',
    description: 'FLAGS.LEAD',
    right: 'FLAGS_READ',
    nav: 'console',
    icon: 'flag',
    ...late('flags/console/flags-screen'),
  },
  {
    path: '/flags/$flagKey',
    title: 'FLAGS.ONE',
    right: 'FLAGS_READ',
    nav: 'none',
    ...late('flags/console/flag-screen'),
  },
  {
    path: '/maintenance',
    title: 'MAINTENANCE.CONSOLE.TITLE',
    description: 'MAINTENANCE.CONSOLE.LEAD',
    right: 'MAINTENANCE_WRITE',
    nav: 'console',
    icon: 'wrench',
    ...late('maintenance/console/maintenance-screen'),
  },
  {
    path: '/people',
    title: 'PEOPLE.TITLE',
    description: 'PEOPLE.LEAD',
    right: 'PEOPLE_READ',
    nav: 'console',
    icon: 'people',
    ...late('people/people-screen'),
  },
  {
    path: '/roles',
    title: 'ROLES_AND_RIGHTS.TITLE',
    description: 'ROLES_AND_RIGHTS.LEAD',
    right: 'PEOPLE_READ',
    nav: 'console',
    icon: 'shield',
    ...late('permissions/console/roles-screen'),
  },
  {
    path: '/people/$personId/data',
    title: 'PAGES.PERSON_DATA',
    right: 'PEOPLE_WRITE',
    nav: 'none',
    ...late('erasure/person-data-screen'),
  },
  {
    path: '/reports',
    title: 'REPORTS.TITLE',
    description: 'REPORTS.LEAD',
    right: 'REPORTS_READ',
    nav: 'console',
    icon: 'inbox',
    ...late('composed/inbox', ['feedback/console', 'feedback/record', 'feedback/report/pictures', 'erasure']),
  },
  {
    path: '/diagnostics',
    title: 'DIAGNOSTICS.TITLE',
    description: 'DIAGNOSTICS.LEAD',
    right: 'DIAGNOSTICS_READ',
    nav: 'console',
    icon: 'pulse',
    ...late('diagnostics/diagnostics-screen'),
  },
  {
    path: '/diagnostics/$errorId',
    title: 'DIAGNOSTICS.ERROR_TITLE',
    right: 'DIAGNOSTICS_READ',
    nav: 'none',
    ...late('diagnostics/error-screen'),
  },
  {
    path: '/map-layers',
    title: 'MAP_LAYERS.TITLE',
    right: 'MAP_WRITE',
    nav: 'console',
    icon: 'image',
    ...late('map/console/map-layers-screen'),
  },
  {
    path: '/audit',
    title: 'AUDIT.TITLE',
    description: 'AUDIT.LEAD',
    right: 'AUDIT_READ',
    nav: 'console',
    icon: 'list',
    ...late('audit/audit-screen'),
  },
  {
    path: '/webhooks',
    title: 'WEBHOOKS.TITLE',
    description: 'WEBHOOKS.LEAD',
    right: 'SETTINGS_WRITE',
    nav: 'console',
    icon: 'external',
    ...late('webhooks/webhooks-screen'),
  },
  {
    path: '/settings',
    title: 'SETTINGS.TITLE',
    description: 'SETTINGS.LEAD',
    right: 'SETTINGS_WRITE',
    nav: 'console',
    icon: 'settings',
    ...late('settings/settings-screen', []),
  },
  {
    path: '/settings/api-tokens',
    title: 'API_TOKENS.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    ...late('api-tokens/api-tokens-screen'),
  },
  {
    path: '/settings/client-keys',
    title: 'CLIENT_KEYS.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    ...late('flags/client-keys/client-keys-screen'),
  },
  {
    path: '/settings/branding',
    title: 'BRANDING.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    ...late('branding/branding-screen'),
  },
  {
    path: '/settings/diagnostics',
    title: 'DIAGNOSTICS_SETTINGS.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    ...late('diagnostics/settings/diagnostics-settings-screen'),
  },
  {
    path: '/settings/gateway',
    title: 'GATEWAY.TITLE',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    ...late('gateway/gateway-screen'),
  },
  {
    path: '/reports/settings',
    title: 'PAGES.REPORT_SETTINGS',
    right: 'SETTINGS_WRITE',
    nav: 'none',
    ...late('composed/report-settings', ['feedback/console', 'erasure']),
  },
];
