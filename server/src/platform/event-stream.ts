import type { FastifyReply } from 'fastify';

/** Streams of one kind (a flag key's), all of which get the same messages. */
export type EventStream = {
  /** Takes the answer over and keeps it open. `first` is sent at once. */
  open(reply: FastifyReply, options: { headers?: Record<string, string>; first: Buffer | null }): void;
  /** One buffer to all. */
  broadcast(message: Buffer): void;
  /** How many are open now. */
  readonly size: number;
  /** Tells each when to come back, spread over a while, and closes it. */
  close(): void;
};

const heartbeat = Buffer.from(':\n\n');
/** A reader further behind than this many bytes is dropped: it comes back and gets the current state. */
const backlogBytes = 1_048_576;
/** Streams closed by a stop come back spread over this many milliseconds. */
const spreadMs = 5_000;

/**
 * Frames one server-sent event (WHATWG HTML, 9.2). `data` without line breaks is one line; an empty one is an empty
 * but present line, without which a browser does not dispatch the event.
 */
export function eventMessage(event: { event: string; id: string; data: string }): Buffer {
  const lines = event.data.split(/\r\n|[\r\n]/).map((line) => (line === '' ? 'data:' : `data: ${line}`));
  return Buffer.from(`event: ${event.event}\nid: ${event.id}\n${lines.join('\n')}\n\n`);
}

/**
 * Opens nothing yet; one heartbeat timer serves all streams.
 *
 * @param retryMs after which time a client whose stream broke comes back
 * @param heartbeatMs between two comments that keep proxies from closing a silent stream
 */
export function createEventStream(retryMs: number, heartbeatMs = 25_000): EventStream {
  const opening = Buffer.from(`retry: ${retryMs}\n\n`);
  const open = new Set<FastifyReply['raw']>();
  let closing = false;

  const timer = setInterval(() => send(heartbeat), heartbeatMs);
  timer.unref();

  function send(message: Buffer): void {
    for (const response of open) {
      if (response.writableLength > backlogBytes) {
        open.delete(response);
        response.destroy();
      } else {
        response.write(message);
      }
    }
  }

  return {
    open(reply, { headers = {}, first }) {
      const given = reply.getHeaders() as Record<string, string>;
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        ...given,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Proxies (nginx) hold small answers back otherwise.
        'x-accel-buffering': 'no',
        ...headers,
      });
      if (closing) {
        response.end(comeBack());
        return;
      }
      response.socket?.setNoDelay(true);
      response.socket?.setKeepAlive(true, 60_000);
      open.add(response);
      response.on('close', () => open.delete(response));
      response.on('error', () => open.delete(response));
      response.write(first === null ? opening : Buffer.concat([opening, first]));
    },
    broadcast: send,
    get size() {
      return open.size;
    },
    close() {
      closing = true;
      clearInterval(timer);
      for (const response of open) response.end(comeBack());
      open.clear();
    },
  };
}

function comeBack(): Buffer {
  return Buffer.from(`retry: ${500 + Math.floor(Math.random() * spreadMs)}\n\n`);
}
