import { accessToken, removeMapCookie, renewToken, setMapCookie, signOut } from '@portico/contract/session';
import type { Api, Bearer } from '../../platform/call.ts';
import type { Broadcast } from '../../platform/broadcast.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SessionHandle, SessionState } from '../../platform/contexts.tsx';
import { isProblem, ProblemError, sessionEndedProblem } from '../../platform/problem-error.ts';
import type { ErrorRecord } from '../../platform/record-error.ts';
import type { ServerClock } from '../../platform/server-clock.ts';
import { leaveSignInNews } from '../../platform/sign-in-news.ts';
import { createStore, derive, type Readable } from '../../platform/store.ts';
import type { TabMemory } from '../../platform/tab-memory.ts';
import type { TabPresence } from '../../platform/tab-presence.ts';
import { type Locks, takeTurns } from '../../platform/turns.ts';
import { setDevelopCookie } from './develop-cookie.ts';
import { subjectOf } from './subject.ts';

/*
 * The session, as one tab sees it. The access token lives in this closure and nowhere else in this tab; it is passed on to
 * the other tabs in memory, so that of ten tabs that need a new one at the same moment only one asks the server.
 *
 * Every end of the session begins a new generation. Whatever was under way carries the generation in which it began, and is
 * thrown away when that is over: so a renewal in flight cannot bring an ended session back (SES-7).
 */

/** A token with its times by the server's clock, and when it came by this computer's, which all tabs share. */
type Answer = { accessToken: string; expiresAt: number; serverTime: number; receivedAt: number };

export type SessionMessage =
  | ({ type: 'token' } & Answer)
  /** The tab that tells found the session ended by the server: the others ask for themselves. */
  | { type: 'ended' }
  | { type: 'signed-out' };

export function readSessionMessage(data: Record<string, unknown>): SessionMessage | null {
  if (data['type'] === 'signed-out' || data['type'] === 'ended') return { type: data['type'] };
  const read = accessToken.safeParse(data);
  const { receivedAt } = data;
  if (data['type'] !== 'token' || !read.success || typeof receivedAt !== 'number') return null;
  return { type: 'token', ...read.data, receivedAt };
}

export type SessionEdges = {
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
  page: {
    /** Path, query and fragment of this page. */
    address(): string;
    go(address: string): void;
    reload(): void;
    /** While true, a session that ends does not lead away: the maintenance page needs no sign-in (MAINT-3). */
    stays(): boolean;
  };
  /** The develop geoserver that gets the token too, or null (SES-6). */
  geoserverDevelopUrl: string | null;
};

export type Session = SessionHandle & {
  readonly bearer: Bearer;
  /** The id of who is signed in, or null. */
  readonly person: Readable<string | null>;
  /** Asks for the first token. */
  start(): void;
  /**
   * The server has said that the session has ended, and why. Nothing more is sent with its token; whether a newer one has begun in this
   * browser meanwhile is asked at once, and where no answer comes it has ended.
   */
  toldEnded(reason: EndReason): void;
};

type EndReason = 'ended' | 'blocked' | 'erased';

/** Times in milliseconds of this computer's clock, but `expiresAt`, which is the server's. */
type Token = { value: string; expiresAt: number; usableUntil: number; renewAt: number };

const lockName = 'portico:token';
const lockPatience = 3_000;
const cookieRemovalPatience = 3_000;
const endPatience = 5_000;
/** A new sign-in ends the session before it, and the page that it leads to needs this long to come. */
const newPageWithin = 1_000;
const firstRetry = 1_000;
const longestRetry = 60_000;
/** A token that is about to expire is not sent any more. */
const margin = 5_000;
const leftForSignInKey = 'portico.left-for-sign-in';
/** Twice at the sign-in within this time without a token in between is a loop. */
const loopWindow = 30_000;

