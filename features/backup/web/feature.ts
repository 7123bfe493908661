import type { Feature } from '#web/feature.ts';

export const backupFeature: Feature = {
  name: 'backup',
  screens: [
    {
      path: '/settings/backups',
      title: 'BACKUPS.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'download',
      description: 'BACKUPS.LEAD',
      width: 'reading',
      texts: ['BACKUPS', 'ZONES'],
      file: 'backups-screen',
    },
  ],
};
