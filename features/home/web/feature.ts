import type { Feature } from '#web/feature.ts';

export const homeFeature: Feature = {
  name: 'home',
  screens: [
    {
      path: '/',
      title: 'HOME.TITLE',
      letter: 'h',
      nav: 'main',
      icon: 'home',
      width: 'reading',
      file: 'home-screen',
      texts: [],
    },
    {
      path: '/settings/apps',
      title: 'HOME.MANAGE.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'home',
      description: 'SETTINGS.APPS',
      file: 'console/apps-screen',
      texts: 'APPS',
    },
  ],
};

export const texts = { first: ['HOME'] };
