import { removeMapCookie, setMapCookie, signOut } from '#features/session/contract/session.ts';
import type { SessionEnd } from '#features/session/contract/end.ts';
import type { Api, Bearer } from '#web/platform/calls/call.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import type { SessionHandle, SessionState } from '#web/platform/contexts.tsx';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createStore, derive, type Readable, type Store } from '#web/platform/state/store.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { TabMemory } from '#web/platform/tabs/tab-memory.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import type { Locks } from '#web/platform/tabs/with-lock.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import { createCurrentToken } from './current-token.ts';
import { createRenewal } from './renewal.ts';
import { createSessionEnding } from './session-ending.ts';
import { reasonIn, type SessionMessage, type TokenAnswer } from './session-ends.ts';
import { createSignInPage } from './sign-in-page.ts';
import { sessionIdOf, subjectOf } from './subject.ts';

/*
 * The session, as one tab sees it. The access token is held in memory alone. A tab passes it on to the other tabs,
 * also in memory, so that of ten tabs that need a new token at the same time only one asks the server.
 *
 * A signed-out tab resumes by itself once another tab passes on the token of a new session. A token of the session
 * that ended may arrive late, hence the comparison of session ids. The server decides whether the tab may resume.
 */

export type SessionDependencies = {
  api: Api;
  fetch: typeof fetch;
  clock: Clock;
  serverClock: ServerClock;
  random: () => number;
  locks: Locks | undefined;
  broadcast: Broadcast<SessionMessage>;
  presence: TabPresence;
  errors: ErrorRecord;
  memory: TabMemory;
  /** The id of this tab. */
  tab: string;
  page: {
    /** Path, query and fragment of this page. */
    address(): string;
    go(address: string): void;
    reload(): void;
    /** Leaves this page for the home screen, without an address to return to. */
    startOver(): void;
    /**
     * While true, a session that ends does not lead away: the maintenance page needs no sign-in (MAINT-3).
     */
    stays(): boolean;
  };
  /** The develop geoserver that gets the token too, or null (SES-6). */
  geoserverDevelopUrl: string | null;
};

export type Session = SessionHandle & {
  readonly bearer: Bearer;
  /** The id of the signed-in person, or null. */
  readonly person: Readable<string | null>;
  /** Asks for the first token. */
  start(): void;
  /**
   * The server has published that the session has ended, and why. Its token is not sent any more. The tab asks at
   * once whether a newer session has begun in this browser; without an answer the session has ended.
   */
  publishedEnded(reason: SessionEnd): void;
};

const otherPersonKey = 'portico.other-person';

export function createSession(dependencies: SessionDependencies): Session {
  const { broadcast, presence, errors, page, memory } = dependencies;
  const state = createStore<SessionState>({ status: 'starting' });
  const person = derive([state], (now) => (now.status === 'signed-in' ? now.personId : null));
  const isOver = (): boolean => !['starting', 'unreachable', 'signed-in'].includes(state.get().status);
  const token = createCurrentToken(dependencies.clock, dependencies.random);
  const cookies = createMapCookies(dependencies);
  const signInPage = createSignInPage(dependencies);
  const renewal = createRenewal({
    ...dependencies,
    token,
    isOver,
    onAnswer(answer, signal) {
      accept(answer);
      signal.throwIfAborted();
      broadcast.post({ type: 'token', ...answer });
      void cookies.set(answer.accessToken, signal);
    },
    onError: renewalFailed,
  });
  const { renew, renewQuietly } = renewal;
  const ending = createSessionEnding(dependencies, {
    token,
    renewal,
    signInPage,
    isOver,
    forget: drop,
    hasKnownPerson: () => knownPerson !== null,
  });
  let knownPerson: string | null = null;
  /** Another tab has passed on the token of another session than the one that ended here. */
  let isSignedInAgain = false;
  const isOtherPerson = memory.read(otherPersonKey) !== null;
  memory.write(otherPersonKey, null);

  function accept(answer: TokenAnswer): void {
    if (token.isNewerThan(answer)) return;
    const personId = subjectOf(answer.accessToken);
    if (knownPerson !== null && knownPerson !== personId) {
      startOver();
      return;
    }
    const renewIn = token.take(answer);
    knownPerson = personId;
    isSignedInAgain = false;
    signInPage.forget();
    ending.tokenReceived();
    if (person.get() !== personId) state.set({ status: 'signed-in', personId });
    renewal.planNext(renewIn);
  }

  /** Another person has signed in through another tab: this page, with its address, is not theirs. */
  function startOver(): void {
    drop({ status: 'starting' });
    memory.write(otherPersonKey, '1');
    page.startOver();
  }

  function renewalFailed(error: unknown): void {
    if (isProblem(error, 'SESSION_ENDED', 'UNAUTHENTICATED', 'PERSON_BLOCKED')) {
      ending.end(isProblem(error, 'PERSON_BLOCKED') ? 'blocked' : reasonIn(error));
      return;
    }
    if (!renewal.hasFailed()) errors.record('session.renew', error);
    if (state.get().status === 'starting') state.set({ status: 'unreachable' });
    renewal.planRetry(error);
  }

  function drop(next: SessionState): void {
    token.drop();
    renewal.reset();
    state.set(next);
  }

  /** Called when a signed-out tab is visible: the person may have signed in through another tab. */
  function resume(): void {
    const now = state.get();
    if (now.status !== 'signed-out' || (now.reason === 'signed-out' && !isSignedInAgain)) return;
    renewal.cancelTimer();
    state.set({ status: 'starting' });
    renewQuietly();
  }

  /** Called with the token of another tab while this tab is signed out. Only the server knows whether it is valid. */
  function receiveToken(value: string): void {
    const last = token.last();
    if (last !== null && sessionIdOf(value) !== sessionIdOf(last)) {
      isSignedInAgain = true;
      if (subjectOf(value) !== knownPerson) {
        startOver();
        return;
      }
    }
    if (presence.visible.get()) resume();
  }

  const signingOut = createSignOut(dependencies, state, async (message) => {
    const held = token.value();
    drop({ status: 'signing-out' });
    broadcast.post(message);
    await cookies.remove(held);
  });

  /** Called when the person returns: timers stand still while a computer sleeps, so the clock is read. */
  function catchUp(): void {
    // The person has returned from the provider by "back", to this page as it was left.
    if (signingOut.hasLeft()) page.reload();
    else if (state.get().status === 'signed-out') resume();
    else if (!isOver() && (token.isDue() || renewal.hasFailed())) renewQuietly();
  }

  broadcast.subscribe((message) => {
    if (message.type === 'signed-out') {
      if (state.get().status === 'signed-out' || !isOver())
        drop({
          status: 'signed-out',
          reason: 'signed-out',
          takesWork: message.keptOf === null || message.keptOf.includes(dependencies.tab),
        });
    } else if (message.type === 'ended') {
      renewQuietly();
    } else if (!isOver()) accept(message);
    else if (state.get().status === 'signed-out') receiveToken(message.accessToken);
  });
  presence.onReturn(catchUp);

  return {
    state,
    person,
    bearer: { token: renewal.current, renewed: renew },
    start: renewQuietly,
    publishedEnded: ending.publishedEnded,
    isOtherPerson,
    retry: catchUp,
    signIn: () => signInPage.go(null),
    signOut: signingOut.signOut,
  };
}

