import type { Feature } from '#web/feature.ts';

export const diagnosticsFeature: Feature = {
  name: 'diagnostics',
  screens: [
    {
      path: '/diagnostics',
      title: 'DIAGNOSTICS.TITLE',
      right: 'DIAGNOSTICS_READ',
      letter: 'd',
      nav: 'console',
      group: 'work',
      icon: 'pulse',
      file: 'diagnostics-screen',
      texts: ['DIAGNOSTICS', 'VIEWS'],
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
      title: 'DIAGNOSTICS.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'pulse',
      description: 'DIAGNOSTICS_SETTINGS.LEAD',
      width: 'reading',
      file: 'settings/diagnostics-settings-screen',
      texts: 'DIAGNOSTICS_SETTINGS',
    },
  ],
};
