import { sessionEnd, type SessionEnd } from '#features/session/contract/end.ts';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import type { SignInReason } from '#web/platform/sign-in-reason.ts';

/**
 * After these ends the sign-in would fail, or would sign in again without asking. So this page shows the reason, and
 * the person decides when to sign in.
 */
export const staysHere: ReadonlySet<SessionEnd> = new Set(['signed-out', 'provider', 'blocked', 'erased']);

/** Why the session has ended, as the server reports it; another release may send other reasons. */
export function reasonIn({ reason }: ProblemError): SessionEnd {
  return sessionEnd.safeParse(reason).data ?? 'ended';
}

/** What the sign-in page shows about the end of a session. */
export function signInReasonOf(reason: SessionEnd): SignInReason {
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
