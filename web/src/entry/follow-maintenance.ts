import type { Boot } from '#contract/boot.ts';
import { statusMessage, statusTopic } from '#features/maintenance/web/live-status.ts';
import { watchReopening } from '#features/maintenance/web/reopening.ts';
import { base } from '../platform/base.ts';
import type { Api } from '../platform/calls/call.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { electTabLeader, leaderMessage } from '../platform/tabs/tab-leader.ts';
import { watchTabPresence } from '../platform/tabs/tab-presence.ts';
import { browserClock } from '../platform/time/clock.ts';
import { createServerClock, pageObservation } from '../platform/time/server-clock.ts';

/** Follows maintenance on a page without a session; starts with the status that the page was rendered with. */
export function followMaintenance(api: Api, boot: Boot) {
  const clock = browserClock;
  const serverClock = createServerClock(
    () => performance.now(),
    pageObservation(performance, boot.serverTime),
  );
  const presence = watchTabPresence(window, document);
  const broadcast = openBroadcast(browserChannel, 'leader', leaderMessage);
  const reopening = watchReopening(
    {
      api,
      clock,
      serverClock,
      random: Math.random,
      leader: electTabLeader({ locks: navigator.locks, broadcast, clock, presence }),
      presence,
      broadcast: openBroadcast(browserChannel, statusTopic, statusMessage),
      openStream: () =>
        new EventSource(`${boot.flags.host || base}/sub/${encodeURIComponent(boot.flags.clientKey)}`),
    },
    boot.maintenance,
  );
  return { ...reopening, presence, serverClock };
}
