import { openEvents } from '#features/events/contract/events.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { LiveEvents } from './live-events.ts';

export function eventsRoutes(serve: Serve, events: Pick<LiveEvents, 'open'>): void {
  serve(openEvents, ({ caller, query, request, reply }) => {
    if (caller.sessionId === null) {
      throw new HttpProblem('RIGHT_MISSING', {
        detail: 'Live events are for people who are signed in; an API token has none.',
      });
    }
    const lastEventId = request.headers['last-event-id'];
    const { id: personId, sessionId, host } = caller;
    return events.open({ personId, sessionId, atOtherHost: host !== undefined }, reply, {
      lastEventId: Array.isArray(lastEventId) ? lastEventId[0] : lastEventId,
      browser: query,
    });
  });
}
