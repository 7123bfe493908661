import { getPresence, publishPresence } from '@portico/contract/presence';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Serve } from '../../platform/http/serve.ts';
import type { Presence } from './counter.ts';

export function presenceRoutes(serve: Serve, presence: Presence): void {
  serve(publishPresence, async ({ params, body, caller }) => {
    if (!(await presence.publish(params.connectionId, caller.id, body)))
      throw new HttpProblem('NOT_FOUND', { detail: 'This browser is not connected under that name.' });
  });

  serve(getPresence, () => presence.count());
}
