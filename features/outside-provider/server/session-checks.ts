import type { Identity } from '#features/session/server/identity.ts';
import type { Claims } from '#features/session/server/provider-tokens.ts';
import type { RelyingParty } from '#features/session/server/relying-party.ts';
import { RefreshFailure } from '#features/session/server/sign-in-refusal.ts';
import { deleteSession, limitSession, storeIdToken } from '#features/session/server/session.store.ts';
import { follow, isNews } from './follow-person.ts';
import {
  claimCheck,
  dueSessions,
  finishCheck,
  refreshTokenOf,
  type DueSession,
} from './provider-session.store.ts';
import type { Core } from '#server/core.ts';
import type { Seal } from '#server/platform/keys/seal.ts';

/*
 * Asks the provider about each session in use, about every ten minutes, with the refresh token that it
 * issued: so that the sessions of an account that is disabled there end here, and changed groups change
 * rights (SES-4).
 *
 * Many providers replace the refresh token at each use. The old one is then void, also where the new one got
 * lost: by a broken connection, or because this process died. To distinguish a lost answer from a disabled
 * account, a session is marked as unsure before the request goes out and cleared with its answer. A refusal
 * ends the session only where no earlier answer can have been lost, or where the provider does not replace
 * its tokens; otherwise the session goes on without checks, but not for long.
 *
 * Some providers refuse a token that they do not know any more as a bad request. The token is the reason, not the
 * request, where the same request has lately worked with another token.
 */

const everyMs = 10 * 60_000;
/** An open browser asks for a token every five minutes; other sessions are checked on return. */
const inUseMs = 20 * 60_000;
const firstRetryMs = 60_000;
/** How long a process claims a session: longer than all answers of one check may take together. */
const claimMs = 120_000;
const atOnce = 8;
const mostInARun = 400;
/** How long a session goes on that cannot be checked any more: a working day. */
const uncheckedMs = 12 * 60 * 60_000;
/** For how long a refresh that worked proves that requests are right. */
const provenMs = 60 * 60_000;
/** How often a problem that concerns all sessions is logged at most. */
const warnEveryMs = 10 * 60_000;

export type SessionChecks = {
  /** Checks every session that is due; never rejects because of a single session. */
  run(): Promise<void>;
};

export type SessionChecksOptions = Pick<Core, 'database' | 'clock' | 'logger'> & {
  relyingParty: Pick<RelyingParty, 'issuerKey' | 'refresh'>;
  seal: Seal;
  identityOf(claims: Claims, complete: boolean): Identity;
  /** How the provider's claims about a person are compared and stored; replaced in tests. */
  followPerson?: { isNews: typeof isNews; follow: typeof follow };
  /** From 0 to 1; spreads the checks. */
  random?: () => number;
};

/** When a session is checked for the next time. */
export function nextCheckAt(now: number, random: number): number {
  return Math.round(now + everyMs * (0.9 + 0.2 * random));
}

