import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Directory } from '#features/directory/server/directory.ts';
import { isBeingErased } from '#features/erasure/server/erasure.store.ts';
import { reportsChangedSince } from '#features/feedback/server/own-reports.ts';
import type { RightsInMemory } from '#features/permissions/server/effective-rights.ts';
import type { Presence } from '#features/presence/server/counter.ts';
import { readEndKey, sessionsGoingOn } from '#features/session/server/session.store.ts';
import { eventsRoutes } from './events.routes.ts';
import { createLiveEvents, type LiveEventsParts } from './live-events.ts';

/** The stream of `/v1/events`, with what the features below it know. */
export function createEvents(
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
    holdsRight: async (personId, right) => (await permissions.ofPerson(personId))?.set.has(right) ?? false,
  });
  return { routes: (serve: Serve) => eventsRoutes(serve, events), endStreams: events.close };
}
