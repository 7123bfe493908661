import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    'home-app': '/settings/apps?app=$id',
    'home-order': '/settings/apps',
  },
};
