import { signOut } from '#features/session/contract/session.ts';
import type { SessionEnd } from '#features/session/contract/end.ts';
import { createCurrentToken } from '#features/session/web/current-token.ts';
import { createRenewal } from '#features/session/web/renewal.ts';
import { reasonIn, sessionMessage } from '#features/session/web/session-ends.ts';
import type { Api } from '../platform/calls/call.ts';
import { isProblem, sessionEndedProblem } from '../platform/calls/problem-error.ts';
import type { SessionState } from '../platform/contexts.tsx';
import { createStore, derive } from '../platform/state/store.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import type { Locks } from '../platform/tabs/with-lock.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { ServerClock } from '../platform/time/server-clock.ts';
import { base } from './base.ts';

/*
 * The session in a page of another application. That page may hold unsaved work, so this module leaves it
 * only for a requested sign-in or sign-out. Whatever ends a session in Portico's own pages ends it here too.
 */

type SessionDependencies = {
  api: () => Api;
  clock: Clock;
  serverClock: ServerClock;
  locks: Locks | undefined;
  /** Checks again which person is signed in. */
  ask: () => void;
  go: (address: string) => void;
};

type GivenToken = { accessToken: string; expiresAt: number; serverTime: number };

export function createEmbedSession(dependencies: SessionDependencies) {
  const { clock, go } = dependencies;
  const state = createStore<SessionState>({ status: 'starting' });
  const broadcast = openBroadcast(browserChannel, 'session', sessionMessage);
  const token = createCurrentToken(clock, Math.random);
  /** Why the session has ended, as the server has published it. */
  let published: SessionEnd = 'ended';
  const isSignedIn = () => state.get().status === 'signed-in';
  const renewal = createRenewal({
    ...dependencies,
    api: { call: (...given) => dependencies.api().call(...given) } as Api,
    random: Math.random,
    token,
    isOver: () => !isSignedIn(),
    onAnswer: (answer) => void token.take(answer),
    onError(error) {
      if (!isProblem(error, 'SESSION_ENDED', 'UNAUTHENTICATED', 'PERSON_BLOCKED')) return;
      if (published === 'ended') published = isProblem(error, 'PERSON_BLOCKED') ? 'blocked' : reasonIn(error);
      dependencies.ask();
    },
  });

  function leave(next: SessionState): void {
    token.drop();
    renewal.reset();
    state.set(next);
  }

  broadcast.subscribe(({ type }) => {
    if (type === 'signed-out' && isSignedIn()) {
      published = 'signed-out';
      leave({ status: 'signed-out', reason: 'signed-out', takesWork: true });
    }
    if (type !== 'token') dependencies.ask();
  });

  return {
    state,
    person: derive([state], (now) => (now.status === 'signed-in' ? now.personId : null)),
    /** The token for calls; both functions reject with a ProblemError where no person is signed in. */
    bearer: {
      token: () => (isSignedIn() ? renewal.current() : Promise.reject(sessionEndedProblem())),
      renewed: renewal.renew,
    },
    /** Called when the server has answered whether a person is signed in. */
    found(personId: string | null, given: GivenToken | null): void {
      const now = state.get();
      if (now.status === 'signing-out' || (now.status === 'signed-out' && personId === null)) return;
      if (personId === null) {
        if (isSignedIn()) leave({ status: 'signed-out', reason: published });
        else state.set({ status: 'signed-out', reason: 'ended' });
        return;
      }
      if (now.status === 'signed-in' && now.personId !== personId) leave({ status: 'starting' });
      if (given !== null) token.take({ ...given, receivedAt: clock.now() });
      published = 'ended';
      if (!isSignedIn()) state.set({ status: 'signed-in', personId });
    },
    /** Called when the server has published the end of the session; a newer one may have begun since. */
    publishedEnded(reason: SessionEnd): void {
      published = reason;
      token.distrust();
      dependencies.ask();
    },
    /** Goes to the sign-in, which returns to this page. */
    signIn(): void {
      const { pathname, search, hash } = window.location;
      go(`${base}/auth/login?returnTo=${encodeURIComponent(pathname + search + hash)}`);
    },
    /** Ends the session in all tabs and leaves the page; rejects where the server does not answer. */
    async signOut(): Promise<void> {
      const before = state.get();
      leave({ status: 'signing-out' });
      try {
        const { next } = await dependencies.api().call(signOut, {});
        broadcast.post({ type: 'signed-out', keptOf: null });
        go(next);
      } catch (error) {
        state.set(before);
        if (!isProblem(error, 'SESSION_ENDED', 'UNAUTHENTICATED')) throw error;
        dependencies.ask();
      }
    },
  };
}
