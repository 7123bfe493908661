import { endOtherSessions, endSession, listSessions } from '#features/session/contract/own-sessions.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { deleteSession, endSessionsOf, sessionsOf } from './session.store.ts';

export type OwnSessionsRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  idleMs: number;
  /** Removes what else would sign the person in again without a password. */
  signedOut(change: Change, personId: string): Promise<void>;
};

/** Where a person is signed in, and an end to it. */
export function ownSessionsRoutes(serve: Serve, options: OwnSessionsRoutesOptions): void {
  const { database, clock, idleMs, signedOut } = options;
  const goingOn = (): { now: number; idleBefore: number } => {
    const now = clock.now();
    return { now, idleBefore: now - idleMs };
  };

  serve(listSessions, async ({ caller }) => {
    const current = sessionOf(caller);
    const sessions = await sessionsOf(database.read, caller.id, goingOn());
    return { sessions: sessions.map((session) => ({ ...session, current: session.id === current })) };
  });

  serve(endSession, async ({ params, caller }) => {
    if (params.sessionId === sessionOf(caller))
      throw new HttpProblem('CONFLICT', { detail: 'This is the session that asks. Sign out to end it.' });
    await database.change(async (change) => {
      const own = await sessionsOf(change.tx, caller.id, goingOn());
      if (!own.some(({ id }) => id === params.sessionId))
        throw new HttpProblem('NOT_FOUND', {
          detail: 'You have no such session; it may have ended already.',
        });
      await deleteSession(change, params.sessionId, 'elsewhere');
      await signedOut(change, caller.id);
    });
  });

  serve(endOtherSessions, async ({ caller }) => {
    const current = sessionOf(caller);
    const ended = await database.change(async (change) => {
      const own = await sessionsOf(change.tx, caller.id, goingOn());
      await endSessionsOf(change, caller.id, 'elsewhere', current);
      await signedOut(change, caller.id);
      return own.filter(({ id }) => id !== current).length;
    });
    return { ended };
  });
}

/** Throws RIGHT_MISSING for an API token, which has no sessions. */
function sessionOf(caller: Caller): string {
  if (caller.sessionId !== null) return caller.sessionId;
  throw new HttpProblem('RIGHT_MISSING', {
    detail: 'Sessions are those of people who are signed in; an API token has none.',
  });
}
