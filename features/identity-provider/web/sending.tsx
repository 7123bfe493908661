import './form.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ProblemError } from '#web/platform/calls/problem-error.ts';

type Sending = {
  /** Sending, or sent and on the way to the next page. */
  readonly busy: boolean;
  readonly problem: ProblemError | null;
  /**
   * Sends, then goes to the address in the answer, where there is one. A second press while it is under way does
   * nothing.
   */
  send(work: () => Promise<{ next: string } | null>): void;
  /** Removes the problem, which no longer applies. */
  forget(): void;
};

/** A form that is sent once and then left. */
export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ProblemError | null>(null);

  useEffect(() => {
    // After "back" the browser may show this page as it was left: busy.
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
      // Removed first, so that the same problem is announced again.
      setProblem(null);
      work().then(
        // Replaces the entry in the history, so that "back" does not lead to a used form.
        (done) => (done === null ? setBusy(false) : window.location.replace(done.next)),
        (error: unknown) => {
          setProblem(asProblem(error));
          setBusy(false);
        },
      );
    },
  };
}

/** An error in this page counts as a problem too, so that the form does not stay busy. */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  return new ProblemError({ status: 0, code: 'UNKNOWN', title: 'Something went wrong.' }, { cause: error });
}

type MessageProps = { title: string; children: ReactNode; action?: ReactNode };

/** Replaces a form with one message; its heading takes the focus, and so is announced. */
export function Message({ title, children, action }: MessageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div className="entry-prose stack muted prose">{children}</div>
      {action}
    </>
  );
}
