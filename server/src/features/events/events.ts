import type { Core } from '../../core.ts';
import type { Serve } from '../../platform/http/serve.ts';
import type { Directory } from '../directory/directory.ts';
import { isBeingErased } from '../erasure/erasure.store.ts';
import { reportsChangedSince } from '../feedback/own-reports.ts';
import type { RightsInMemory } from '../permissions/effective-rights.ts';
import type { Presence } from '../presence/counter.ts';
import { readEndKey, sessionsGoingOn } from '../session/session.store.ts';
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
