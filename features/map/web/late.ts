import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    'map-layer': '/map-layers?layer=$id',
    'map-workspace': '/map-layers',
    'map-order': '/map-layers',
  },
};
