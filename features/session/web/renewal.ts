import { renewToken } from '#features/session/contract/session.ts';
import type { Api } from '#web/platform/calls/call.ts';
import { ProblemError, sessionEndedProblem } from '#web/platform/calls/problem-error.ts';
import { type Locks, withLock } from '#web/platform/tabs/with-lock.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import type { CurrentToken } from './current-token.ts';
import type { TokenAnswer } from './session-ends.ts';
import { base } from '#web/platform/base.ts';

type RenewalOptions = {
  api: Api;
  clock: Clock;
  serverClock: ServerClock;
  random: () => number;
  locks: Locks | undefined;
  token: CurrentToken;
  /** The session has ended: no token is asked for. */
  isOver: () => boolean;
  onAnswer: (answer: TokenAnswer, signal: AbortSignal) => void;
  onError: (error: unknown) => void;
};

const lockName = `portico${base}:token`;
const lockTimeout = 3_000;
const firstRetry = 1_000;
const longestRetry = 60_000;

/**
 * Renews the token: one renewal at a time in this tab, and of the tabs of a browser one after the other.
 *
 * Every end of the session aborts the signal of the renewals that began before it (`reset`), and their outcome is
 * dropped: so a renewal in flight cannot bring an ended session back (SES-7).
 */
export function createRenewal(options: RenewalOptions) {
  const { clock, token } = options;
  let generation = new AbortController();
  let underWay: Promise<string> | null = null;
  let failures = 0;
  let cancelTimer = () => {};

  /** `refused` is the token that the server does not accept any more. */
  function renew(refused: string | null): Promise<string> {
    if (options.isOver()) return Promise.reject(sessionEndedProblem());
    if (underWay !== null) return underWay;
    const begun = renewOnce(refused).finally(() => {
      if (underWay === begun) underWay = null;
    });
    underWay = begun;
    return begun;
  }

  async function renewOnce(refused: string | null): Promise<string> {
    const { signal } = generation;
    try {
      return await withLock(options.locks, clock, lockName, lockTimeout, async () => {
        signal.throwIfAborted();
        // While this tab waited, another tab may have passed on a new token.
        const held = token.value();
        if (held !== null && held !== refused) return held;
        const measured = options.serverClock.asking();
        const last = token.last();
        const given = await options.api.call(
          renewToken,
          {},
          { signal, ...(last === null ? {} : { token: last }) },
        );
        const answer = { ...given, receivedAt: clock.now() };
        signal.throwIfAborted();
        measured(answer.serverTime);
        options.onAnswer(answer, signal);
        return answer.accessToken;
      });
    } catch (error) {
      if (signal.aborted) throw sessionEndedProblem();
      options.onError(error);
      throw error;
    }
  }

  /** Renews; only the state shows the outcome. */
  function renewQuietly(): void {
    renew(token.value()).catch(() => {});
  }

  function after(milliseconds: number, act: () => void): void {
    cancelTimer();
    cancelTimer = clock.after(milliseconds, act);
  }

  return {
    renew,
    renewQuietly,
    /** A usable token, without a request if there is one. */
    current: async (): Promise<string> => token.usable() ?? renew(token.value()),
    /** Resolves once a renewal under way has settled. */
    settled: (): Promise<unknown> => underWay ?? Promise.resolve(),
    signal: () => generation.signal,
    hasFailed: () => failures > 0,
    /** Called after a token was received: plans the next renewal in so many milliseconds. */
    planNext(milliseconds: number) {
      failures = 0;
      after(milliseconds, renewQuietly);
    },
    /** The server could not be reached: retries with growing waits. */
    planRetry(error: unknown) {
      failures += 1;
      const asked = error instanceof ProblemError ? (error.retryAfter ?? 0) : 0;
      const doubled = Math.min(longestRetry, firstRetry * 2 ** (failures - 1));
      after(Math.max(asked, doubled * (0.75 + options.random() / 2)), renewQuietly);
    },
    /** Runs other work in so many milliseconds. */
    after,
    cancelTimer: () => cancelTimer(),
    /** Ends the generation of renewals: their outcome is dropped. */
    reset() {
      generation.abort();
      generation = new AbortController();
      underWay = null;
      cancelTimer();
      failures = 0;
    },
  };
}
