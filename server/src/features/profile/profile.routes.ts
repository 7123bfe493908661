import { getProfile, updateProfile } from '@portico/contract/profile';
import type { Database } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import { changeProfile, type ProfileParts } from './change-profile.ts';
import { profileOf } from './profile.store.ts';

export type ProfileRoutesOptions = ProfileParts & { database: Database };

export function profileRoutes(serve: Serve, { database, ...parts }: ProfileRoutesOptions): void {
  serve(getProfile, async ({ params }) => {
    const profile = await profileOf(database.read, params.userId);
    if (profile === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
    return profile;
  });

  serve(updateProfile, ({ params, body, caller }) =>
    database.change((change) => changeProfile(change, caller, params.userId, body, parts)),
  );
}
