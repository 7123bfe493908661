import type { Feature } from '../../feature.ts';

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
      texts: ['feedback/member', 'feedback/report/pictures'],
    },
    {
      path: '/reports',
      title: 'REPORTS.TITLE',
      description: 'REPORTS.LEAD',
      right: 'REPORTS_READ',
      letter: 'r',
      nav: 'console',
      group: 'work',
      icon: 'inbox',
      badge: 'console/new-reports-badge',
      file: 'console/inbox-screen',
      texts: ['feedback/console', 'feedback/record', 'feedback/report/pictures', 'erasure'],
    },
    {
      path: '/reports/settings',
      title: 'PAGES.REPORT_SETTINGS',
      right: 'SETTINGS_WRITE',
      nav: 'none',
      width: 'reading',
      file: 'console/report-settings-screen',
      texts: ['feedback/console', 'erasure'],
    },
  ],
};
