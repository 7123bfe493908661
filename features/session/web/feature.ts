import type { Feature } from '#web/feature.ts';

export const sessionFeature: Feature = {
  name: 'session',
  screens: [
    {
      path: '/sessions',
      title: 'OWN_SESSIONS.TITLE',
      nav: 'none',
      icon: 'monitor',
      width: 'reading',
      file: 'own-sessions/own-sessions-screen',
    },
  ],
};
