import type { UpcomingWindow } from '#features/maintenance/contract/maintenance.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import { createStore, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';

/** A read-only or full maintenance window starts within 5 minutes. */
export type Approach = {
  /** 5: the last five minutes before the start; 1: the last minute. */
  readonly minutes: 5 | 1;
  readonly window: UpcomingWindow;
};

const minute = 60_000;
const steps = [1, 5] as const;
/** Timers stand still while a computer sleeps. */
const longestWait = 30_000;

/** The warning at a server time; windows of mode `announce` have none. */
function approachAt(upcoming: UpcomingWindow | null, now: number): Approach | null {
  if (upcoming === null || upcoming.mode === 'announce') return null;
  const left = upcoming.startsAt - now;
  const minutes = steps.find((step) => left <= step * minute);
  return minutes === undefined ? null : { minutes, window: upcoming };
}

/** Watches the approach of the next window, by the server's time. */
export function watchApproach(
  upcoming: Readable<UpcomingWindow | null>,
  dependencies: {
    clock: Clock;
    serverClock: Pick<ServerClock, 'now'>;
    presence: Pick<TabPresence, 'onReturn'>;
  },
): Readable<Approach | null> {
  const approach = createStore<Approach | null>(
    null,
    (a, b) => a?.minutes === b?.minutes && a?.window === b?.window,
  );
  let cancel = () => {};

  function update(): void {
    cancel();
    const next = upcoming.get();
    const now = dependencies.serverClock.now();
    approach.set(approachAt(next, now));
    if (next === null) return;
    const ahead = steps.map((step) => next.startsAt - step * minute - now).filter((wait) => wait > 0);
    if (ahead.length > 0) cancel = dependencies.clock.after(Math.min(longestWait, ...ahead), update);
  }

  watch(upcoming, update);
  dependencies.presence.onReturn(update);
  return approach;
}
