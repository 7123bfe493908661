import { createHmac, hash } from 'node:crypto';
import { browserInWords } from '#contract/rules/browser-in-words.ts';
import { LRUCache } from 'lru-cache';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { hashSecret, newId, newSecret } from '#server/platform/keys/ids.ts';
import type { Caller, AccessControl } from '#server/platform/http/access-check.ts';
import { isStorageFailure } from '#server/platform/database/storage-failure.ts';
import type { AccountState } from '#features/directory/server/directory.ts';
import type { AccessTokens } from './access-token.ts';
import { type CookieNames, readCookies } from './cookies.ts';
import { sessionIdAtHost } from './hand-over.store.ts';
import * as store from './session.store.ts';

export type Sessions = Pick<AccessControl, 'identify' | 'identifySession'> & {
  /** The caller behind an access token whose verification is cached; null: `identify` verifies it. */
  verifiedCaller(bearer: string): Caller | null;
  /**
   * Starts a session with a new id and ends the one that this browser held; answers the secret of its cookie.
   */
  open(
    person: {
      personId: string;
      idToken: string;
      /** When they have proved who they are; left out: now. */
      provedAt?: number;
      /** Stores what belongs to the session, in the same transaction. */
      begins?: (change: Change, sessionId: string) => Promise<void>;
    },
    cookieHeader: string | undefined,
    userAgent?: string,
  ): Promise<{ secret: string }>;
  /** Ends a session; answers the ID token that it began with, or null where it is gone. */
  end(sessionId: string): Promise<string | null>;
  /**
   * The session of a bearer token, expired or not, or else of the session cookie, in Portico's own pages; null
   * where there is none.
   */
  sessionIdOf(bearer: string | null, cookieHeader: string | undefined): Promise<string | null>;
  /** Sets or extends a session's map cookie; answers its handle, which stays the same. */
  grantMap(sessionId: string): Promise<{ handle: string; maxAgeMs: number }>;
  revokeMap(sessionId: string): Promise<void>;
  /**
   * The session whose cookie holds the secret of this hash, with its caller; null where there is none, or it is
   * over. Throws PERSON_BLOCKED.
   *
   * @param host the host of the application whose cookie it is; null: that of PUBLIC_URL
   */
  bySecret(secretHash: string, host: string | null): Promise<FoundSession | null>;
  /** The session behind the hash of a map cookie's handle, as long as both are in force; throws PERSON_BLOCKED. */
  byMapHandle(handleHash: string): Promise<FoundSession | null>;
  /** Records that a session was used; does not throw where the storage cannot be written. */
  noteUse(session: Pick<store.Session, 'id' | 'personId'>, now: number): Promise<void>;
};

/** A session that is not over, and the caller that it identifies. */
export type FoundSession = { session: store.Session; caller: PersonCaller };
export type PersonCaller = Caller & { sessionId: string };

export type SessionsOptions = Pick<Core, 'database' | 'feed' | 'clock'> & {
  tokens: AccessTokens;
  cookies: CookieNames;
  idleMs: number;
  maxMs: number;
  /** The key from which the handles of map cookies are made. */
  mapSecret: string;
  /** The state of a person's account, from memory where possible; null where there is no such person. */
  accountState(personId: string): AccountState | null | Promise<AccountState | null>;
  apiTokens: { isApiToken(bearer: string): boolean; identify(secret: string): Promise<Caller> };
  /** Removes what else would sign the person in again without a password. */
  signedOut: (change: Change, personId: string) => Promise<void>;
  /** Notes when a person was last seen. */
  personSeen(personId: string, at: number): Promise<void>;
};

/** How long a verification is cached; a published end or block removes it at once. */
const verifiedForMs = 60_000;
const mostVerified = 10_000;
export const touchEveryMs = 60_000;
const mapLifetimeMs = 10 * 60_000;

type Verified = { caller: PersonCaller; until: number };

