import type { Feature } from '#web/feature.ts';

export const flagsFeature: Feature = {
  name: 'flags',
  screens: [
    {
      path: '/flags',
      title: 'FLAGS.TITLE',
      right: 'FLAGS_READ',
      letter: 'f',
      nav: 'console',
      group: 'work',
      icon: 'flag',
      file: 'console/flags-screen',
      texts: ['FLAGS', 'VIEWS'],
    },
    {
      path: '/flags/$flagKey',
      title: 'FLAGS.ONE',
      right: 'FLAGS_READ',
      nav: 'none',
      file: 'console/flag-screen',
      texts: ['FLAGS', 'ZONES'],
    },
    {
      path: '/segments',
      title: 'SEGMENTS.TITLE',
      right: 'FLAGS_READ',
      nav: 'console',
      group: 'work',
      icon: 'people',
      file: 'segments/segments-screen',
      texts: ['SEGMENTS', 'FLAGS', 'VIEWS'],
    },
    {
      path: '/segments/$segmentId',
      title: 'SEGMENTS.ONE',
      right: 'FLAGS_READ',
      nav: 'none',
      file: 'segments/segment-screen',
      texts: ['SEGMENTS', 'FLAGS'],
    },
    {
      path: '/settings/client-keys',
      title: 'CLIENT_KEYS.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'flag',
      description: 'CLIENT_KEYS.LEAD',
      file: 'client-keys/client-keys-screen',
      texts: ['CLIENT_KEYS', 'VIEWS'],
    },
  ],
};
