import type { Feature } from '#web/feature.ts';

export const maintenanceFeature: Feature = {
  name: 'maintenance',
  screens: [
    {
      path: '/maintenance',
      title: 'MAINTENANCE.CONSOLE.TITLE',
      right: 'MAINTENANCE_WRITE',
      letter: 'm',
      nav: 'console',
      group: 'work',
      icon: 'wrench',
      file: 'console/maintenance-screen',
      texts: ['MAINTENANCE', 'ZONES'],
    },
  ],
};

/** All texts of `MAINTENANCE` except those of its screen in the console. */
export const texts = {
  first: ['BANNER', 'PAGE', 'PASS', 'RIBBON', 'SAVE', 'TYPED'].map((name) => `MAINTENANCE.${name}`),
  entry: ['MAINTENANCE.UNAVAILABLE'],
};
