import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import type { Database } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { changeProfile } from './change-profile.ts';
import { profileOf } from './profile.store.ts';

export function profileRoutes(serve: Serve, { database }: { database: Database }): void {
  serve(getProfile, async ({ params }) =>
    orNotFound(await profileOf(database.read, params.userId), 'There is no such person.'),
  );

  serve(updateProfile, ({ params, body, caller }) =>
    database.change((change) => changeProfile(change, caller, params.userId, body)),
  );
}
