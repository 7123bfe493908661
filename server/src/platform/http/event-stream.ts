import type { FastifyReply } from 'fastify';
import { createWorkLine } from '../time/sliced-work.ts';

/** An open stream, for `send` and `end`; no other code writes to it. */
export type OpenStream = FastifyReply['raw'];

/**
 * Streams of one kind: all get the same messages (a flag key's), or each its own as well (live events).
 *
 * Messages are written in slices, so that a large message to many streams does not block the event loop for long.
 * One queue holds all of them: each stream gets its messages in the order of the calls, whether they were for it
 * alone or for all. A stream that opens during a broadcast begins with its own first message, which is newer than
 * the broadcast, and does not get the broadcast.
 */
export type EventStream = {
  /**
   * Takes the answer over and keeps it open. `first` is sent at once, `onClose` called when either side
   * closes it. Answers null where it is closed already: its reader has gone, or this server stops.
   */
  open(
    reply: FastifyReply,
    options: { headers?: Record<string, string>; first: Buffer | null; onClose?: () => void },
  ): OpenStream | null;
  /** To one alone. */
  send(stream: OpenStream, message: Buffer): void;
  /** One buffer to all. */
  broadcast(message: Buffer): void;
  /** Sends a last message to one stream and closes it. */
  end(stream: OpenStream, last: Buffer): void;
  /** How many are open now. */
  readonly size: number;
  /** Sends each stream a time to reconnect, spread over a while, and closes it. */
  close(): void;
};

const heartbeat = Buffer.from(':\n\n');
/** A reader further behind than this many bytes is dropped: it reconnects and gets the current state. */
const backlogBytes = 1_048_576;
/** Streams closed by a stop reconnect spread over this many milliseconds. */
const spreadMs = 5_000;

/**
 * Frames one server-sent event (WHATWG HTML, 9.2). `data` without line breaks is one line; an empty one is an
 * empty but present line, without which a browser does not dispatch the event.
 */
export function eventMessage(event: { event: string; id: string; data: string }): Buffer {
  const lines = event.data.split(/\r\n|[\r\n]/).map((line) => (line === '' ? 'data:' : `data: ${line}`));
  return Buffer.from(`event: ${event.event}\nid: ${event.id}\n${lines.join('\n')}\n\n`);
}

/**
 * Creates the streams of one kind, at first none; one heartbeat timer serves all of them.
 *
 * @param retryMs after which time a client whose stream broke reconnects
 * @param heartbeatMs of silence after which a comment keeps proxies from closing a stream
 */
export function createEventStream(retryMs: number, heartbeatMs = 25_000): EventStream {
  const opening = Buffer.from(`retry: ${retryMs}\n\n`);
  /** The streams, each with the number of messages for all that had been sent when it opened. */
  const open = new Map<OpenStream, number>();
  const line = createWorkLine();
  let broadcasts = 0;
  let closing = false;

  const timer = setInterval(() => broadcast(heartbeat), heartbeatMs);
  timer.unref();

  function broadcast(message: Buffer): void {
    // No stream is silent now.
    timer.refresh();
    forAll((stream) => write(stream, message));
  }

  /** Queues an action for each stream that is open now. */
  function forAll(act: (stream: OpenStream) => void): void {
    broadcasts += 1;
    const number = broadcasts;
    const streams = open.entries();
    line.add(() => {
      const { value, done } = streams.next();
      // All further streams were opened after this call.
      if (done === true || value[1] >= number) return true;
      act(value[0]);
      return false;
    });
  }

  function forOne(stream: OpenStream, act: () => void): void {
    line.add(() => {
      if (open.has(stream)) act();
      return true;
    });
  }

  function write(stream: OpenStream, message: Buffer): void {
    if (stream.writableLength > backlogBytes) {
      open.delete(stream);
      stream.destroy();
    } else {
      // Node alone would write everything together at the end of the event loop's turn, not bounded by slices.
      const { socket } = stream;
      socket?.cork();
      stream.write(message);
      socket?.uncork();
    }
  }

  function finish(stream: OpenStream, last: Buffer): void {
    open.delete(stream);
    stream.end(last);
  }

  // One function for all streams: ten thousand streams would otherwise need ten thousand closures.
  function forget(this: OpenStream): void {
    open.delete(this);
  }

  return {
    open(reply, { headers = {}, first, onClose }) {
      const given = reply.getHeaders() as Record<string, string>;
      reply.hijack();
      const response = reply.raw;
      // The client left while the first message was being prepared: no event would report its end any more.
      if (response.destroyed) return null;
      response.writeHead(200, {
        ...given,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Proxies (nginx) hold small answers back otherwise.
        'x-accel-buffering': 'no',
        ...headers,
      });
      if (closing) {
        response.end(retryMessage());
        return null;
      }
      response.socket?.setNoDelay(true);
      response.socket?.setKeepAlive(true, 60_000);
      open.set(response, broadcasts);
      response.on('close', forget);
      response.on('error', forget);
      if (onClose !== undefined) response.on('close', onClose);
      response.write(first === null ? opening : Buffer.concat([opening, first]));
      return response;
    },
    send: (stream, message) => forOne(stream, () => write(stream, message)),
    broadcast,
    end: (stream, last) => forOne(stream, () => finish(stream, last)),
    get size() {
      return open.size;
    },
    close() {
      closing = true;
      clearInterval(timer);
      forAll((stream) => finish(stream, retryMessage()));
    },
  };
}

/** Gives a client its time to reconnect: `afterMs`, and up to `spreadMs` more at random, so that clients spread. */
export function retryMessage(afterMs = 500): Buffer {
  return Buffer.from(`retry: ${afterMs + Math.floor(Math.random() * spreadMs)}\n\n`);
}
