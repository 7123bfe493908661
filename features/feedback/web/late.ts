import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    report: '/reports?report=$id',
    'report-form': '/settings/reports',
    'report-settings': '/settings/reports',
  },
};
