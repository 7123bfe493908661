import { feature } from '../../feature.ts';

export const profileFeature = feature({
  fates: {
    profile: {
      person_id: 'own',
      first_name: 'own',
      last_name: 'own',
      name_key: 'own',
      phone: 'own',
      organisation: 'own',
      job_title: 'own',
      locale: 'own',
      time_zone: 'own',
      avatar: 'own',
    },
  },
});
