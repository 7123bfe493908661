import { feature } from '#server/feature.ts';
import { readsAvatar } from './avatar.ts';
import { profileRoutes } from './profile.routes.ts';

export const profileFeature = feature({
  create(core, { files }) {
    files.addReader(readsAvatar);
    return { routes: (serve) => profileRoutes(serve, core) };
  },
  fates: {
    profile: {
      own: [
        'person_id',
        'first_name',
        'last_name',
        'name_key',
        'phone',
        'organisation',
        'job_title',
        'locale',
        'time_zone',
        'avatar',
      ],
    },
  },
});
