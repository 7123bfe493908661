import type { Feature } from '#web/feature.ts';

export const diagnosticsFeature: Feature = {
  name: 'diagnostics',
  screens: [
    {
      path: '/diagnostics',
      title: 'DIAGNOSTICS.TITLE',
      description: 'DIAGNOSTICS.LEAD',
      right: 'DIAGNOSTICS_READ',
      letter: 'd',
      nav: 'console',
      group: 'work',
      icon: 'pulse',
      file: 'diagnostics-screen',
    },
    {
      path: '/diagnostics/$errorId',
      title: 'DIAGNOSTICS.ERROR_TITLE',
      right: 'DIAGNOSTICS_READ',
      nav: 'none',
      file: 'error-screen',
    },
    {
      path: '/settings/diagnostics',
      title: 'DIAGNOSTICS_SETTINGS.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'none',
      width: 'reading',
      file: 'settings/diagnostics-settings-screen',
    },
  ],
};
