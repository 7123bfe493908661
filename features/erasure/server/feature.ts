import { feature } from '#server/feature.ts';
import { createErasure } from './erasure.ts';

export const erasureFeature = feature({
  create: createErasure,
  fates: {
    retention: { 'not personal': ['erased_reports'], name: ['changed_by'] },
    erasure: { own: ['person_id', 'pseudonym', 'emails', 'full_name', 'reports'] },
  },
});
