import { extname, join } from 'node:path';
import { createThread } from '#server/platform/time/thread.ts';
import type { OriginalPlace, ScriptPlace, TraceAnswer, TraceRequest } from './trace-thread.ts';

/** A source map whose bytes are read only where the thread does not hold them. */
export type ReadableMap = { key: string; read(): Promise<Uint8Array<ArrayBuffer>> };

export type Tracer = {
  /** Why bytes are not a source map, as a message for the uploader; null if they are one. */
  check(map: Pick<ReadableMap, 'read'>): Promise<string | null>;
  /** The places in the sources, null for those that the map does not know. */
  trace(map: ReadableMap, places: readonly ScriptPlace[]): Promise<(OriginalPlace | null)[]>;
  close(): Promise<void>;
};

/** How long a request may take, milliseconds. */
const mostMs = 10_000;
/** Memory that the thread may take; a map that needs more is refused when it is uploaded. */
const heapMegabytes = 512;

/** The thread's script, which is next to this file in TypeScript and in the published bundle. */
const threadFile = join(import.meta.dirname, `trace-thread${extname(import.meta.filename)}`);

/** Reads source maps in a thread of its own, which starts with the first map and ends when it is idle. */
export function createTracer(): Tracer {
  const thread = createThread<TraceRequest, TraceAnswer>(threadFile, {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    ended: (cause) => new Error('The thread that reads source maps has ended.', { cause }),
  });
  let turn: Promise<unknown> = Promise.resolve();

  /** One map after the other, so that only one is held in memory on its way to the thread. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  return {
    check: ({ read }) =>
      inTurn(async () => {
        const bytes = await read();
        try {
          const answer = await thread.ask({ kind: 'check', bytes }, mostMs, [bytes.buffer]);
          return 'fault' in answer ? answer.fault : 'cannot be read';
        } catch {
          return 'is too large to be read';
        }
      }),
    async trace({ key, read }, places) {
      const held = await thread.ask({ kind: 'trace', key, bytes: null, places }, mostMs);
      if ('places' in held && held.places !== null) return held.places;
      return inTurn(async () => {
        const bytes = await read();
        const traced = await thread.ask({ kind: 'trace', key, bytes, places }, mostMs, [bytes.buffer]);
        return 'places' in traced && traced.places !== null ? traced.places : places.map(() => null);
      });
    },
    close: thread.close,
  };
}
