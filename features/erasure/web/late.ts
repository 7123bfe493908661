import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    retention: '/settings/reports',
  },
};
