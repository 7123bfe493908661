import type { ClientKey, ClientKeyKind } from '#features/flags/contract/flags.ts';
import { createEventStream, type EventStream } from '#server/platform/http/event-stream.ts';

/** GrowthBook's own figure. */
const retryMs = 10_000;

/** The keys that work, and the streams of each, which are closed together when it is revoked. */
export function createFlagStreams() {
  const streams = new Map<string, EventStream>();
  let kinds: ReadonlyMap<string, ClientKeyKind> = new Map();
  let closed = false;

  return {
    /** Takes the keys that work from now on. */
    setKeys(keys: readonly ClientKey[]): void {
      kinds = new Map(keys.map(({ key, kind }) => [key, kind]));
      for (const [key, stream] of streams) {
        if (kinds.has(key)) continue;
        streams.delete(key);
        stream.close();
      }
    },
    kindOf: (clientKey: string): ClientKeyKind | null => kinds.get(clientKey) ?? null,
    of(clientKey: string): EventStream {
      const known = streams.get(clientKey);
      if (known !== undefined) return known;
      const made = createEventStream(retryMs);
      if (closed) made.close();
      streams.set(clientKey, made);
      return made;
    },
    broadcast(kind: ClientKeyKind, message: Buffer): void {
      for (const [key, stream] of streams) if (kinds.get(key) === kind) stream.broadcast(message);
    },
    /** Clients connected to this process now, by key. */
    connected: (): [key: string, clients: number][] =>
      [...streams].filter(([, { size }]) => size > 0).map(([key, { size }]) => [key, size]),
    close(): void {
      closed = true;
      for (const stream of streams.values()) stream.close();
    },
  };
}
