import type { Feature } from '#web/feature.ts';

export const feedbackFeature: Feature = {
  name: 'feedback',
  screens: [
    {
      path: '/my-reports',
      title: 'MY_REPORTS.TITLE',
      description: 'MY_REPORTS.LEAD',
      letter: 'b',
      nav: 'main',
      icon: 'bug',
      width: 'reading',
      file: 'member/my-reports-screen',
      texts: ['MY_REPORTS', 'PICTURES'],
    },
    {
      path: '/reports',
      title: 'REPORTS.TITLE',
      right: 'REPORTS_READ',
      letter: 'r',
      nav: 'console',
      group: 'work',
      icon: 'inbox',
      badge: 'console/new-reports-badge',
      file: 'console/inbox-screen',
      texts: ['REPORTS', 'RECORD', 'PICTURES', 'ERASURE', 'VIEWS'],
    },
    {
      path: '/settings/reports',
      formerly: '/reports/settings',
      title: 'REPORTS.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'inbox',
      description: 'SETTINGS.REPORTS',
      width: 'reading',
      file: 'console/report-settings-screen',
      texts: ['REPORTS', 'ERASURE'],
    },
  ],
};

export const texts = { first: ['RECENT_REPORTS', 'REPORT_STATUS'] };
