import { getPresence, publishPresence } from '#features/presence/contract/presence.ts';
import { feature } from '#server/feature.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';

export const presenceFeature = feature({
  create: (_core, { presence }) => ({
    routes(serve) {
      serve(publishPresence, async ({ params, body, caller }) => {
        if (!(await presence.publish(params.connectionId, caller.id, body)))
          throw new HttpProblem('NOT_FOUND', { detail: 'This browser is not connected under that name.' });
      });
      serve(getPresence, () => presence.count());
    },
    close: presence.close,
  }),
  fates: {
    presence_process: { 'not personal': ['id'] },
    presence: { 'not personal': ['connection_id', 'process_id', 'person_hash'] },
  },
});
