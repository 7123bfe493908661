import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    report: '/reports?report=$id',
    'report-form': '/settings/reports',
    'report-settings': '/settings/reports',
  },
  attention: {
    reports: {
      look: 'info',
      link: ({ id, count }) => ({ to: '/reports', search: count === 1 ? { report: id } : { status: 'new' } }),
      words: ({ count, excerpt, at }, { part, formats, now }) => ({
        title: { count, number: formats.number(count) },
        text: part('TEXT', { excerpt, relative: formats.relative(at, now) }),
      }),
    },
  },
};
