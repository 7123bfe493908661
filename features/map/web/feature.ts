import type { Feature } from '#web/feature.ts';

export const mapFeature: Feature = {
  name: 'map',
  screens: [
    {
      path: '/map',
      title: 'MAP.TITLE',
      right: 'MAP_VIEW',
      letter: 'k',
      nav: 'main',
      icon: 'map',
      description: 'MAP.LEAD',
      file: 'map-screen',
    },
    {
      path: '/map-layers',
      title: 'MAP_LAYERS.TITLE',
      right: 'MAP_WRITE',
      letter: 'l',
      nav: 'console',
      group: 'system',
      icon: 'map',
      file: 'console/map-layers-screen',
      texts: ['MAP_LAYERS', 'VIEWS'],
    },
  ],
};
