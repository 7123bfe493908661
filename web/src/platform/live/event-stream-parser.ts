import { createParser } from 'eventsource-parser';

/** A message of an event stream (WHATWG HTML, 9.2.6). */
export type StreamMessage = { readonly event: string; readonly data: string };

export type StreamListeners = {
  onMessage(message: StreamMessage): void;
  /**
   * Receives the id that is the last message id from now on; empty: none. Called before `onMessage` if a message
   * came with the id.
   */
  onId(id: string): void;
  /** Milliseconds after which the server asks the client to reconnect when the stream breaks. */
  onRetry(milliseconds: number): void;
};

/** The length in characters above which a message is an error. */
const longestMessage = 1_048_576;

/**
 * Parses the bytes of one event stream. Returns a function that takes the next chunk, which may be cut anywhere.
 *
 * @throws from that function, if a message is longer than 1 Mi characters
 */
export function createEventStreamParser({
  onMessage,
  onId,
  onRetry,
}: StreamListeners): (bytes: Uint8Array) => void {
  // The parser removes one byte order mark, as it should; the decoder must not remove another.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let tooLong: Error | null = null;
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: ({ event = 'message', data }) => onMessage({ event, data }),
    onId,
    onRetry,
    onError(error) {
      // Errors about unknown fields are ignored.
      if (error.type === 'max-buffer-size-exceeded') tooLong = error;
    },
  });
  return (bytes) => {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (tooLong !== null) throw tooLong;
  };
}
