import type { LateFeature } from '../../feature.ts';

export const late: LateFeature = {
  subjects: {
    branding: '/settings/branding',
  },
};