/**
 * The sign-out by the person.
 *
 * @param begin drops the session here, in the other tabs and in the cookies
 */
function createSignOut(
  { api, page, errors }: Pick<SessionDependencies, 'api' | 'page' | 'errors'>,
  state: Store<SessionState>,
  begin: (message: SessionMessage) => Promise<void>,
) {
  let hasLeft = false;
  /** The tabs of the sign-out that is under way or has failed. */
  let storedTabs: readonly string[] | null = null;
  return {
    /** Whether the browser has left this page for that of the provider. */
    hasLeft: () => hasLeft,
    async signOut(tabs: readonly string[] | null = null): Promise<void> {
      const { status } = state.get();
      if (status === 'signing-out' || status === 'signed-out') return;
      // Another try continues the same sign-out, with the same tabs.
      if (status !== 'sign-out-failed') storedTabs = tabs;
      await begin({ type: 'signed-out', keptOf: storedTabs && [...storedTabs] });
      try {
        const { next } = await api.call(signOut, {});
        hasLeft = true;
        page.go(next);
      } catch (error) {
        if (isProblem(error, 'SESSION_ENDED', 'UNAUTHENTICATED')) {
          state.set({ status: 'signed-out', reason: 'signed-out', takesWork: true });
          return;
        }
        errors.record('session.sign-out', error);
        state.set({ status: 'sign-out-failed' });
      }
    },
  };
}

type MapCookiesOptions = {
  api: Api;
  fetch: typeof fetch;
  clock: Clock;
  errors: ErrorRecord;
  /** The develop geoserver that receives the token too, or null (SES-6). */
  geoserverDevelopUrl: string | null;
};

const removalTimeout = 3_000;

/** The cookies by which the map's servers identify the person. A failure is recorded, and blocks nothing. */
function createMapCookies({ api, fetch, clock, errors, geoserverDevelopUrl }: MapCookiesOptions) {
  return {
    async set(token: string, signal: AbortSignal): Promise<void> {
      const recorded = (what: string) => (error: unknown) => {
        if (!signal.aborted) errors.record(what, error);
      };
      await api.call(setMapCookie, {}, { token, signal }).catch(recorded('session.map-cookie'));
      if (geoserverDevelopUrl === null || signal.aborted) return;
      await setDevelopCookie(fetch, geoserverDevelopUrl, token, signal).catch(
        recorded('session.develop-map-cookie'),
      );
    },
    async remove(token: string | null): Promise<void> {
      const limit = new AbortController();
      const cancel = clock.after(removalTimeout, () => limit.abort(new Error('no answer within 3 s')));
      await api
        .call(removeMapCookie, {}, { signal: limit.signal, ...(token === null ? {} : { token }) })
        .catch((error: unknown) => errors.record('session.map-cookie-removal', error));
      cancel();
    },
  };
}

const timeout = 10_000;

/**
 * Gives the token to the develop geoserver, so that a development environment can use its layers (SES-6).
 *
 * @throws on any failure, including a status that is not OK; callers must not be blocked by it
 */
async function setDevelopCookie(
  send: typeof fetch,
  geoserver: string,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await send(`${geoserver}/cookies/token`, {
    method: 'POST',
    credentials: 'include',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  if (!response.ok) throw new Error(`The develop geoserver answered ${response.status}.`);
}
