/**
 * Runs one piece of work at a time. `run` joins a run under way; `again` is for "something changed": the
 * answer under way may be older than the change, so one more run follows it. Several calls during one run
 * lead to one more run.
 */
export type Refresher = {
  run(): Promise<void>;
  again(): Promise<void>;
  /** Aborts a run under way and drops the runs that would follow it. */
  cancel(): void;
};

/** `work` never rejects; it gives up when its signal is aborted. */
export function createRefresher(work: (signal: AbortSignal) => Promise<void>): Refresher {
  let current: { done: Promise<void>; control: AbortController } | null = null;
  let isRepeatRequested = false;

  function start(): Promise<void> {
    const control = new AbortController();
    const done = work(control.signal).then(() => {
      if (control.signal.aborted) return undefined;
      current = null;
      if (!isRepeatRequested) return undefined;
      isRepeatRequested = false;
      return start();
    });
    current = { done, control };
    return done;
  }

  return {
    run: () => current?.done ?? start(),
    again() {
      if (current === null) return start();
      isRepeatRequested = true;
      return current.done;
    },
    cancel() {
      current?.control.abort();
      current = null;
      isRepeatRequested = false;
    },
  };
}
