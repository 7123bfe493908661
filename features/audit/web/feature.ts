import type { Feature } from '#web/feature.ts';

export const auditFeature: Feature = {
  name: 'audit',
  screens: [
    {
      path: '/audit',
      title: 'AUDIT.TITLE',
      right: 'AUDIT_READ',
      letter: 'a',
      nav: 'console',
      group: 'system',
      icon: 'list',
      file: 'audit-screen',
      texts: ['AUDIT', 'VIEWS'],
    },
  ],
};