export function createSessions(options: SessionsOptions): Sessions {
  const { database, clock, tokens, idleMs, maxMs } = options;
  const verified = new LRUCache<string, Verified>({ maxSize: mostVerified, sizeCalculation: () => 1 });
  // Counts the published changes, so that a verification during which one arrived is not cached.
  let changesSeen = 0;

  function drop(meant: (caller: Verified['caller']) => boolean): void {
    changesSeen += 1;
    for (const [key, { caller }] of verified.entries()) if (meant(caller)) verified.delete(key);
  }
  options.feed.on('session', ({ key }) => drop((caller) => caller.sessionId === key));
  // A key may have been removed, and tokens that it signed are not accepted any more.
  options.feed.on('signing-keys', () => drop(() => true));
  options.feed.on('person', ({ key }) => drop((caller) => caller.id === key));

  const overAt = ({ expiresAt, seenAt }: store.Session): number => Math.min(expiresAt, seenAt + idleMs);
  const isOver = (session: store.Session, now: number): boolean => now >= overAt(session);

  /** Throws SESSION_ENDED or PERSON_BLOCKED. */
  async function callerOf(personId: string, session: store.Session | null): Promise<PersonCaller> {
    const accountState = await options.accountState(personId);
    if (accountState?.state === 'blocked') throw new HttpProblem('PERSON_BLOCKED');
    if (accountState === null || session?.personId !== personId || isOver(session, clock.now()))
      throw new HttpProblem('SESSION_ENDED');
    return {
      kind: 'person',
      id: personId,
      name: accountState.email === '' ? `person ${personId}` : accountState.email,
      sessionId: session.id,
    };
  }

  async function sessionOfCookie(
    cookieHeader: string | undefined,
    host: string | null,
  ): Promise<store.Session | null> {
    const secret = readCookies(cookieHeader).get(options.cookies.session);
    return secret === undefined ? null : sessionOfSecret(hashSecret(secret), host);
  }

  /** The secret in one host's cookie is not accepted at another host. */
  async function sessionOfSecret(secretHash: string, host: string | null): Promise<store.Session | null> {
    if (host === null) return store.sessionBySecret(database.read, secretHash);
    const id = await sessionIdAtHost(database.read, host, secretHash);
    return id === null ? null : store.sessionById(database.read, id);
  }

  /** The reason goes only to the session's own token: a cookie may have been found or stolen. */
  async function endedFor(bearer: string | null): Promise<HttpProblem> {
    const sessionId = bearer === null ? undefined : (await tokens.subjectOf(bearer))?.sessionId;
    if (sessionId === undefined) return new HttpProblem('SESSION_ENDED');
    const session = await store.sessionById(database.read, sessionId);
    if (session === null)
      return new HttpProblem('SESSION_ENDED', {
        reason: (await store.endOf(database.read, sessionId)) ?? 'ended',
      });
    const now = clock.now();
    if (!isOver(session, now)) return new HttpProblem('SESSION_ENDED');
    return new HttpProblem('SESSION_ENDED', { reason: now >= session.expiresAt ? 'lifetime' : 'idle' });
  }

  /** Ignores errors of the storage: a full disk does not prevent reading. */
  async function noteUse(session: Pick<store.Session, 'id' | 'personId'>, now: number): Promise<void> {
    try {
      await database.transaction((tx) => store.touchSession(tx, session.id, now));
      await options.personSeen(session.personId, now);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
    }
  }

  /** The key of a token in the cache: a hash, so that no token stays in memory. */
  const keyOf = (bearer: string): string => hash('sha256', bearer, 'base64url');

  function verifiedCaller(bearer: string): PersonCaller | null {
    const known = verified.get(keyOf(bearer));
    return known !== undefined && clock.now() < known.until ? known.caller : null;
  }

  async function verify(bearer: string): Promise<Caller> {
    const before = changesSeen;
    const { sessionId, personId, expiresAt, host } = await tokens.verify(bearer);
    const session = await store.sessionById(database.read, sessionId);
    const person = await callerOf(personId, session);
    const caller = host === null ? person : { ...person, host };
    if (changesSeen === before && session !== null) {
      const until = Math.min(expiresAt, overAt(session), clock.now() + verifiedForMs);
      verified.set(keyOf(bearer), { caller, until });
    }
    return caller;
  }

  return {
    async identify(bearer) {
      if (options.apiTokens.isApiToken(bearer)) return options.apiTokens.identify(bearer);
      return verifiedCaller(bearer) ?? verify(bearer);
    },

    verifiedCaller,

    async identifySession(cookieHeader, bearer = null, host = null) {
      const session = await sessionOfCookie(cookieHeader, host);
      if (session === null) throw await endedFor(bearer);
      const caller = await callerOf(session.personId, session).catch(async (error: unknown) => {
        throw error instanceof HttpProblem && error.code === 'SESSION_ENDED' ? await endedFor(bearer) : error;
      });
      const now = clock.now();
      if (now >= session.seenAt + touchEveryMs) {
        await noteUse(session, now);
      }
      return host === null ? caller : { ...caller, host };
    },

    async open({ personId, idToken, provedAt, begins }, cookieHeader, userAgent) {
      const before = await sessionOfCookie(cookieHeader, null);
      const secret = newSecret();
      await database.change(async (change) => {
        if (before !== null) await store.deleteSession(change, before.id, null);
        const now = clock.now();
        const times = { createdAt: now, seenAt: now, expiresAt: now + maxMs };
        const id = newId();
        await store.insertSession(change.tx, {
          id,
          secretHash: hashSecret(secret),
          personId,
          idToken,
          ...times,
          provedAt: provedAt ?? now,
          ...browserInWords(userAgent ?? '', { version: false }),
        });
        await begins?.(change, id);
      });
      await options.personSeen(personId, clock.now());
      return { secret };
    },

    async end(sessionId) {
      const session = await store.sessionById(database.read, sessionId);
      await database.change(async (change) => {
        await store.deleteSession(change, sessionId, 'signed-out');
        if (session !== null) await options.signedOut(change, session.personId);
      });
      return session?.idToken ?? null;
    },

    async sessionIdOf(bearer, cookieHeader) {
      const named = bearer === null ? null : await tokens.subjectOf(bearer);
      if (named !== null) return named.host === null ? named.sessionId : null;
      return (await sessionOfCookie(cookieHeader, null))?.id ?? null;
    },

    async grantMap(sessionId) {
      // One handle for the whole session, so that requests for tiles still work while the cookie is extended.
      const handle = createHmac('sha256', options.mapSecret).update(sessionId).digest('base64url');
      const expiresAt = clock.now() + mapLifetimeMs;
      await database.transaction((tx) => store.storeMapCookie(tx, sessionId, hashSecret(handle), expiresAt));
      return { handle, maxAgeMs: mapLifetimeMs };
    },

    async revokeMap(sessionId) {
      if (await store.hasMapCookie(database.read, sessionId))
        await database.change((change) => store.deleteMapCookie(change, sessionId));
    },

    async bySecret(secretHash, host) {
      const session = await sessionOfSecret(secretHash, host);
      if (session === null || isOver(session, clock.now())) return null;
      return { session, caller: await callerOf(session.personId, session) };
    },

    async byMapHandle(handleHash) {
      const cookie = await store.sessionByMapHandle(database.read, handleHash, clock.now());
      const session = cookie === null ? null : await store.sessionById(database.read, cookie.sessionId);
      if (cookie === null || session === null || isOver(session, clock.now())) return null;
      const caller = await callerOf(session.personId, session);
      // The remembered session ends with the map cookie.
      return { session: { ...session, expiresAt: Math.min(session.expiresAt, cookie.expiresAt) }, caller };
    },

    noteUse,
  };
}
