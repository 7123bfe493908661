import { sessionEnd, type SessionEnd } from '#features/session/contract/end.ts';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import type { SignInReason } from '#web/platform/sign-in-reason.ts';
import * as z from 'zod/mini';
import { accessToken } from '#features/session/contract/session.ts';

/** A token with its times by the server's clock. `receivedAt` is by this computer's clock, which all tabs share. */
const tokenAnswer = z.extend(accessToken, { receivedAt: z.number() });
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** What the tabs of a browser send each other about the session. */
export const sessionMessage = z.discriminatedUnion('type', [
  z.extend(tokenAnswer, { type: z.literal('token') }),
  /** The sending tab found that the server has ended the session: the other tabs ask the server themselves. */
  z.object({ type: z.literal('ended') }),
  /** `keptOf`: the tabs whose typed text was stored as drafts; null: typed text is discarded in all tabs. */
  z.object({ type: z.literal('signed-out'), keptOf: z.nullable(z.array(z.string())) }),
]);
export type SessionMessage = z.infer<typeof sessionMessage>;

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
