import type { Core } from '#server/core.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import { clientKeysRoutes } from './client-keys.routes.ts';
import type { Presence } from '#features/presence/server/presence.ts';
import { flagTrialRoutes } from './flag-trials.routes.ts';
import { flagWireRoutes } from './flag-wire.routes.ts';
import { flagExchangeRoutes, flagsRoutes, type FlagsRoutesOptions } from './flags.routes.ts';
import { createLiveFlags, type LiveFlagsParts } from './live-flags.ts';
import { ofrepRoutes } from './ofrep.routes.ts';
import { createRampGuard } from './ramp-guard.ts';
import { createScheduleNews } from './schedule-news.ts';
import { createRecordFlag } from './record-flag.ts';
import { reviewRoutes } from './review.routes.ts';
import { publishDue } from './review.store.ts';
import { segmentsRoutes } from './segments.routes.ts';
import { createPlainAnswers } from './plain-answers.ts';
import { trackRoutes } from './track.routes.ts';
import { createStickyBuckets } from './sticky-buckets.ts';
import { createSeenAttributes } from './seen-attributes.ts';
import { usageRoutes } from './usage.routes.ts';
import { createUsageCounts } from './usage-counts.ts';
import { cacheAttributes, createValuesFor } from './values-for-person.ts';

/** The interval, in milliseconds, for changes with a set time: the longest delay of such a change. */
const dueEveryMs = 2_000;

/** The limit for streams of one network: each tab with an SDK has a stream, and a whole office has one address. */
const streamsOfNetwork = 2_000;

/** The flags feature: operators change flags, and SDKs read them. */
export async function createFlags(
  core: Core,
  parts: {
    maintenance: LiveFlagsParts['maintenance'];
    presence: Pick<Presence, 'peopleConnected'>;
    session: { identifyAtOwnHost: AccessControl['identify'] };
    rightsOf: AccessControl['rightsOf'];
  },
) {
  const { database, clock } = core;
  const { maintenance, presence, session, rightsOf } = parts;
  const flags = await createLiveFlags({ ...core, maintenance });
  core.metrics.add({
    name: 'portico_flag_streams',
    help: 'Streams of flags that are open, without those of the pages of Portico.',
    type: 'gauge',
    of: 'process',
    read: flags.connected,
  });
  core.metrics.add({
    name: 'portico_flag_evaluations_total',
    help: 'Evaluations of flags for a person or a context.',
    type: 'counter',
    of: 'process',
    read: () => flags.usage.evaluations,
  });
  const attributes = cacheAttributes(core);
  const seen = createSeenAttributes();
  const counts = createUsageCounts({ ...core, connected: flags.clients });
  const { publicUrl } = core.config;
  const record = createRecordFlag({ clock, publicUrl, rightsOf });
  const due = createPeriodic(core.logger, dueEveryMs, {
    'changes of flags that are due': () =>
      publishDue(database, clock.now(), (change, { actor, note, approvedBy, ...flag }) =>
        record(change, actor, 'update', flag, { note, approvedBy }),
      ),
    'news of schedules': createScheduleNews({ ...core, flags }),
  });
  const guard = createRampGuard({ ...core, flags, record });
  const buckets = createStickyBuckets(core, counts);
  return {
    valuesFor: createValuesFor(flags, attributes, counts),
    clients: flags.clients,
    connected: flags.connected,
    usage: flags.usage,
    caughtUp: flags.caughtUp,
    personalKey: flags.personalKey,
    /** Answers requests for the flags of plain keys from memory. */
    plainAnswers: () => createPlainAnswers({ ...flags, counts, headers: core.securityHeaders }),
    /** @param connectedClients the SDKs that are connected to all processes */
    routes(serve: Serve, connectedClients: FlagsRoutesOptions['connectedClients']) {
      clientKeysRoutes(serve, { ...core, flags, connectedClients, publicUrl });
      flagsRoutes(serve, { ...core, flags, record, connectedClients });
      reviewRoutes(serve, { ...core, flags, record, publicUrl });
      usageRoutes(serve, core);
      segmentsRoutes(serve, { database, flags });
      flagExchangeRoutes(serve, { database, flags, record });
      flagTrialRoutes(serve, { database, clock, maintenance, presence, attributes, seen, rightsOf });
      const wire = { flags, counts, seen, identify: session.identifyAtOwnHost, attributes };
      const { basePath, rateLimitScale } = core.config;
      flagWireRoutes(serve, { ...wire, buckets, streamsOfNetwork: streamsOfNetwork * rateLimitScale });
      ofrepRoutes(serve, { ...wire, basePath });
      trackRoutes(serve, { ...core, flags, counts });
    },
    endStreams: flags.close,
    sweeps: { 'guards of ramps': guard.run },
    async close() {
      await guard.stop();
      await due.stop();
      await buckets.close();
      await counts.close();
    },
  };
}
