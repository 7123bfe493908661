import type { Feature } from '#web/feature.ts';

export const gatewayFeature: Feature = {
  name: 'gateway',
  screens: [
    {
      path: '/settings/gateway',
      title: 'GATEWAY.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'external',
      description: 'GATEWAY.LEAD',
      width: 'reading',
      file: 'gateway-screen',
      texts: ['GATEWAY', 'RIGHTS'],
    },
  ],
};

export const texts = { entry: ['GATEWAY.PAGE'] };
