import { tellPresence } from '@portico/contract/presence';
import type { Api } from '../../platform/call.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OpenTabs, TabCounts } from '../../platform/open-tabs.ts';
import { isProblem } from '../../platform/problem-error.ts';
import { createRefresher } from '../../platform/refresher.ts';

/** What the server is told of the tabs behind one stream. */
export type PresenceReport = {
  /** What goes with the next opening. */
  opening(): Promise<TabCounts>;
  /** The stream is open under this name: from now on what changes is told. */
  opened(connectionId: string): void;
  lost(): void;
};

type PresenceReportEdges = { api: Api; clock: Clock; openTabs: OpenTabs };

/** Somebody who opens three tabs, or types and saves, is told of once. */
const delay = 500;
const firstRetry = 5_000;
const longestRetry = 60_000;

/** Tells how many tabs this browser has, and how many with unsaved work: with the stream, and when it has changed (MAINT-7). */
export function createPresenceReport({ api, clock, openTabs }: PresenceReportEdges): PresenceReport {
  let connectionId: string | null = null;
  let told: TabCounts | null = null;
  let failures = 0;
  let cancelTimer = () => {};
  let stopWatching = () => {};

  const refresher = createRefresher(async (signal) => {
    const id = connectionId;
    const body = await openTabs.count();
    if (signal.aborted || id === null) return;
    if (told?.tabs === body.tabs && told.unsaved === body.unsaved) return;
    try {
      await api.call(tellPresence, { params: { connectionId: id }, body }, { signal });
      told = body;
      failures = 0;
    } catch (error) {
      // A stream that the server does not know any more is about to break, and the next one tells anew.
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
      told = await openTabs.count();
      return told;
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
