import type { Caller } from '#server/platform/http/access-check.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';

/** A WebSocket, an event stream, or another long exchange, open through the gateway. */
export type OpenStream = {
  caller: Caller | null;
  /** Whether the stream may go on, by the session, the right and maintenance. */
  mayGoOn(): Promise<boolean>;
  end(): void;
};

export type OpenStreams = ReturnType<typeof createOpenStreams>;

/** How often all streams are checked, since nothing publishes that a session expires. */
const lookEveryMs = 10_000;
const spreadMs = 5_000;
const stopSpreadMs = 1_000;
/** How many streams are checked in one turn of the event loop. */
const slice = 200;

/**
 * The streams that are open. Each is checked again when something changes that it may depend on, and every ten
 * seconds, so that it ends within seconds of its session, its right or the beginning of maintenance.
 */
export function createOpenStreams(feed: ChangeFeed, logger: Logger) {
  const open = new Set<OpenStream>();
  let closing = false;

  async function check(meant: (caller: Caller) => boolean, within: number): Promise<void> {
    let asked = 0;
    for (const stream of open) {
      if (stream.caller !== null && !meant(stream.caller)) continue;
      asked += 1;
      if (asked % slice === 0) await new Promise((next) => setImmediate(next));
      await ask(stream, within);
    }
  }

  async function ask(stream: OpenStream, within: number): Promise<void> {
    try {
      if (!(await stream.mayGoOn())) endWithin(stream, within);
    } catch (error) {
      // The stream is checked again in a while.
      logger.error({ err: error }, 'it is not known whether a stream to an application may go on');
    }
  }

  function endWithin(stream: OpenStream, ms: number): void {
    if (!open.delete(stream)) return;
    if (ms === 0) stream.end();
    else setTimeout(() => stream.end(), Math.random() * ms).unref();
  }

  const everyone = (): boolean => true;
  const recheck = (meant: (caller: Caller) => boolean): void => void check(meant, 0);
  feed.on('session', ({ key }) => recheck(({ sessionId }) => sessionId === key));
  for (const topic of ['person', 'rights'] as const)
    feed.on(topic, ({ key }) => recheck(({ id, kind }) => key === '' || kind === 'token' || id === key));
  for (const topic of ['right-rules', 'api-tokens', 'signing-keys'] as const)
    feed.on(topic, () => recheck(everyone));
  const periodic = createPeriodic(logger, lookEveryMs, {
    'streams to applications': () => check(everyone, 0),
  });

  return {
    /** Answers a function that removes the stream, to be called when the stream closes. */
    add(stream: OpenStream): () => void {
      open.add(stream);
      if (closing) endWithin(stream, stopSpreadMs);
      // What it depends on may have changed since its request was admitted.
      else void ask(stream, 0);
      return () => void open.delete(stream);
    },
    get size() {
      return open.size;
    },
    /** Ends the streams that may not go on, spread over a while: all their clients reconnect. */
    closeForMaintenance: () => void check(everyone, spreadMs),
    /** Ends all streams, spread over a short while. */
    async close() {
      closing = true;
      for (const stream of open) endWithin(stream, stopSpreadMs);
      await periodic.stop();
    },
  };
}
