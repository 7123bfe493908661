import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
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

/** How long the thread stays without a request, and how long one may take, milliseconds. */
const idleMs = 30_000;
const mostMs = 10_000;
/** What the thread may take; a map that needs more is refused when it is uploaded. */
const heapMegabytes = 512;

/** Next to this file, in TypeScript as in the published bundle. */
const threadFile = join(import.meta.dirname, `trace-thread${extname(import.meta.filename)}`);

type Waiting = { done(answer: TraceAnswer): void; fail(error: Error): void };
type Thread = { worker: Worker; waiting: Map<number, Waiting>; idle: NodeJS.Timeout | undefined };

/** Reads source maps in a thread of its own, which begins with the first and ends when none is read. */
export function createTracer(): Tracer {
  let current: Thread | null = null;
  let last = 0;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();

  function begin(): Thread {
    const worker = new Worker(threadFile, {
      // It needs nothing of what the process was given, secrets among it.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const thread: Thread = { worker, waiting: new Map(), idle: undefined };
    worker.on('message', (answer: TraceAnswer) => {
      const asker = thread.waiting.get(answer.id);
      thread.waiting.delete(answer.id);
      if (thread.waiting.size === 0) rest(thread);
      asker?.done(answer);
    });
    worker.on('error', (cause) => end(thread, cause));
    worker.on('exit', () => end(thread));
    return thread;
  }

  /** What it has not answered fails; the next request begins another one. */
  function end(thread: Thread, cause?: unknown): void {
    clearTimeout(thread.idle);
    if (current === thread) current = null;
    const error = new Error('The thread that reads source maps has ended.', { cause });
    for (const { fail } of thread.waiting.values()) fail(error);
    thread.waiting.clear();
  }

  function rest(thread: Thread): void {
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      if (current === thread) current = null;
      void thread.worker.terminate();
    }, idleMs).unref();
  }

  function ask(
    request: TraceRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never,
    bytes: Uint8Array<ArrayBuffer> | null,
  ): Promise<TraceAnswer> {
    if (closed) return Promise.reject(new Error('No source map is read any more.'));
    const thread = (current ??= begin());
    clearTimeout(thread.idle);
    thread.worker.ref();
    const id = (last += 1);
    return new Promise<TraceAnswer>((done, fail) => {
      const timer = setTimeout(() => {
        end(thread);
        void thread.worker.terminate();
      }, mostMs);
      thread.waiting.set(id, {
        done: (answer) => {
          clearTimeout(timer);
          done(answer);
        },
        fail: (error) => {
          clearTimeout(timer);
          fail(error);
        },
      });
      thread.worker.postMessage({ ...request, id }, bytes === null ? [] : [bytes.buffer]);
    });
  }

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
          const answer = await ask({ kind: 'check', bytes }, bytes);
          return 'fault' in answer ? answer.fault : 'cannot be read';
        } catch {
          return 'is too large to be read';
        }
      }),
    async trace({ key, read }, places) {
      const held = await ask({ kind: 'trace', key, bytes: null, places }, null);
      if ('places' in held && held.places !== null) return held.places;
      return inTurn(async () => {
        const bytes = await read();
        const traced = await ask({ kind: 'trace', key, bytes, places }, bytes);
        return 'places' in traced && traced.places !== null ? traced.places : places.map(() => null);
      });
    },
    async close() {
      closed = true;
      clearTimeout(current?.idle);
      await current?.worker.terminate();
    },
  };
}
