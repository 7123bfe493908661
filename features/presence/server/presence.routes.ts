import { getPresence, publishPresence } from '#features/presence/contract/presence.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Presence } from './counter.ts';

export function presenceRoutes(serve: Serve, presence: Presence): void {
  serve(publishPresence, async ({ params, body, caller }) => {
    if (!(await presence.publish(params.connectionId, caller.id, body)))
      throw new HttpProblem('NOT_FOUND', { detail: 'This browser is not connected under that name.' });
  });

  serve(getPresence, () => presence.count());
}
