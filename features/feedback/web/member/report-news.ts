import * as z from 'zod/mini';
import { type ReportStatus, reportStatus } from '#features/feedback/contract/own-reports.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import { createSignal, createStore, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';

/** A new status of an own report, or replies of operators to it. */
export type ReportNews = {
  readonly reportId: string;
  readonly number: number;
  readonly status: ReportStatus;
  /** How many replies are new; without any, the status is what is new. */
  readonly replies: number;
};

export type NewsOfReports = ReturnType<typeof createReportNews>;

/** The message of a tab to the others of the browser: it has published the news of this report. */
export const newsMessage = z.object({ reportId: z.string(), status: reportStatus });
export type NewsMessage = z.infer<typeof newsMessage>;

export type ReportNewsDependencies = {
  clock: Clock;
  random: () => number;
  person: Readable<string | null>;
  leader: Readable<boolean>;
  presence: Pick<TabPresence, 'visible'>;
  broadcast: Broadcast<NewsMessage>;
  live: {
    /** Called in every tab; the server may send the same news twice. */
    onReport(listener: (news: ReportNews) => void): () => void;
    /** Calls the listener when reports were deleted. */
    onGone(listener: () => void): () => void;
  };
};

const shortestGap = 1_000;
/** Milliseconds that the other tabs wait at least, and twice as long at most, for the leading tab to publish. */
const leaderFirst = 300;

/**
 * Follows the reports of the signed-in person. The leading tab publishes news if it is visible; otherwise
 * another visible tab does, or the first that becomes visible.
 */
export function createReportNews(dependencies: ReportNewsDependencies) {
  const { clock, person, leader, broadcast } = dependencies;
  const { visible } = dependencies.presence;
  const changes = createStore(0);
  const published = createSignal<ReportNews>();
  const latest = new Map<string, ReportStatus>();
  const unpublished = new Map<string, ReportNews>();
  let isPlanned = false;
  let countedAt = Number.NEGATIVE_INFINITY;

  function count(): void {
    if (isPlanned) return;
    isPlanned = true;
    const due = Math.max(0, countedAt + shortestGap - clock.now());
    clock.after(Math.min(due, shortestGap), () => {
      isPlanned = false;
      countedAt = clock.now();
      changes.set(changes.get() + 1);
    });
  }

  function publishAll(): void {
    if (!visible.get()) return;
    const all = [...unpublished.values()];
    unpublished.clear();
    for (const news of all) {
      broadcast.post({ reportId: news.reportId, status: news.status });
      published.publish(news);
    }
  }

  dependencies.live.onReport((news) => {
    count();
    const { reportId, status, replies } = news;
    if (replies === 0 && latest.get(reportId) === status) return;
    latest.set(reportId, status);
    const before = unpublished.get(reportId)?.replies ?? 0;
    unpublished.set(reportId, { ...news, replies: replies + before });
    if (leader.get()) publishAll();
    else clock.after(leaderFirst * (1 + dependencies.random()), publishAll);
  });
  dependencies.live.onGone(count);
  broadcast.subscribe(({ reportId, status }) => {
    if (unpublished.get(reportId)?.status === status) unpublished.delete(reportId);
  });
  watch(visible, publishAll);
  person.subscribe(() => {
    latest.clear();
    unpublished.clear();
  });

  return {
    /** Grows when lists of own reports have to be reloaded, once a second at most. */
    changes: changes as Readable<number>,
    /** Calls the listener in only one tab of the browser: a visible one. */
    onNews: published.subscribe,
  };
}
