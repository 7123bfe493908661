import type { Feature } from '#web/feature.ts';

export const settingsFeature: Feature = {
  name: 'settings',
  screens: [
    {
      path: '/settings',
      title: 'SETTINGS.TITLE',
      right: 'SETTINGS_WRITE',
      letter: 's',
      nav: 'console',
      group: 'system',
      icon: 'settings',
      file: 'settings-screen',
    },
  ],
};
