import { useEffect, useState } from 'react';
import { ProblemError } from '../../platform/calls/problem-error.ts';

export type Sending = {
  /** Sending, or sent and on the way to the next page. */
  readonly busy: boolean;
  readonly problem: ProblemError | null;
  /** Sends, then goes to the address in the answer. A second press while it is under way does nothing. */
  send(work: () => Promise<{ next: string }>): void;
  /** The problem is no longer what stands in the way. */
  forget(): void;
};

/** A form that is sent once and then left. */
export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ProblemError | null>(null);

  useEffect(() => {
    // Back from the next page the browser may show this one as it was left: busy for ever.
    const restore = (shown: PageTransitionEvent) => {
      if (shown.persisted) setBusy(false);
    };
    window.addEventListener('pageshow', restore);
    return () => window.removeEventListener('pageshow', restore);
  }, []);

  return {
    busy,
    problem,
    forget: () => setProblem(null),
    send(work) {
      if (busy) return;
      setBusy(true);
      // Gone first, so that the same problem is announced again.
      setProblem(null);
      work().then(
        // In its place: the way back from the application does not lead to a form that has been used.
        ({ next }) => window.location.replace(next),
        (error: unknown) => {
          setProblem(asProblem(error));
          setBusy(false);
        },
      );
    },
  };
}

/** A mistake of this page's own counts as a problem too: the form must not stay busy. */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  return new ProblemError({ status: 0, code: 'UNKNOWN', title: 'Something went wrong.' }, { cause: error });
}
