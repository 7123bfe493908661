import { feature } from '../../feature.ts';
import { createErasure } from './erasure.ts';

export const erasureFeature = feature({
  create: createErasure,
  fates: {
    retention: { erased_reports: 'not personal', changed_by: 'name' },
    erasure: { person_id: 'own', pseudonym: 'own', emails: 'own', full_name: 'own', reports: 'own' },
  },
});
