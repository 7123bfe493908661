import type { Received } from './fake-server.ts';

/** One stream of events as the server sees it. */
export type FakeStream = {
  readonly request: Received;
  /** Sends text or bytes, cut as the network would. */
  send(piece: string | Uint8Array): void;
  /** The server closes it. */
  end(): void;
  /** The network breaks the connection. */
  breakOff(): void;
  /** Whether the stream is neither closed nor broken nor aborted. */
  isOpen(): boolean;
};

/** Answers requests with streams that the test writes. */
export function createFakeStreams() {
  const all: FakeStream[] = [];
  return {
    /** All streams, in the order of the requests. */
    all,
    open: () => all.filter((stream) => stream.isOpen()),
    /** The latest. */
    last(): FakeStream {
      const last = all.at(-1);
      if (last === undefined) throw new Error('no stream was asked for');
      return last;
    },
    answer(request: Received): Response {
      let isOpen = true;
      let control: ReadableStreamDefaultController<Uint8Array> | null = null;
      const over = () => {
        const was = isOpen;
        isOpen = false;
        return was;
      };
      const body = new ReadableStream<Uint8Array>({
        start: (given) => void (control = given),
        cancel: () => void over(),
      });
      const breakOff = (reason: unknown) => over() && control?.error(reason);
      request.signal?.addEventListener('abort', () => breakOff(request.signal?.reason));
      all.push({
        request,
        send: (piece) =>
          isOpen && control?.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece),
        end: () => over() && control?.close(),
        breakOff: () => breakOff(new TypeError('network error')),
        isOpen: () => isOpen,
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    },
  };
}
