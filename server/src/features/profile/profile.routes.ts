import { getProfile } from '@portico/contract/profile';
import type { Reader } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import { profileOf } from './profile.store.ts';

export function profileRoutes(serve: Serve, { read }: { read: Reader }): void {
  serve(getProfile, async ({ params }) => {
    const profile = await profileOf(read, params.userId);
    if (profile === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
    return profile;
  });
}
