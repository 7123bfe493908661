import { getMaintenanceStatus, type MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import type { Api } from '#web/platform/calls/call.ts';
import { createRefresher } from '#web/platform/calls/refresher.ts';
import { createPoller } from '#web/platform/live/poller.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createStore, type Readable, watch } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import type { KnownStatus, NewestStatus, StatusMessage } from '../status-message.ts';

export type StatusDependencies = {
  api: Api;
  clock: Clock;
  serverClock: ServerClock;
  random: () => number;
  leader: Readable<boolean>;
  presence: TabPresence;
  broadcast: Broadcast<StatusMessage>;
  errors: ErrorRecord;
  /** What the server pushes to every tab. `connected`: a push would arrive now. */
  live: {
    onStatus(listener: (status: MaintenanceStatus) => void): () => void;
    readonly connected: Readable<boolean>;
  };
};

const withEvents = 60_000;
/** How often the leading tab asks while nothing is pushed, milliseconds. */
export const withoutEvents = 15_000;

/** Asks for the status, receives it where it is pushed or another tab knows it, and passes it on. */
export function createStatusPolling(dependencies: StatusDependencies, status: NewestStatus) {
  const { api, clock, random, leader, live, broadcast, errors } = dependencies;
  let failing = false;
  let lastReceived: KnownStatus | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;

  function passOn(): void {
    broadcast.post({ ...status.get(), streaming: leader.get() && live.connected.get() });
  }

  const question = createRefresher(async (signal) => {
    askedAt = clock.now();
    const measured = dependencies.serverClock.asking();
    const before = status.asking();
    try {
      const answer = await api.call(getMaintenanceStatus, {}, { signal });
      measured(answer.serverTime);
      failing = false;
      status.take(answer, { serverTime: answer.serverTime, before });
      passOn();
    } catch (error) {
      if (!signal.aborted && !failing) errors.record('maintenance.status', error);
      failing = !signal.aborted;
    }
  });

  const withoutStream = createStore(false);
  const pollers = [
    { every: withEvents, enabled: createStore(true) },
    { every: withoutEvents, enabled: withoutStream },
  ].map((options) =>
    createPoller(dependencies, {
      ...options,
      known: true,
      async poll() {
        await question.run();
        return !failing;
      },
    }),
  );

  // Spread, since the streams of all browsers may break at the same time.
  let cancelDoubt = () => {};
  watch(live.connected, (connected) => {
    cancelDoubt();
    if (connected) withoutStream.set(false);
    else cancelDoubt = clock.after(random() * withoutEvents, () => withoutStream.set(true));
  });

  function receive(received: KnownStatus): void {
    lastReceived = received;
    status.take(received);
    for (const poller of pollers) poller.polledElsewhere();
  }
  live.onStatus((pushed) => {
    receive(pushed);
    // The other tabs of the application have received it; those on an entry page have not.
    if (leader.get()) passOn();
  });
  broadcast.subscribe(receive);

  return {
    /** The status may have changed: reads it now. */
    again: question.again,
    askedAt: () => askedAt,
    /** What was pushed or passed on last. */
    lastReceived: () => lastReceived,
  };
}
