import type { LateFeature } from '../../feature.ts';

export const late: LateFeature = {
  subjects: {
    role: '/roles',
    right: '/roles?show=rights',
    'group-mapping': '/roles?show=groups',
  },
};
