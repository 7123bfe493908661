import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import { feature } from '#server/feature.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { FileReader } from '#features/files/server/files.routes.ts';
import { changeProfile } from './change-profile.ts';
import { profileOf } from './profile.store.ts';

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

function profileRoutes(serve: Serve, { database }: { database: Database }): void {
  serve(getProfile, async ({ params }) =>
    orNotFound(await profileOf(database.read, params.userId), 'There is no such person.'),
  );

  serve(updateProfile, ({ params, body, caller }) =>
    database.change((change) => changeProfile(change, caller, params.userId, body)),
  );
}

/** Who may read a person's profile may read their picture (PRO-1). */
const readsAvatar: FileReader = async (read, file, caller, rights) => {
  const shownBy = await personShowing(read, file.id);
  return shownBy.length > 0 && (rights.has('PEOPLE_READ') || shownBy.includes(caller.id));
};

async function personShowing(read: Reader, fileId: string): Promise<string[]> {
  const rows = await read.selectFrom('profile').select('person_id').where('avatar', '=', fileId).execute();
  return rows.map((row) => row.person_id);
}
