import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { openBroadcast, type OpenChannel } from '#web/platform/tabs/broadcast.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { createPoller } from '#web/platform/live/poller.ts';
import { createRefresher } from '#web/platform/calls/refresher.ts';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import { createStore, derive, type Readable, type Store, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import { createNewestStatus, type KnownStatus, statusMessage, statusTopic } from './status-message.ts';

/*
 * How the maintenance page notices that it is over, without a session and without the application (MAINT-3):
 *
 * 1. The flag stream reports that something has changed; `GET /v1/maintenance/status` answers what.
 * 2. While the stream is open the status is read once a minute all the same, else every 10 s; and on every
 *    return to the tab.
 * 3. Of the tabs of one browser the leading one alone holds the stream and polls, and passes on what it
 *    receives and whether it has a stream; the others poll when they receive nothing (`poller.ts`).
 */

export type ReopeningDependencies = {
  api: Pick<Api, 'call'>;
  clock: Clock;
  serverClock: ServerClock;
  random: () => number;
  leader: Readable<boolean>;
  presence: TabPresence;
  openChannel: OpenChannel;
  /** Opens the flag stream. */
  openStream: () => EventSource;
};

export type Reopening = {
  readonly status: Readable<KnownStatus>;
  /** False while the last request failed. */
  readonly reachable: Readable<boolean>;
};

const withStream = 60_000;
const withoutStream = 10_000;
/**
 * With another flag host the change reaches this page and our server separately, and the server may be later.
 */
const secondLook = 3_000;

/** @param first what the page was rendered with */
export function watchReopening(dependencies: ReopeningDependencies, first: KnownStatus): Reopening {
  const { api, clock, serverClock, random, leader, presence } = dependencies;
  const status = createNewestStatus(first);
  const reachable = createStore(true);
  const streaming = createStore(false);
  const broadcast = openBroadcast(dependencies.openChannel, statusTopic, statusMessage);

  const question = createRefresher(async (signal) => {
    const measured = serverClock.asking();
    const before = status.asking();
    try {
      const answer = await api.call(getMaintenanceStatus, {}, { signal });
      measured(answer.serverTime);
      reachable.set(true);
      status.take(answer, { serverTime: answer.serverTime, before });
      broadcast.post({ ...status.get(), streaming: streaming.get() && leader.get() });
    } catch {
      if (!signal.aborted) reachable.set(false);
    }
  });

  const poller = (every: number, enabled: Readable<boolean>) =>
    createPoller(
      { clock, random, leader, presence },
      {
        every,
        enabled,
        async poll() {
          await question.run();
          return reachable.get();
        },
      },
    );
  const slowPoller = poller(withStream, createStore(true));
  const fastPoller = poller(
    withoutStream,
    derive([streaming], (open) => !open),
  );

  broadcast.subscribe(({ streaming: open, ...received }) => {
    status.take(received);
    reachable.set(true);
    if (!leader.get()) streaming.set(open);
    slowPoller.polledElsewhere();
    fastPoller.polledElsewhere();
  });

  holdStream(dependencies, streaming, () => {
    void question.again();
    clock.after(secondLook, () => {
      if (status.get().mode === 'full') void question.again();
    });
  });

  return { status, reachable };
}

/** Holds the stream open while this tab leads. A refused stream is tried again now and then. */
function holdStream(
  { clock, leader, random, openStream }: ReopeningDependencies,
  streaming: Store<boolean>,
  onChange: () => void,
): void {
  let stream: EventSource | null = null;
  let cancelRetry = () => {};
  let cut = false;

  function connect(): void {
    const opened = openStream();
    stream = opened;
    opened.addEventListener('open', () => {
      streaming.set(true);
      // What was published until then was missed.
      if (cut) onChange();
      cut = false;
    });
    for (const change of ['features', 'features-updated']) opened.addEventListener(change, onChange);
    opened.addEventListener('error', () => {
      streaming.set(false);
      cut = true;
      if (opened.readyState !== opened.CLOSED) return;
      cancelRetry = clock.after(withStream * (0.5 + random()), connect);
    });
  }

  watch(leader, (leads) => {
    cancelRetry();
    stream?.close();
    streaming.set(false);
    if (leads) connect();
  });
}
