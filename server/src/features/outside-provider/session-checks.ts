import type { Clock } from '../../platform/clock.ts';
import type { Change, Database, Writer } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Identity } from '../session/identity.ts';
import type { Claims, RelyingParty } from '../session/relying-party.ts';
import type { RefreshFailure } from '../session/sign-in-refusal.ts';
import type { FollowPerson } from './follow-person.ts';
import { claimCheck, dueSessions, finishCheck, type DueSession } from './provider-session.store.ts';
import type { TokenSeal } from './sealed-token.ts';

/*
 * Asks the provider after the sessions that are in use, about every ten minutes each, with the refresh token that it gave: so
 * that an account that is disabled there ends here, and changed groups change rights (SES-4).
 *
 * Many providers replace the refresh token at each use. The old one is then void, also where the new one got lost: by a
 * broken connection, or because this process died. To tell a lost answer from a disabled account, a session is marked as
 * unsure before the question goes out and cleared with its answer. A refusal ends the session only where no earlier answer
 * can have been lost; otherwise the session goes on without checks, until its next sign-in.
 */

const everyMs = 10 * 60_000;
/** A browser that is there asks for a token every five minutes. Who is away is asked after on return. */
const inUseMs = 20 * 60_000;
const firstRetryMs = 60_000;
/** Longer than all answers of one check may take together. */
const claimMs = 120_000;
const atOnce = 8;
const mostInARun = 400;

export type SessionChecks = {
  /** Asks after every session that is due; never rejects for one of them. */
  run(): Promise<void>;
};

export type SessionChecksOptions = {
  database: Database;
  clock: Clock;
  logger: Logger;
  relyingParty: Pick<RelyingParty, 'issuerKey' | 'refresh'>;
  seal: TokenSeal;
  identityOf(claims: Claims, complete: boolean): Identity;
  followPerson: FollowPerson;
  endSession(change: Change, sessionId: string): Promise<void>;
  storeIdToken(tx: Writer, sessionId: string, idToken: string): Promise<void>;
  isRefreshFailure(error: unknown): error is RefreshFailure;
  /** From 0 to 1; spreads the checks. */
  random?: () => number;
};

/** When a session is asked after for the next time. */
export function nextCheckAt(now: number, random: number): number {
  return Math.round(now + everyMs * (0.9 + 0.2 * random));
}

export function createSessionChecks(options: SessionChecksOptions): SessionChecks {
  const { database, clock, logger, relyingParty, seal } = options;
  const random = options.random ?? Math.random;

  /** False where the provider cannot be asked now: the others need not try. */
  async function check(due: DueSession): Promise<boolean> {
    const { sessionId, personId } = due;
    const now = clock.now();
    const claim = { now, until: now + claimMs };
    if (!(await database.transaction((tx) => claimCheck(tx, due, claim)))) return true;
    const token = seal.open(due.refreshToken, sessionId);
    if (token === null) {
      logger.warn({ personId }, 'a refresh token cannot be opened with today’s secrets; it is dropped');
      await drop(sessionId);
      return true;
    }
    try {
      const fresh = await relyingParty.refresh(token, due.subject);
      const kept = fresh.refreshToken === null ? due.refreshToken : seal.seal(fresh.refreshToken, sessionId);
      await database.transaction(async (tx) => {
        const nextAt = nextCheckAt(clock.now(), random());
        const next = { refreshToken: kept, nextCheckAt: nextAt, unsureSince: null, failures: 0 };
        await finishCheck(tx, sessionId, next);
        if (fresh.idToken !== null) await options.storeIdToken(tx, sessionId, fresh.idToken);
      });
      if (fresh.refusal !== null)
        logger.warn(
          { personId, reason: fresh.refusal.reason, err: fresh.refusal },
          'what the provider said of a person is not believed; nothing is changed',
        );
      if (fresh.claims !== null) await follow(personId, options.identityOf(fresh.claims, fresh.complete));
      return true;
    } catch (error) {
      if (!options.isRefreshFailure(error)) throw error;
      return settle(due, error, now);
    }
  }

  async function follow(personId: string, identity: Identity): Promise<void> {
    if (await options.followPerson.isNews(database.read, personId, identity))
      await database.change((change) => options.followPerson.follow(change, personId, identity));
  }

  async function settle(due: DueSession, failure: RefreshFailure, askedAt: number): Promise<boolean> {
    const { sessionId, personId, wasUnsure, refreshToken } = due;
    const { outcome } = failure;
    if (outcome === 'ended' && wasUnsure) {
      logger.warn(
        { personId, err: failure },
        'the provider refuses a refresh token whose last answer may have been lost; the session goes on unchecked',
      );
      await drop(sessionId);
      return true;
    }
    if (outcome === 'ended') {
      logger.info({ personId, err: failure }, 'the provider does not go on with a person; the session ends');
      await database.change((change) => options.endSession(change, sessionId));
      return true;
    }
    const failures = due.failures + 1;
    const wait = Math.min(firstRetryMs * 2 ** (failures - 1), everyMs);
    await database.transaction((tx) =>
      finishCheck(tx, sessionId, {
        refreshToken,
        nextCheckAt: Math.round(clock.now() + wait * (0.9 + 0.2 * random())),
        unsureSince: outcome === 'unsure' || wasUnsure ? askedAt : null,
        failures,
      }),
    );
    const level = outcome === 'client-refused' ? 'error' : 'warn';
    logger[level]({ personId, outcome, err: failure }, 'the provider could not be asked after a session');
    return false;
  }

  async function drop(sessionId: string): Promise<void> {
    const nothing = { refreshToken: null, nextCheckAt: null, unsureSince: null, failures: 0 };
    await database.transaction((tx) => finishCheck(tx, sessionId, nothing));
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
