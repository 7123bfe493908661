import type { Clock } from '../time/clock.ts';
import { createEventStreamParser, type StreamMessage } from './event-stream-parser.ts';
import { networkProblem, ProblemError } from '../calls/problem-error.ts';
import { createStore, type Readable } from '../state/store.ts';
import type { TabPresence } from '../tabs/tab-presence.ts';

/*
 * A stream of events held open by `fetch`, since the browser's own EventSource sends no bearer token and does
 * not notice that a stream has gone silent:
 *
 * 1. A stream counts as connected once its first message was received. Without a message for 10 s, a proxy is
 *    buffering the stream: it is aborted and retried with growing waits, up to 5 min.
 * 2. When a stream breaks, it is opened again after the time that the server has asked for (default 1 s), then
 *    after twice as long each time, up to 60 s; each wait is spread, so that browsers do not reconnect
 *    together after an outage.
 * 3. The server sends a beat every 25 s. After 60 s of silence the stream is dead, whatever the network reports;
 *    since timers stand still while a computer sleeps, the time is checked every 10 s. A person who returns
 *    to the tab waits for none of this.
 * 4. After a refusal (401, 403) there is no retry until a person returns to the tab, since the server would
 *    refuse the same caller again.
 */

export type EventSourceDependencies = {
  clock: Clock;
  random: () => number;
  presence: Pick<TabPresence, 'onReturn'>;
  /**
   * Opens the stream, which goes on until the signal is aborted.
   *
   * @param lastId the id of the last received message, or null
   * @throws ProblemError
   */
  open(lastId: string | null, signal: AbortSignal): Promise<Response>;
  /** The id of the last message that is known when the stream is first opened; empty: none. */
  lastId: string;
  onMessage(message: StreamMessage): void;
  /** Called when a connection ended, unless the server or this side ended it on purpose. */
  onProblem(problem: ProblemError): void;
};

export type ReconnectingEventSource = {
  readonly connected: Readable<boolean>;
  /** The id of the last received message; empty: none. */
  lastId(): string;
  close(): void;
};

const firstMessageWithin = 10_000;
const silence = 60_000;
const silenceOnReturn = 30_000;
const checkEvery = 10_000;
const waits = { broken: { first: 1_000, longest: 60_000 }, blocked: { first: 10_000, longest: 300_000 } };
const shortestRetry = 100;
const longestRetryAfter = 300_000;
/** Milliseconds of connection after which the next wait is the shortest one again. */
const stableAfter = 10_000;
/** The fewest milliseconds between two requests, even if a person returns to the tab repeatedly. */
const shortestGap = 1_000;

/** Opens a stream of events and keeps it open until `close`. */
export function createEventSource(dependencies: EventSourceDependencies): ReconnectingEventSource {
  const { clock, random } = dependencies;
  const connected = createStore(false);
  let { lastId } = dependencies;
  let attempt: AbortController | null = null;
  let cancelTimer = () => {};
  let failures = 0;
  let retry = waits.broken.first;
  let beganAt = Number.NEGATIVE_INFINITY;
  let connectedAt = 0;
  let receivedAt = 0;

  function connect(): void {
    drop();
    const control = new AbortController();
    attempt = control;
    beganAt = clock.now();
    cancelTimer = clock.after(firstMessageWithin, () => {
      dependencies.onProblem(networkProblem(new Error('No event came within 10 s.')));
      fail('blocked');
    });
    follow(control.signal).then(
      () => (control.signal.aborted ? undefined : fail('broken')),
      (error: unknown) => {
        if (control.signal.aborted) return;
        const problem = error instanceof ProblemError ? error : networkProblem(error);
        dependencies.onProblem(problem);
        if (problem.status === 401 || problem.status === 403) drop();
        else fail('broken', problem.retryAfter);
      },
    );
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { headers, body } = await dependencies.open(isHeaderValue(lastId) ? lastId : null, signal);
    if (signal.aborted) return;
    if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true)
      throw new Error('What answered is not a stream of events.');
    const feed = createEventStreamParser({
      onId(id) {
        if (!signal.aborted) lastId = id;
      },
      onRetry: (milliseconds) =>
        (retry = Math.min(waits.broken.longest, Math.max(shortestRetry, milliseconds))),
      onMessage(message) {
        // Messages that follow the closing message in the same chunk are left to the next connection.
        if (signal.aborted) return;
        succeed();
        if (!signal.aborted) dependencies.onMessage(message);
      },
    });
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      receivedAt = clock.now();
      feed(value);
    }
  }

  function succeed(): void {
    if (connected.get()) return;
    connectedAt = clock.now();
    watchSilence();
    connected.set(true);
  }

  /** Checks every 10 s for how long nothing was received. */
  function watchSilence(): void {
    cancelTimer();
    cancelTimer = clock.after(checkEvery, () => {
      if (silentFor() >= silence) fail('broken');
      else watchSilence();
    });
  }

  function silentFor(): number {
    // The clock was put back.
    if (clock.now() < receivedAt) receivedAt = clock.now();
    return clock.now() - receivedAt;
  }

  function fail(how: keyof typeof waits, askedFor = 0): void {
    const lived = connected.get() && clock.now() - connectedAt >= stableAfter;
    failures = lived ? 1 : failures + 1;
    drop();
    const { first, longest } = waits[how];
    const doubled = Math.min(longest, (how === 'broken' ? retry : first) * 2 ** (failures - 1));
    const asked = Math.min(longestRetryAfter, askedFor);
    const spread = random() / 2;
    cancelTimer = clock.after(Math.max(doubled * (0.5 + spread), asked * (1 + spread)), connect);
  }

  function drop(): void {
    cancelTimer();
    attempt?.abort();
    attempt = null;
    connected.set(false);
  }

  const stop = dependencies.presence.onReturn(() => {
    const isGood = connected.get() && silentFor() < silenceOnReturn;
    // The clock may have been put back.
    const isNew = Math.abs(clock.now() - beganAt) < (attempt === null ? shortestGap : firstMessageWithin);
    if (!isGood && !isNew) connect();
  });
  connect();

  return {
    connected,
    lastId: () => lastId,
    close() {
      stop();
      drop();
    },
  };
}

function isHeaderValue(id: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(id);
}
