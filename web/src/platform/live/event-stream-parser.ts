import { createParser } from 'eventsource-parser';

/** A message of an event stream (WHATWG HTML, 9.2.6). */
export type StreamMessage = { readonly event: string; readonly data: string };

export type StreamListeners = {
  onMessage(message: StreamMessage): void;
  /**
   * The id of the last message from now on; empty: none. Called before `onMessage` for the message that it
   * came with, if any.
   */
  onId(id: string): void;
  /** Milliseconds after which the server asks the client to reconnect when the stream breaks. */
  onRetry(milliseconds: number): void;
};

/** A longer message, in characters, is an error. */
const longestMessage = 1_048_576;

/**
 * Reads the bytes of one event stream as they come, cut anywhere; returns a function that takes the next
 * ones.
 *
 * @throws from that function, where a message is longer than 1 Mi characters
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
      // Unknown fields are ignored.
      if (error.type === 'max-buffer-size-exceeded') tooLong = error;
    },
  });
  return (bytes) => {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (tooLong !== null) throw tooLong;
  };
}
