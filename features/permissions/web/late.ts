import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    role: '/roles/$role',
    right: '/roles?show=rights',
    'group-mapping': '/roles?show=groups',
  },
};
