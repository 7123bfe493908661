import { createParser } from 'eventsource-parser';

/** A message of an event stream (WHATWG HTML, 9.2.6). */
export type StreamMessage = { readonly event: string; readonly data: string };

export type StreamListeners = {
  onMessage(message: StreamMessage): void;
  /** The id of the last message from now on; empty: none. Called before `onMessage` for the message that it came with, if any. */
  onId(id: string): void;
  /** Milliseconds after which the server wants to be asked again when the stream breaks. */
  onRetry(milliseconds: number): void;
};

/** A message of more characters is dropped. */
const longestMessage = 1_048_576;

/**
 * Reads the bytes of one event stream as they come, cut anywhere; answers what takes the next ones.
 *
 * @throws from what it answers, where a message is longer than 1 Mi characters
 */
export function createEventStreamParser({
  onMessage,
  onId,
  onRetry,
}: StreamListeners): (bytes: Uint8Array) => void {
  // The parser takes one byte order mark away, as it should be; the decoder must not take another.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let tooLong: Error | null = null;
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: ({ event = 'message', data }) => onMessage({ event, data }),
    onId,
    onRetry,
    onError(error) {
      // Unknown fields are passed over.
      if (error.type === 'max-buffer-size-exceeded') tooLong = error;
    },
  });
  return (bytes) => {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (tooLong !== null) throw tooLong;
  };
}
