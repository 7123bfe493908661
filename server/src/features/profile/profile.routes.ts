import { getProfile, updateProfile } from '@portico/contract/profile';
import type { Database } from '../../platform/database/database.ts';
import { orNotFound } from '../../platform/http/refusals.ts';
import type { Serve } from '../../platform/http/serve.ts';
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
