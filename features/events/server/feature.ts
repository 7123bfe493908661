import { openEvents } from '#features/events/contract/events.ts';
import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Directory } from '#features/directory/server/directory.ts';
import { isBeingErased } from '#features/erasure/server/erasure.store.ts';
import { reportsChangedSince } from '#features/feedback/server/own-reports.ts';
import type { RightsInMemory } from '#features/permissions/server/effective-rights.ts';
import type { Presence } from '#features/presence/server/presence.ts';
import { readEndKey, sessionsGoingOn } from '#features/session/server/session.store.ts';
import { createLiveEvents, type LiveEventsParts, type LiveEvents } from './live-events.ts';

export const eventsFeature = feature({
  create: createEvents,
});

/** Creates the stream of `/v1/events` from the data of the features that it depends on. */
function createEvents(
  core: Core,
  features: {
    directory: Directory;
    permissions: Pick<RightsInMemory, 'ofPerson'>;
    maintenance: LiveEventsParts['maintenance'];
    presence: Presence;
  },
) {
  const { database, clock, config } = core;
  const { directory, permissions, maintenance, presence } = features;
  const events = createLiveEvents({
    ...core,
    read: database.read,
    maintenance,
    presence,
    accountState: directory.accountState,
    isErased: (personId) => isBeingErased(database.read, personId),
    sessionsGoingOn: (ids) =>
      sessionsGoingOn(database.read, ids, clock.now(), clock.now() - config.sessionIdleMs),
    readSessionEnd: readEndKey,
    reportsChangedSince: (personId, since, most) => reportsChangedSince(database.read, personId, since, most),
    holdsRight(personId, right) {
      const held = permissions.ofPerson(personId);
      return held instanceof Promise
        ? held.then((found) => found?.set.has(right) ?? false)
        : held.set.has(right);
    },
  });
  core.metrics.add({
    name: 'portico_event_streams',
    help: 'Event streams of browsers that are open.',
    type: 'gauge',
    of: 'process',
    read: events.connected,
  });
  return { routes: (serve: Serve) => eventsRoutes(serve, events), endStreams: events.close };
}

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
