import { sessionEnd, type SessionEnd } from '#features/session/contract/end.ts';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import type { SignInReason } from '#web/platform/sign-in-reason.ts';

/**
 * Ends after which the sign-in would fail, or sign in again without asking: the person reads the reason on
 * this page, and goes on when they want to.
 */
export const staysHere: ReadonlySet<SessionEnd> = new Set(['signed-out', 'provider', 'blocked', 'erased']);

/** Why the session has ended, by the server; another release may send other reasons. */
export function reasonIn({ reason }: ProblemError): SessionEnd {
  return sessionEnd.safeParse(reason).data ?? 'ended';
}

/** What the sign-in page shows about the end of a session. */
export function newsOf(reason: SessionEnd): SignInReason {
  switch (reason) {
    case 'idle':
    case 'lifetime':
    case 'elsewhere':
    case 'password':
    case 'operator':
      return `session-${reason}`;
    default:
      return 'session-ended';
  }
}
