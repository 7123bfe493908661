import type { Feature } from '#web/feature.ts';

export const settingsFeature: Feature = {
  name: 'settings',
  screens: [
    {
      path: '/settings',
      title: 'SETTINGS.TITLE',
      description: 'SETTINGS.LEAD',
      right: 'SETTINGS_WRITE',
      letter: 's',
      nav: 'console',
      group: 'system',
      icon: 'settings',
      width: 'reading',
      file: 'settings-screen',
    },
  ],
};

/** What its screen says of others. */
export const texts = {
  first: ['API_TOKENS.LEAD', 'CLIENT_KEYS.LEAD', 'DIAGNOSTICS_SETTINGS.LEAD', 'GATEWAY.LEAD'],
};
