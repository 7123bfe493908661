import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Core } from '#server/core.ts';
import { post, type Posted } from '#features/webhooks/server/post.ts';
import type { Json } from './envelope.ts';

/** The body of an accepted request, as it was received. */
export type Forwarded = {
  /** The address that the request was sent to: for envelopes, or for single events. */
  kind: 'envelope' | 'store';
  bytes: Buffer;
  /** The header `Content-Encoding`. */
  encoding: string | undefined;
  /** The envelope's header where it names a DSN, which is replaced; `bytes` are then not compressed. */
  header: Json | null;
};

export type Forwarding = {
  /** @param dsn the DSN of the other host */
  send(dsn: string, sent: Forwarded): void;
  /** Sends nothing more. */
  close(): Promise<void>;
};

type Waiting = {
  target: string;
  address: string;
  bytes: Buffer;
  headers: Record<string, string>;
  tries: number;
  from: number;
};

/** Marks a request as forwarded. It is not forwarded again, so no request goes back and forth for ever. */
export const forwardedHeader = 'x-portico-forwarded';

const most = { waiting: 500, bytes: 16 * 1024 * 1024, tries: 4, pauseSeconds: 300 };
const atOnce = 4;
const closingMs = 2_000;
const newline = 0x0a;

/**
 * Forwards envelopes to other hosts without delaying the answers to their senders. Best effort: the queue is in
 * memory, bounded, and lost with the process; envelopes beyond its bound are dropped, counted and logged.
 */
export function createForwarding({
  logger,
  clock,
  version,
}: Pick<Core, 'logger' | 'clock' | 'version'>): Forwarding {
  const waiting: Waiting[] = [];
  const pausedUntil = new Map<string, number>();
  const ending = new AbortController();
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: atOnce }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: atOnce }),
  };
  const running = new Set<Promise<void>>();
  let bytes = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let reporting: NodeJS.Timeout | undefined;

  function add(next: Waiting): void {
    if (ending.signal.aborted) return;
    if (waiting.length >= most.waiting || bytes + next.bytes.length > most.bytes) {
      drop('too many wait');
      return;
    }
    bytes += next.bytes.length;
    waiting.push(next);
    begin();
  }

  function drop(reason: string): void {
    dropped += 1;
    reporting ??= setTimeout(() => {
      logger.warn({ dropped, reason }, 'envelopes could not be forwarded and were dropped');
      reporting = undefined;
      dropped = 0;
    }, 10_000);
    reporting.unref();
  }

  /** Starts sending the envelopes that are due, and sets a timer for the next one. */
  function begin(): void {
    clearTimeout(timer);
    const now = clock.now();
    while (running.size < atOnce) {
      const at = waiting.findIndex((each) => dueAt(each) <= now);
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) break;
      bytes -= next.bytes.length;
      const sending: Promise<void> = send(next).finally(() => {
        running.delete(sending);
        begin();
      });
      running.add(sending);
    }
    if (waiting.length === 0 || running.size >= atOnce || ending.signal.aborted) return;
    const first = waiting.reduce((soonest, each) => Math.min(soonest, dueAt(each)), Number.POSITIVE_INFINITY);
    timer = setTimeout(begin, Math.max(10, first - now));
    timer.unref();
  }

  function dueAt({ target, from }: Waiting): number {
    return Math.max(from, pausedUntil.get(target) ?? 0);
  }

  async function send(next: Waiting): Promise<void> {
    const { protocol } = new URL(next.address);
    const posted = await post(next.address, {
      headers: next.headers,
      body: next.bytes,
      signal: ending.signal,
      agent: agents[protocol as keyof typeof agents],
    });
    const again = posted.status === null || posted.status === 429 || posted.status >= 500;
    if (!again && posted.status !== null && posted.status < 300) return;
    // No retry after a refusal for good, for a forbidden address, or after the last try.
    if (!again || posted.failure === 'forbidden-address' || next.tries + 1 >= most.tries) {
      if (posted.failure !== 'cancelled') drop(posted.failure ?? `answered with ${posted.status}`);
      return;
    }
    const pause = secondsIn(posted) ?? 2 ** (next.tries + 1);
    if (posted.status === 429) pausedUntil.set(next.target, clock.now() + pause * 1000);
    add({ ...next, tries: next.tries + 1, from: clock.now() + pause * 1000 });
  }

  return {
    send(dsn, { kind, bytes: sent, encoding, header }) {
      const { origin, username, pathname } = new URL(dsn);
      const [, before = '', project = ''] = /^(.*)\/(\d+)$/.exec(pathname) ?? [];
      add({
        target: dsn,
        address: `${origin}${before}/api/${project}/${kind}/?sentry_version=7&sentry_key=${username}`,
        bytes: header === null ? sent : withDsn(sent, { ...header, dsn }),
        headers: {
          'content-type': kind === 'envelope' ? 'application/x-sentry-envelope' : 'application/json',
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
          'user-agent': `Portico/${version}`,
          [forwardedHeader]: '1',
        },
        tries: 0,
        from: 0,
      });
    },
    async close() {
      clearTimeout(timer);
      clearTimeout(reporting);
      const late = setTimeout(() => ending.abort(), closingMs);
      await Promise.all(running);
      clearTimeout(late);
      ending.abort();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function withDsn(bytes: Buffer, header: Json): Buffer {
  const end = bytes.indexOf(newline);
  const rest = end < 0 ? Buffer.from('\n') : bytes.subarray(end);
  return Buffer.concat([Buffer.from(JSON.stringify(header)), rest]);
}

/** Seconds for which the other host accepts nothing; null if unknown. */
function secondsIn({ retryAfter, rateLimits }: Posted): number | null {
  const named = (rateLimits ?? '').split(',').map((limit) => Number.parseInt(limit, 10));
  const seconds = [Number.parseInt(retryAfter ?? '', 10), ...named].filter((each) => each > 0);
  return seconds.length === 0 ? null : Math.min(most.pauseSeconds, Math.max(...seconds));
}
