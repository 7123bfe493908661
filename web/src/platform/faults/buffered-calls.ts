import type { Api } from '../calls/call.ts';
import type { ProblemError } from '../calls/problem-error.ts';

/** A call that got no answer, or an answer that shows a fault of the server. */
export type FailedByFault = {
  readonly problem: ProblemError;
  /** Method and path, parameters by their names. */
  readonly call: string;
  readonly at: number;
  /** The path of the screen, parameters by their names. */
  readonly screen: string;
};

export type BufferedFailedCalls = {
  /** Passes on the buffered calls, the oldest first, and from then on each failed call as it happens. */
  follow(listener: (failed: FailedByFault) => void): void;
};

const mostHeld = 20;

/**
 * Buffers calls that failed by a fault until the code that reports them is loaded. When the buffer is full, the
 * first calls stay, since later failures usually follow from them. The record of errors holds all other errors.
 */
export function bufferFailedCalls(
  api: Pick<Api, 'onProblem'>,
  now: () => number,
  screen: () => string,
): BufferedFailedCalls {
  const held: FailedByFault[] = [];
  let listener: ((failed: FailedByFault) => void) | null = null;
  api.onProblem((problem, call) => {
    if (!isFault(problem)) return;
    const failed = { problem, call, at: now(), screen: screen() };
    if (listener !== null) listener(failed);
    else if (held.length < mostHeld) held.push(failed);
  });
  return {
    follow(next) {
      listener = next;
      for (const failed of held.splice(0)) next(failed);
    },
  };
}

/** Whether a problem is a fault; a refusal (4xx) is a normal answer. */
export function isFault({ status }: Pick<ProblemError, 'status'>): boolean {
  return status === 0 || status >= 500;
}
