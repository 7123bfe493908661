import { feature } from '../../feature.ts';
import { readsAvatar } from './avatar.ts';
import { profileRoutes } from './profile.routes.ts';

export const profileFeature = feature({
  create(core, { files }) {
    files.addReader(readsAvatar);
    return { routes: (serve) => profileRoutes(serve, core) };
  },
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