export function createSessionChecks(options: SessionChecksOptions): SessionChecks {
  const { database, clock, logger, relyingParty, seal, followPerson = { isNews, follow } } = options;
  const random = options.random ?? Math.random;
  /** When a refresh worked the last time, and whether the provider replaced the token. */
  let worked: { at: number; replaced: boolean } | null = null;
  const warnedAt = new Map<RefreshFailure['outcome'], number>();

  /** False where the provider cannot be asked now: the other sessions need not try. */
  async function check(due: DueSession): Promise<boolean> {
    const { sessionId, personId } = due;
    const now = clock.now();
    const claim = { now, until: now + claimMs };
    if (!(await database.transaction((tx) => claimCheck(tx, due, claim)))) return true;
    const token = seal.open(due.refreshToken, sessionId);
    if (token === null) {
      logger.warn({ personId }, 'a refresh token cannot be opened with today’s secrets; it is dropped');
      await drop(due);
      return true;
    }
    try {
      const fresh = await relyingParty.refresh(token, due.subject);
      worked = { at: clock.now(), replaced: ![null, token].includes(fresh.refreshToken) };
      const refreshToken =
        fresh.refreshToken === null ? due.refreshToken : seal.seal(fresh.refreshToken, sessionId);
      await database.transaction(async (tx) => {
        const nextAt = nextCheckAt(clock.now(), random());
        const next = { refreshToken, nextCheckAt: nextAt, unsureSince: null, failures: 0 };
        const isStored = await finishCheck(tx, due, next);
        if (isStored && fresh.idToken !== null) await storeIdToken(tx, sessionId, fresh.idToken);
      });
      if (fresh.refusal !== null)
        logger.warn(
          { personId, reason: fresh.refusal.reason, err: fresh.refusal },
          'the provider’s claims about a person are not accepted; nothing is changed',
        );
      if (fresh.claims !== null) await takeOver(personId, options.identityOf(fresh.claims, fresh.complete));
      return true;
    } catch (error) {
      if (!(error instanceof RefreshFailure)) throw error;
      return settle(due, error, now);
    }
  }

  async function takeOver(personId: string, identity: Identity): Promise<void> {
    if (await followPerson.isNews(database.read, personId, identity))
      await database.change((change) => followPerson.follow(change, personId, identity));
  }

  async function settle(due: DueSession, failure: RefreshFailure, askedAt: number): Promise<boolean> {
    const { outcome } = failure;
    const stored = await refreshTokenOf(database.read, relyingParty.issuerKey, due.sessionId);
    // Another sign-in at the provider has replaced the token while it was asked about.
    if (stored !== due.refreshToken) return true;
    const isProven = worked !== null && clock.now() - worked.at <= provenMs;
    if (outcome === 'ended' || (outcome === 'token-refused' && isProven)) {
      await endOrLimit(due, failure);
      return true;
    }
    // The provider answers, but may never accept such a request: the session is not left unchecked for days.
    if (outcome === 'token-refused') await limit(due.sessionId);
    await retryLater(due, failure, askedAt);
    return outcome === 'token-refused';
  }

  async function endOrLimit(due: DueSession, err: RefreshFailure): Promise<void> {
    const { sessionId, personId, wasUnsure } = due;
    if (!wasUnsure || worked?.replaced === false) {
      logger.info({ personId, err }, 'the provider refuses to renew a session; it ends');
      await database.change((change) => deleteSession(change, sessionId, 'provider'));
      return;
    }
    logger.warn(
      { personId, err },
      'the provider refuses a refresh token whose last answer may have been lost; the session goes on unchecked for twelve hours at most',
    );
    await limit(sessionId);
    await drop(due);
  }

  function limit(sessionId: string): Promise<void> {
    return database.transaction((tx) => limitSession(tx, sessionId, clock.now() + uncheckedMs));
  }

  async function retryLater(due: DueSession, failure: RefreshFailure, askedAt: number): Promise<void> {
    const { outcome } = failure;
    const failures = due.failures + 1;
    const wait = Math.min(firstRetryMs * 2 ** (failures - 1), everyMs);
    await database.transaction((tx) =>
      finishCheck(tx, due, {
        refreshToken: due.refreshToken,
        nextCheckAt: Math.round(clock.now() + wait * (0.9 + 0.2 * random())),
        unsureSince: outcome === 'unsure' || due.wasUnsure ? askedAt : null,
        failures,
      }),
    );
    const before = warnedAt.get(outcome);
    if (before !== undefined && clock.now() - before < warnEveryMs) return;
    warnedAt.set(outcome, clock.now());
    logger.warn(
      { personId: due.personId, outcome, err: failure },
      'the provider could not be asked about a session; sessions go on, and are checked again later',
    );
  }

  async function drop(due: DueSession): Promise<void> {
    const nothing = { refreshToken: null, nextCheckAt: null, unsureSince: null, failures: 0 };
    await database.transaction((tx) => finishCheck(tx, due, nothing));
  }

  return {
    async run() {
      for (let asked = 0; asked < mostInARun; asked += atOnce) {
        const now = clock.now();
        const due = await dueSessions(database.read, relyingParty.issuerKey, {
          now,
          seenSince: now - inUseMs,
          most: atOnce,
        });
        const answers = await Promise.all(
          due.map((each) =>
            check(each).catch((error: unknown) => {
              logger.error({ err: error, personId: each.personId }, 'a check of a session failed');
              return false;
            }),
          ),
        );
        if (due.length === 0 || answers.includes(false)) return;
      }
    },
  };
}
