import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: { log: '/settings/health' },
};
