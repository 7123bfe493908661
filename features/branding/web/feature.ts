import type { Feature } from '#web/feature.ts';

export const brandingFeature: Feature = {
  name: 'branding',
  screens: [
    {
      path: '/settings/branding',
      title: 'BRANDING.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'image',
      description: 'SETTINGS.BRANDING',
      file: 'branding-screen',
    },
  ],
};
