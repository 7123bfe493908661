import { getProfile, updateProfile } from '@portico/contract/profile';
import type { Database } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { changeProfile } from './change-profile.ts';
import { profileOf } from './profile.store.ts';

export function profileRoutes(serve: Serve, { database }: { database: Database }): void {
  serve(getProfile, async ({ params }) => {
    const profile = await profileOf(database.read, params.userId);
    if (profile === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
    return profile;
  });

  serve(updateProfile, ({ params, body, caller }) =>
    database.change((change) => changeProfile(change, caller, params.userId, body)),
  );
}
