import {
  endOtherSessions,
  endSession,
  endSessionOfPerson,
  endSessionsOfPerson,
  listSessions,
  listSessionsOfPerson,
} from '#features/session/contract/sessions.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { personById } from '#features/directory/server/people.store.ts';
import { deleteSession, endSessionsOf, sessionsOf } from './session.store.ts';

export type SessionsOfPeopleOptions = Pick<Core, 'database' | 'clock'> & {
  idleMs: number;
  /** Removes what else would sign the person in again without a password. */
  signedOut(change: Change, personId: string): Promise<void>;
};

/** Signs a person out everywhere; answers how many sessions ended. The session of the caller goes on. */
export type SignOutPerson = (change: Change, caller: Caller, personId: string) => Promise<number>;

/** Where people are signed in, for themselves and for operators: to see, and to end. */
export function createSessionsOfPeople({ database, clock, idleMs, signedOut }: SessionsOfPeopleOptions) {
  function ownGoingOn(read: Reader, personId: string) {
    const now = clock.now();
    return sessionsOf(read, personId, { now, idleBefore: now - idleMs });
  }

  async function goingOn(read: Reader, personId: string) {
    orNotFound(await personById(read, personId), 'There is no such person.');
    return ownGoingOn(read, personId);
  }

  const signOut: SignOutPerson = async (change, caller, personId) => {
    const ending = (await goingOn(change.tx, personId)).filter(({ id }) => id !== caller.sessionId);
    await endSessionsOf(change, personId, 'operator', caller.sessionId);
    await signedOut(change, personId);
    if (ending.length > 0)
      await recordAudit(change, caller, {
        action: 'person.sign-out',
        subject: personId,
        before: { sessions: ending.length },
      });
    return ending.length;
  };

  function routes(serve: Serve): void {
    serve(listSessions, async ({ caller }) => {
      const current = sessionOf(caller);
      const sessions = await ownGoingOn(database.read, caller.id);
      return { sessions: sessions.map((session) => ({ ...session, current: session.id === current })) };
    });

    serve(endSession, async ({ params, caller }) => {
      if (params.sessionId === sessionOf(caller)) throw isOwn();
      await database.change(async (change) => {
        const own = await ownGoingOn(change.tx, caller.id);
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
        const own = await ownGoingOn(change.tx, caller.id);
        await endSessionsOf(change, caller.id, 'elsewhere', current);
        await signedOut(change, caller.id);
        return own.filter(({ id }) => id !== current).length;
      });
      return { ended };
    });

    serve(listSessionsOfPerson, async ({ params, caller }) => ({
      sessions: (await goingOn(database.read, params.personId)).map((session) => ({
        ...session,
        current: session.id === caller.sessionId,
      })),
    }));

    serve(endSessionOfPerson, async ({ params: { personId, sessionId }, caller }) => {
      if (sessionId === caller.sessionId) throw isOwn();
      await database.change(async (change) => {
        const ending = (await goingOn(change.tx, personId)).find(({ id }) => id === sessionId);
        const { browser, system } = orNotFound(
          ending,
          'There is no such session; it may have ended already.',
        );
        await deleteSession(change, sessionId, 'operator');
        await signedOut(change, personId);
        await recordAudit(change, caller, {
          action: 'person.end-session',
          subject: personId,
          before: { browser, system },
        });
      });
    });

    serve(endSessionsOfPerson, async ({ params, caller }) => ({
      ended: await database.change((change) => signOut(change, caller, params.personId)),
    }));
  }

  return { routes, signOut };
}

/** Throws RIGHT_MISSING for an API token, which has no sessions. */
function sessionOf(caller: Caller): string {
  if (caller.sessionId !== null) return caller.sessionId;
  throw new HttpProblem('RIGHT_MISSING', {
    detail: 'Sessions are those of people who are signed in; an API token has none.',
  });
}

function isOwn(): HttpProblem {
  return new HttpProblem('CONFLICT', { detail: 'This is the session that asks. Sign out to end it.' });
}
