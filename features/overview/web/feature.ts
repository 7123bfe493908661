import type { Feature } from '#web/feature.ts';

export const overviewFeature: Feature = {
  name: 'overview',
  screens: [
    {
      path: '/console',
      title: 'OVERVIEW.TITLE',
      right: ['MAINTENANCE_WRITE', 'REPORTS_READ', 'FLAGS_READ', 'SETTINGS_WRITE', 'AUDIT_READ'],
      letter: 'o',
      nav: 'console',
      icon: 'monitor',
      file: 'overview-screen',
      texts: ['OVERVIEW', 'AUDIT'],
    },
  ],
};
