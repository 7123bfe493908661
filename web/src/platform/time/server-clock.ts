/**
 * The server's time as precisely as this browser can know it. Countdowns and boundaries use it: many
 * computers' clocks are wrong, and some are set while a page is open. Local times are those of
 * `performance.now()`, which cannot be set.
 */
export type ServerClock = {
  /** Milliseconds since the epoch by the server. */
  now(): number;
  /**
   * Called when a request to the server begins. Call the returned function with the time in the answer, as soon as
   * the answer is received:
   *
   *     const measured = serverClock.asking();
   *     measured((await ask()).serverTime);
   */
  asking(): (serverTime: number) => void;
};

/** A time of the server, and the local times between which it was read. */
export type Observation = { serverTime: number; sentAt: number; receivedAt: number };

/** How long an observation counts: crystals drift by some 20 ms in that time. */
const late = 15 * 60_000;
/** Milliseconds by which offsets may differ beyond the round trip, for answers that wait in this tab. */
const tolerance = 250;

/**
 * Trusts the recent observation with the shortest round trip, since its error is the smallest. A new observation
 * that contradicts an earlier one shows that a clock has jumped: the server's clock was set, or this computer
 * slept, when `performance.now()` stands still in some browsers. From then on only the new observation counts.
 *
 * @param first the time in the page, and when the page was requested and received
 * @param local returns the local time, as `performance.now()` does
 */
export function createServerClock(local: () => number, first: Observation): ServerClock {
  let observations: readonly Observation[] = [first];

  function observe(observation: Observation): void {
    const recent = observations.filter(({ receivedAt }) => observation.receivedAt - receivedAt <= late);
    const agreeing = recent.every((other) => agree(other, observation)) ? recent : [];
    observations = [...agreeing, observation].toSorted((a, b) => uncertainty(a) - uncertainty(b)).slice(0, 8);
  }

  return {
    now: () => local() + offsetOf(observations[0] ?? first),
    asking() {
      const sentAt = local();
      return (serverTime) => observe({ serverTime, sentAt, receivedAt: local() });
    },
  };
}

/** The difference between server time and local time, if the server read its time halfway. */
function offsetOf({ serverTime, sentAt, receivedAt }: Observation): number {
  return serverTime - (sentAt + receivedAt) / 2;
}

/** The largest possible error of the offset. */
function uncertainty({ sentAt, receivedAt }: Observation): number {
  return (receivedAt - sentAt) / 2;
}

function agree(a: Observation, b: Observation): boolean {
  return Math.abs(offsetOf(a) - offsetOf(b)) <= uncertainty(a) + uncertainty(b) + tolerance;
}

/** The time in this page, between the local times at which the page was requested and began to arrive. */
export function pageObservation(from: Performance, serverTime: number): Observation {
  const [navigation] = from.getEntriesByType('navigation');
  const { requestStart = 0, responseStart = 0 } = (navigation ?? {}) as Partial<PerformanceNavigationTiming>;
  // Without timing data the page was received at some time between its start and now.
  return { serverTime, sentAt: requestStart, receivedAt: responseStart > 0 ? responseStart : from.now() };
}
