import * as z from 'zod/mini';
import { getMaintenanceStatus, maintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import type { Api } from '#web/platform/calls/call.ts';
import {
  createLiveSource,
  type LiveDeclaration,
  type LiveDependencies,
  liveMessage,
} from '#web/platform/live/live-source.ts';
import { createStore } from '#web/platform/state/store.ts';
import type { ServerClock } from '#web/platform/time/server-clock.ts';

const { mode, text, texts, severity, expectedEnd, upcoming, returnWithin, changedAt } =
  maintenanceStatus.shape;
/** The status as a browser knows it, without the time of the answer. */
const knownStatus = z.object({
  mode,
  text,
  texts,
  severity,
  expectedEnd,
  upcoming,
  returnWithin,
  changedAt,
});
export type KnownStatus = z.infer<typeof knownStatus>;

export const statusTopic = 'maintenance';
/** The common prefix of all query keys of maintenance in the console, to invalidate them together. */
export const maintenanceKey = [statusTopic] as const;
/** Passes the status between all tabs, those of the application and those on the entry page. */
export const statusMessage = liveMessage(knownStatus);

export type StatusDependencies = LiveDependencies<KnownStatus> & {
  api: Pick<Api, 'call'>;
  serverClock: ServerClock;
};

const versionOf = (status: KnownStatus) => JSON.stringify(status);

/** Milliseconds by which the clocks of a server's replicas may differ. */
const clockTolerance = 5_000;

/**
 * Holds the newest status that was received: an older one that arrives later does not replace it. The status is
 * read once a minute, and more often while `fast.while` is true.
 *
 * @param first the status with which the page was rendered
 */
export function createLiveStatus(
  dependencies: StatusDependencies,
  first: KnownStatus,
  fast: LiveDeclaration<KnownStatus>['fast'],
) {
  const { api, clock, serverClock } = dependencies;
  const status = createStore(knownStatus.parse(first), (a, b) => versionOf(a) === versionOf(b));
  let askedAt = Number.NEGATIVE_INFINITY;
  const source = createLiveSource(dependencies, {
    what: 'maintenance.status',
    every: 60_000,
    fast,
    first: status.get(),
    of: createStore<string | null>(statusTopic),
    async load(held, signal) {
      askedAt = clock.now();
      const measured = serverClock.asking();
      const answer = await api.call(getMaintenanceStatus, {}, signal && { signal });
      measured(answer.serverTime);
      const isOlder = held !== null && answer.changedAt < held.changedAt;
      // An older answer is of a replica that is behind, unless even its time is older: then the clock was set back.
      return isOlder && answer.serverTime + clockTolerance >= held.changedAt
        ? null
        : knownStatus.parse(answer);
    },
    versionOf,
    changedAt: (value) => value.changedAt,
    shared: true,
    fromLeader: false,
    onValue: status.set,
  });
  return {
    status,
    /** The last request failed. */
    failing: source.failing,
    /** The status may have changed: reads it now. */
    refresh: source.refresh,
    refreshWithin: source.refreshWithin,
    /** Accepts a status that the server has pushed, unless it is older than the known status. */
    take(pushed: KnownStatus) {
      if (pushed.changedAt >= status.get().changedAt) source.take(knownStatus.parse(pushed));
    },
    askedAt: () => askedAt,
  };
}
