import { publishPresence } from '#features/presence/contract/presence.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { OpenTabs, TabCounts } from '#web/platform/tabs/open-tabs.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { createRefresher } from '#web/platform/calls/refresher.ts';

/** Reports to the server how many tabs are behind one stream. */
export type PresenceReport = {
  /** The counts to send when a stream is opened. */
  opening(): Promise<TabCounts>;
  /** The stream is open under this id: from now on changes are reported. */
  opened(connectionId: string): void;
  lost(): void;
};

type PresenceReportDependencies = { api: Api; clock: Clock; openTabs: OpenTabs };

/** A person who opens three tabs, or types and saves, causes one report. */
const delay = 500;
const firstRetry = 5_000;
const longestRetry = 60_000;

/**
 * Reports how many tabs this browser has, and how many with unsaved work: with the stream, and at changes
 * (MAINT-7).
 */
export function createPresenceReport({ api, clock, openTabs }: PresenceReportDependencies): PresenceReport {
  let connectionId: string | null = null;
  let reported: TabCounts | null = null;
  let failures = 0;
  let cancelTimer = () => {};
  let stopWatching = () => {};

  const refresher = createRefresher(async (signal) => {
    const id = connectionId;
    const body = await openTabs.count();
    if (signal.aborted || id === null) return;
    if (reported?.tabs === body.tabs && reported.unsaved === body.unsaved) return;
    try {
      await api.call(publishPresence, { params: { connectionId: id }, body }, { signal });
      reported = body;
      failures = 0;
    } catch (error) {
      // If the server does not know the stream any more, it is about to break, and the next one reports
      // again.
      if (signal.aborted || isProblem(error, 'NOT_FOUND')) return;
      failures += 1;
      plan(Math.min(longestRetry, firstRetry * 2 ** (failures - 1)));
    }
  });

  function plan(milliseconds: number): void {
    cancelTimer();
    cancelTimer = clock.after(milliseconds, () => void refresher.again());
  }

  function lost(): void {
    cancelTimer();
    stopWatching();
    refresher.cancel();
    connectionId = null;
  }

  return {
    async opening() {
      reported = await openTabs.count();
      return reported;
    },
    opened(id) {
      lost();
      connectionId = id;
      failures = 0;
      stopWatching = openTabs.onChange(() => {
        if (failures === 0) plan(delay);
      });
      // It may have changed while the stream was being opened.
      plan(delay);
    },
    lost,
  };
}
