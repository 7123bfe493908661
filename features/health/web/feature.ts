import type { Feature } from '#web/feature.ts';

export const healthFeature: Feature = {
  name: 'health',
  screens: [
    {
      path: '/settings/health',
      title: 'HEALTH.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'check-circle',
      description: 'HEALTH.LEAD',
      file: 'health-screen',
    },
  ],
};
