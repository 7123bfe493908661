import { Worker, type WorkerOptions } from 'node:worker_threads';

/** How long a thread stays without a request, milliseconds: it takes some 10 MB, and starts in some 50 ms. */
const idleMs = 30_000;

type Waiting<Answer> = { done(answer: Answer): void; fail(error: Error): void };
type Running<Answer> = {
  worker: Worker;
  waiting: Map<number, Waiting<Answer>>;
  idle: NodeJS.Timeout | undefined;
};

/**
 * A thread that answers requests by their id. It begins with the first request and ends when none has come for a
 * while. It receives no environment of the process, which holds secrets.
 *
 * @param ended makes the error for requests that wait at the end; the next request begins another thread
 */
export function createThread<Request extends { id: number }, Answer extends { id: number }>(
  file: string,
  { ended, ...options }: WorkerOptions & { ended(cause?: unknown): Error },
) {
  let current: Running<Answer> | null = null;
  let last = 0;
  let closed = false;

  function begin(): Running<Answer> {
    const worker = new Worker(file, { env: {}, ...options });
    const thread: Running<Answer> = { worker, waiting: new Map(), idle: undefined };
    worker.on('message', (answer: Answer) => {
      const asker = thread.waiting.get(answer.id);
      thread.waiting.delete(answer.id);
      if (thread.waiting.size === 0) rest(thread);
      asker?.done(answer);
    });
    worker.on('error', (cause) => end(thread, cause));
    worker.on('exit', () => end(thread));
    return thread;
  }

  function end(thread: Running<Answer>, cause?: unknown): void {
    clearTimeout(thread.idle);
    if (current === thread) current = null;
    const error = ended(cause);
    for (const { fail } of thread.waiting.values()) fail(error);
    thread.waiting.clear();
  }

  function rest(thread: Running<Answer>): void {
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      if (current === thread) current = null;
      void thread.worker.terminate();
    }, idleMs).unref();
  }

  return {
    /** @param mostMs milliseconds after which the thread is ended if it has not answered */
    ask(request: Unnumbered<Request>, mostMs?: number, transfer: ArrayBuffer[] = []): Promise<Answer> {
      if (closed) return Promise.reject(new Error('The thread is closed.'));
      const thread = (current ??= begin());
      clearTimeout(thread.idle);
      thread.worker.ref();
      const id = (last += 1);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      thread.waiting.set(id, { done: resolve, fail: reject });
      thread.worker.postMessage({ ...request, id }, transfer);
      if (mostMs === undefined) return promise;
      const timer = setTimeout(() => {
        end(thread);
        void thread.worker.terminate();
      }, mostMs);
      return promise.finally(() => clearTimeout(timer));
    },
    async close() {
      closed = true;
      clearTimeout(current?.idle);
      await current?.worker.terminate();
    },
  };
}

/** What the caller gives of each kind of request: everything but the id. */
type Unnumbered<R> = R extends { id: number } ? Omit<R, 'id'> : never;
