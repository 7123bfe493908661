import { getPresence, tellPresence } from '@portico/contract/presence';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import type { Presence } from './presence.ts';

export function presenceRoutes(serve: Serve, presence: Presence): void {
  serve(tellPresence, async ({ params, body, caller }) => {
    if (!(await presence.tell(params.connectionId, caller.id, body)))
      throw new HttpProblem('NOT_FOUND', { detail: 'This browser is not connected under that name.' });
  });

  serve(getPresence, () => presence.count());
}
