import type { Api } from '../calls/call.ts';
import type { ProblemError } from '../calls/problem-error.ts';

/** A call that got no answer, or one that only a fault of the server explains. */
export type FailedByFault = {
  readonly problem: ProblemError;
  /** Method and path, parameters by their names. */
  readonly call: string;
  readonly at: number;
  /** The path of the screen, parameters by their names. */
  readonly screen: string;
};

export type BufferedFailedCalls = {
  /** Gives what is held, the oldest first, and from then on each one as it happens. */
  follow(listener: (failed: FailedByFault) => void): void;
};

const mostHeld = 20;

/**
 * Holds calls that failed by a fault until the code that reports them is loaded: the first ones, since later
 * ones usually follow from them. Other errors are in the record of errors until then.
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

/** A refusal is a normal answer: 4xx is no fault. */
export function isFault({ status }: Pick<ProblemError, 'status'>): boolean {
  return status === 0 || status >= 500;
}
