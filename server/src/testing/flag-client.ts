import { GrowthBook, clearCache, configureCache, setPolyfills, type Options } from '@growthbook/growthbook';
import { EventSource } from 'eventsource';
import { vi } from 'vitest';
import { afterThisTest } from './fresh-database.ts';

// The real SDK, as an application uses it. Its own polling is out of the way, so that what arrives came by
// the stream.
setPolyfills({ EventSource, fetch: (...call: Parameters<typeof fetch>) => fetch(...call) });
configureCache({ staleTTL: 3_600_000, disableIdleStreams: true, backgroundSync: true });

/** A GrowthBook client with streaming, loaded; gone after the test. */
export async function flagClient(url: string, clientKey: string, options: Options = {}): Promise<GrowthBook> {
  await clearCache();
  const client = new GrowthBook({ apiHost: url, clientKey, ...options });
  afterThisTest(() => client.destroy());
  await client.init({ streaming: true, timeout: 60_000, skipCache: true });
  return client;
}

export type ReceivedEvent = { event: string; id: string; data: string };

export type RawStream = {
  events: ReceivedEvent[];
  /** Everything, as it came. */
  text(): string;
  /** Waits until as many events have come. */
  until(count: number): Promise<ReceivedEvent[]>;
  ended: Promise<void>;
  close(): void;
};

/** An event stream read with fetch, event by event. */
export async function openStream(address: string, headers: Record<string, string> = {}): Promise<RawStream> {
  const abort = new AbortController();
  afterThisTest(() => abort.abort());
  const response = await fetch(address, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  const events: ReceivedEvent[] = [];
  let text = '';
  let read = 0;

  async function readOn(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
        const event = eventOf(text.slice(read, end));
        if (event !== null) events.push(event);
        read = end + 2;
      }
    }
  }

  const ended = readOn().catch(() => undefined);
  return {
    events,
    text: () => text,
    async until(count) {
      // Also before all tests of a file, where nothing can be expected yet.
      await vi.waitUntil(() => events.length >= count, { timeout: 30_000, interval: 10 });
      return events;
    },
    ended,
    close: () => abort.abort(),
  };
}

function eventOf(block: string): ReceivedEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  const event = fields.get('event');
  return event === undefined ? null : { event, id: fields.get('id') ?? '', data: fields.get('data') ?? '' };
}
