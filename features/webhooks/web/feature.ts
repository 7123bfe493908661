import type { Feature } from '#web/feature.ts';

export const webhooksFeature: Feature = {
  name: 'webhooks',
  screens: [
    {
      path: '/webhooks',
      title: 'WEBHOOKS.TITLE',
      right: 'SETTINGS_WRITE',
      letter: 'w',
      nav: 'console',
      group: 'system',
      icon: 'external',
      file: 'webhooks-screen',
      texts: ['WEBHOOKS', 'VIEWS'],
    },
  ],
};