export function createSession(edges: SessionEdges): Session {
  const { api, clock, random, broadcast, presence, errors, page, memory } = edges;
  const state = createStore<SessionState>({ status: 'starting' });
  const person = derive([state], (now) => (now.status === 'signed-in' ? now.personId : null));
  let token: Token | null = null;
  let knownPerson: string | null = null;
  let hasLeft = false;
  /** What the server has said of the end, until a token comes all the same. */
  let told: EndReason | null = null;
  let generation = new AbortController();
  let renewal: Promise<string> | null = null;
  let failures = 0;
  let cancelTimer = () => {};

  const over = (): boolean => !['starting', 'unreachable', 'signed-in'].includes(state.get().status);

  /** A usable token, from memory where there is one. */
  async function current(): Promise<string> {
    return token !== null && clock.now() < token.usableUntil ? token.value : renew(token?.value ?? null);
  }

  /** One renewal at a time in this tab; `refused` is the token that will not do any more. */
  function renew(refused: string | null): Promise<string> {
    if (over()) return Promise.reject(sessionEndedProblem());
    if (renewal !== null) return renewal;
    const begun = renewOnce(refused).finally(() => {
      if (renewal === begun) renewal = null;
    });
    renewal = begun;
    return begun;
  }

  /** Where the outcome shows in the state alone. */
  function renewQuietly(): void {
    renew(token?.value ?? null).catch(() => {});
  }

  async function renewOnce(refused: string | null): Promise<string> {
    const { signal } = generation;
    try {
      return await takeTurns(edges.locks, clock, lockName, lockPatience, async () => {
        signal.throwIfAborted();
        // While this tab waited for its turn another may have passed a new token on.
        if (token !== null && token.value !== refused) return token.value;
        const heard = edges.serverClock.asking();
        const given = await api.call(renewToken, {}, { signal });
        const answer = { ...given, receivedAt: clock.now() };
        signal.throwIfAborted();
        heard(answer.serverTime);
        accept(answer);
        signal.throwIfAborted();
        broadcast.post({ type: 'token', ...answer });
        void setCookies(answer.accessToken, signal);
        return answer.accessToken;
      });
    } catch (error) {
      if (signal.aborted) throw sessionEndedProblem();
      refuse(error);
      throw error;
    }
  }

  function accept(answer: Answer): void {
    if (token !== null && answer.expiresAt < token.expiresAt) return;
    const personId = subjectOf(answer.accessToken);
    if (knownPerson !== null && knownPerson !== personId) {
      // Somebody else has signed in through another tab: nothing on this page is theirs.
      forget({ status: 'starting' });
      page.reload();
      return;
    }
    const lifetime = answer.expiresAt - answer.serverTime;
    token = {
      value: answer.accessToken,
      expiresAt: answer.expiresAt,
      usableUntil: answer.receivedAt + lifetime - Math.min(margin, lifetime / 10),
      // Spread, so that the tabs of a browser, and browsers after an outage, do not ask together.
      renewAt: answer.receivedAt + lifetime * (0.65 + random() * 0.15),
    };
    knownPerson = personId;
    failures = 0;
    memory.write(leftForSignInKey, null);
    leaveSignInNews(memory, null);
    told = null;
    if (person.get() !== personId) state.set({ status: 'signed-in', personId });
    plan(Math.max(0, token.renewAt - clock.now()));
  }

  function refuse(error: unknown): void {
    if (isProblem(error, 'SESSION_ENDED', 'UNAUTHENTICATED', 'PERSON_BLOCKED')) {
      if (isProblem(error, 'PERSON_BLOCKED')) told = 'blocked';
      end();
      return;
    }
    if (failures === 0) errors.record('session.renew', error);
    failures += 1;
    if (state.get().status === 'starting') state.set({ status: 'unreachable' });
    const asked = error instanceof ProblemError ? (error.retryAfter ?? 0) : 0;
    const doubled = Math.min(longestRetry, firstRetry * 2 ** (failures - 1));
    plan(Math.max(asked, doubled * (0.75 + random() / 2)));
  }

  function plan(milliseconds: number): void {
    cancelTimer();
    cancelTimer = clock.after(milliseconds, renewQuietly);
  }

  /** Timers stand still while a computer sleeps: on return the clock is asked. */
  function catchUp(): void {
    // Back from the provider by the browser's own Back, with this page as it was left.
    if (hasLeft) page.reload();
    else if (state.get().status === 'signed-out') resume();
    else if (over()) return;
    else if (token === null || clock.now() >= token.renewAt || failures > 0) renewQuietly();
  }

  async function setCookies(value: string, signal: AbortSignal): Promise<void> {
    const recorded = (what: string) => (error: unknown) => {
      if (!signal.aborted) errors.record(what, error);
    };
    await api.call(setMapCookie, {}, { token: value, signal }).catch(recorded('session.map-cookie'));
    const develop = edges.geoserverDevelopUrl;
    if (develop === null || signal.aborted) return;
    await setDevelopCookie(edges.fetch, develop, value, signal).catch(recorded('session.develop-map-cookie'));
  }

  function forget(next: SessionState): void {
    generation.abort();
    generation = new AbortController();
    renewal = null;
    token = null;
    cancelTimer();
    failures = 0;
    state.set(next);
  }

  function toldEnded(reason: EndReason): void {
    if (over()) return;
    told = reason;
    const { signal } = generation;
    distrustToken();
    const cancel = clock.after(endPatience, () => {
      const isTrusted = (token?.usableUntil ?? 0) > 0;
      // The way to the sign-in would be in vain, and what is typed would be lost with the page.
      if (!signal.aborted && !isTrusted) end(false);
    });
    // What a renewal under way brings may have been granted before the end.
    (renewal ?? Promise.resolve())
      .then(distrustToken, () => {})
      .then(() => renew(token?.value ?? null))
      .then(cancel, () => {});
  }

  function distrustToken(): void {
    if (token !== null) token = { ...token, usableUntil: 0 };
  }

  /** The server has ended the session: to the sign-in, unless nobody looks at this tab or it has just come from there. */
  function end(leads = true): void {
    const patience = told === null ? 0 : newPageWithin;
    const reason = told ?? 'ended';
    forget({ status: 'signed-out', reason });
    broadcast.post({ type: 'ended' });
    // Who is blocked or erased would not come in there, and reads here why.
    if (reason !== 'ended') return;
    if (!leads || page.stays() || !presence.visible.get()) return;
    if (clock.now() - Number(memory.read(leftForSignInKey) ?? 0) < loopWindow) return;
    const lead = () => {
      // Whoever comes without a session knows why the sign-in stands there.
      if (knownPerson !== null) leaveSignInNews(memory, 'session-ended');
      signIn();
    };
    if (patience === 0) lead();
    else cancelTimer = clock.after(patience, lead);
  }

  /** A tab whose session had ended is looked at again: the person may have signed in through another one meanwhile. */
  function resume(): void {
    const now = state.get();
    if (now.status !== 'signed-out' || now.reason === 'signed-out') return;
    cancelTimer();
    state.set({ status: 'starting' });
    renewQuietly();
  }

  function signIn(): void {
    memory.write(leftForSignInKey, String(clock.now()));
    page.go(`/auth/login?returnTo=${encodeURIComponent(page.address())}`);
  }

  async function leave(): Promise<void> {
    const { status } = state.get();
    if (status === 'signing-out' || status === 'signed-out') return;
    const held = token?.value;
    forget({ status: 'signing-out' });
    broadcast.post({ type: 'signed-out' });
    await removeCookie(held);
    try {
      const { next } = await api.call(signOut, {});
      hasLeft = true;
      page.go(next);
    } catch (error) {
      if (isProblem(error, 'SESSION_ENDED', 'UNAUTHENTICATED')) {
        state.set({ status: 'signed-out', reason: 'signed-out' });
        return;
      }
      errors.record('session.sign-out', error);
      state.set({ status: 'sign-out-failed' });
    }
  }

  async function removeCookie(held: string | undefined): Promise<void> {
    const limit = new AbortController();
    const cancel = clock.after(cookieRemovalPatience, () => limit.abort(new Error('no answer within 3 s')));
    await api
      .call(removeMapCookie, {}, { signal: limit.signal, ...(held === undefined ? {} : { token: held }) })
      .catch((error: unknown) => errors.record('session.map-cookie-removal', error));
    cancel();
  }

  broadcast.subscribe((message) => {
    if (message.type === 'signed-out') {
      if (state.get().status === 'signed-out' || !over())
        forget({ status: 'signed-out', reason: 'signed-out' });
    } else if (message.type === 'ended') {
      renewQuietly();
    } else if (!over()) accept(message);
    // This tab found the session ended: only the server can say whether the token passed on is of a new one.
    else if (presence.visible.get()) resume();
  });
  presence.onReturn(catchUp);

  return {
    state,
    person,
    bearer: { token: current, renewed: renew },
    start: renewQuietly,
    toldEnded,
    retry: catchUp,
    signIn,
    signOut: leave,
  };
}
