import type { Clock } from './clock.ts';

/** The server's time as well as this browser can know it; countdowns use it, since many computers' clocks are wrong. */
export type ServerClock = {
  /** Milliseconds since the epoch by the server. */
  now(): number;
  /** What to add to this computer's time. */
  offset(): number;
  /** A time that the server sent, and between which local moments it must have been read. */
  observe(serverTime: number, sentAt: number, receivedAt: number): void;
};

/** `first` is the time in the page and when the page arrived. */
export function createServerClock(
  clock: Clock,
  first: { serverTime: number; receivedAt: number },
): ServerClock {
  let offset = first.serverTime - first.receivedAt;
  return {
    now: () => clock.now() + offset,
    offset: () => offset,
    observe(serverTime, sentAt, receivedAt) {
      offset = serverTime - (sentAt + receivedAt) / 2;
    },
  };
}

/** When the page's first byte arrived, in milliseconds since the epoch; now, where the browser does not tell. */
export function pageReceivedAt(from: Performance, now: number): number {
  const [navigation] = from.getEntriesByType('navigation');
  const start = (navigation as PerformanceNavigationTiming | undefined)?.responseStart ?? 0;
  return start > 0 ? from.timeOrigin + start : now;
}
