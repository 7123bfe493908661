import type { Clock } from '../time/clock.ts';
import { createRefresher } from '../calls/refresher.ts';
import { type Readable, watch } from '../state/store.ts';
import type { TabPresence } from '../tabs/tab-presence.ts';

export type Poller = {
  /**
   * Polls at once after a change. If a poll is under way, its answer may be older than the change, so one more poll
   * follows. After a failure it polls again sooner than usual.
   */
  now(): Promise<void>;
  /** Called when another tab has polled and passed the result on, which counts as a poll of this tab. */
  polledElsewhere(): void;
};

export type PollerDependencies = {
  clock: Clock;
  random: () => number;
  leader: Readable<boolean>;
  presence: TabPresence;
};

export type PollerOptions = {
  /**
   * Milliseconds between polls. The first wait is up to a twentieth shorter or longer, so that browsers that
   * begin together spread out; the others are exact.
   */
  every: number;
  /** Milliseconds between polls while `while` is true, for a value that otherwise comes by a stream. */
  fast?: { every: number; while: Readable<boolean> } | undefined;
  /** Polls only while this is true or a text, and at once when it becomes true or another text. */
  enabled: Readable<boolean | string | null>;
  /** Polls; resolves to whether the poll succeeded; never rejects. */
  poll(signal: AbortSignal): Promise<boolean>;
  /** Whether the data came with the page; the first poll is then after one interval. */
  known?: boolean;
};

const firstRetry = 5_000;

const isOn = (enabled: boolean | string | null) => enabled !== false && enabled !== null;

/**
 * Polls regularly in the leading tab alone, and in any tab at once when a person returns to it. Until the
 * first success, and after a change, it retries sooner, doubling from 5 s.
 */
export function createPoller(
  dependencies: PollerDependencies,
  { every, fast, enabled, poll, known: fromPage = false }: PollerOptions,
): Poller {
  const { clock, random, leader, presence } = dependencies;
  let cancelTimer = () => {};
  let failures = 0;
  /** Whether the data is not known yet, or has changed since the last poll. */
  let behind = true;
  let lastTry = Number.NEGATIVE_INFINITY;
  let isSpread = false;

  const interval = () => (fast?.while.get() === true ? fast.every : every);

  const refresher = createRefresher(async (signal) => {
    lastTry = clock.now();
    const worked = await poll(signal);
    if (signal.aborted) return;
    settle(worked);
  });

  function settle(worked: boolean) {
    behind &&= !worked;
    failures = worked ? 0 : failures + 1;
    if (behind) wait(spread(Math.min(interval(), firstRetry * 2 ** (failures - 1))));
    else {
      // Counted from the start of the last poll, however long its answer took.
      wait(lastTry + (isSpread ? interval() : spread(interval())) - clock.now());
      isSpread = true;
    }
  }

  function spread(milliseconds: number): number {
    return milliseconds * (0.95 + random() / 10);
  }

  function wait(milliseconds: number) {
    cancelTimer();
    // Never longer than a spread interval, since the clock may have been put back.
    cancelTimer = clock.after(Math.min(Math.max(0, milliseconds), 1.05 * interval()), () => {
      // A tab that knows nothing yet does not wait for the leader, and no tab waits for a leader that cannot
      // poll.
      const isSilent = clock.now() - lastTry >= 1.8 * interval();
      if (leader.get() || behind || isSilent) void refresher.run();
      else wait(interval());
    });
  }

  watch(enabled, (on) => {
    cancelTimer();
    refresher.cancel();
    failures = 0;
    behind = true;
    isSpread = false;
    if (!isOn(on)) return;
    if (fromPage && lastTry === Number.NEGATIVE_INFINITY) {
      lastTry = clock.now();
      settle(true);
    } else void refresher.again();
  });
  leader.subscribe(() => {
    const due = lastTry + interval() - clock.now();
    if (leader.get() && isOn(enabled.get()) && due <= 0) void refresher.run();
  });
  fast?.while.subscribe(() => {
    if (isOn(enabled.get()) && !behind) wait(spread(lastTry + interval() - clock.now()));
  });
  presence.onReturn(() => {
    if (isOn(enabled.get())) void refresher.again();
  });

  return {
    now() {
      if (!isOn(enabled.get())) return Promise.resolve();
      behind = true;
      return refresher.again();
    },
    polledElsewhere() {
      if (!isOn(enabled.get())) return;
      lastTry = clock.now();
      settle(true);
    },
  };
}
