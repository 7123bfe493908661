import { serverEvent, type ServerEvent } from '#features/events/contract/events.ts';
import { openStream, type RawStream } from './flag-client.ts';

/** The stream of `/v1/events` of one browser, event by event. */
export type LiveStream = {
  /** What has arrived so far, each as the contract declares it. */
  events(): ServerEvent[];
  /** Waits until as many have come. */
  until(count: number): Promise<ServerEvent[]>;
  /** The name of the connection. */
  connectionId: string;
  /** What the browser would send as `Last-Event-ID`. */
  lastId(): string;
  ended: RawStream['ended'];
  text: RawStream['text'];
  close(): void;
};

/** Opens a live stream and waits for its first messages: hello, what was missed, and maintenance. */
export async function openLive(
  { url }: { url: string },
  accessToken: string,
  options: { seen?: string; browser?: string } = {},
): Promise<LiveStream> {
  const stream = await openStream(
    `${url}/v1/events${options.browser === undefined ? '' : `?${options.browser}`}`,
    {
      authorization: `Bearer ${accessToken}`,
      ...(options.seen === undefined ? {} : { 'last-event-id': options.seen }),
    },
  );
  const events = () =>
    stream.events.map(({ event, data }) => {
      const parsed = serverEvent.parse(JSON.parse(data));
      if (parsed.type !== event) throw new Error(`The event ${event} holds ${data}.`);
      return parsed;
    });
  await stream.until(2);
  const [hello] = events();
  if (hello?.type !== 'hello') throw new Error(`The stream begins with ${JSON.stringify(hello)}.`);
  return {
    events,
    async until(count) {
      await stream.until(count);
      return events();
    },
    connectionId: hello.connectionId,
    lastId: () => stream.events.at(-1)?.id ?? '',
    ended: stream.ended,
    text: stream.text,
    close: () => stream.close(),
  };
}
