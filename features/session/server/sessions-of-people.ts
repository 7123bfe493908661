import {
  endSessionOfPerson,
  endSessionsOfPerson,
  listSessionsOfPerson,
} from '#features/session/contract/of-person.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
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

/** Where people are signed in, for operators: to see, and to end. */
export function createSessionsOfPeople({ database, clock, idleMs, signedOut }: SessionsOfPeopleOptions) {
  async function goingOn(read: Reader, personId: string) {
    orNotFound(await personById(read, personId), 'There is no such person.');
    const now = clock.now();
    return sessionsOf(read, personId, { now, idleBefore: now - idleMs });
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
    serve(listSessionsOfPerson, async ({ params, caller }) => ({
      sessions: (await goingOn(database.read, params.personId)).map((session) => ({
        ...session,
        current: session.id === caller.sessionId,
      })),
    }));

    serve(endSessionOfPerson, async ({ params: { personId, sessionId }, caller }) => {
      if (sessionId === caller.sessionId)
        throw new HttpProblem('CONFLICT', { detail: 'This is the session that asks. Sign out to end it.' });
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
