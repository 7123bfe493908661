import { feature } from '../../feature.ts';

export const erasureFeature = feature({
  fates: {
    retention: { erased_reports: 'not personal', changed_by: 'name' },
    erasure: { person_id: 'own', pseudonym: 'own', emails: 'own', full_name: 'own', reports: 'own' },
  },
});
