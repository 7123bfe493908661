import { login } from '#features/session/contract/session.ts';
import { arrive, handOver } from '#features/session/contract/hand-over.ts';
import type { Core } from '#server/core.ts';
import { nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import { hashSecret, newSecret } from '#server/platform/keys/ids.ts';
import { type CookieNames, readCookies, setCookie } from './cookies.ts';
import {
  hasHandOverCode,
  insertHandOverCode,
  insertHostSession,
  takeHandOverCode,
} from './hand-over.store.ts';
import { longestReturn, safeReturnTo } from './return-to.ts';
import { sessionById, type Session } from './session.store.ts';
import type { Sessions } from './sessions.ts';
import { failurePath, type Redirect } from './sign-in.ts';
import { signInSeconds } from './sign-in-state.ts';

/*
 * How a session comes to the host of an application, whose pages get no cookie of PUBLIC_URL's host:
 *
 *   1. begin, at the application's host: the browser gets a random verifier in a cookie of that host, and goes to
 *      PUBLIC_URL with its hash, the challenge.
 *   2. send, at PUBLIC_URL: signed in, or after the sign-in, it gets a code for that session, host and challenge,
 *      and goes back with it.
 *   3. arrive, at the application's host: the code is accepted once, within a minute, from the browser that has
 *      the verifier. It gets a cookie with a secret of its own for this host, and goes where it wanted to go.
 */
export type HandOver = {
  begin(request: { host: string; returnTo: string | undefined; cookieHeader: string | undefined }): Redirect;
  /** Throws errors of the storage, and TOO_MANY_REQUESTS. */
  send(request: {
    host: string;
    challenge: string;
    returnTo: string;
    cookieHeader: string | undefined;
  }): Promise<Redirect>;
  /** Never a loop: a failure leads to a page that explains it. Throws errors of the storage. */
  arrive(request: {
    host: string;
    code: string;
    returnTo: string | undefined;
    cookieHeader: string | undefined;
  }): Promise<Redirect>;
};

export type HandOverOptions = Pick<Core, 'hosts' | 'database' | 'clock' | 'logger'> & {
  basePath: string;
  publicUrl: string;
  cookies: CookieNames;
  secure: boolean;
  sessions: Pick<Sessions, 'identifySession'>;
  /** Limits hand-overs by person. */
  limit: RateLimit;
};

/** How long a code is accepted, milliseconds: as long as two redirects take on a slow line. */
export const handOverCodeMs = 60_000;
/** Hand-overs that one browser may have under way at one host; where there are more, the first are forgotten. */
const mostUnderWay = 10;
/** Seconds within which a browser that returns without a session is in a loop, not on a new visit. */
const arrivedSeconds = 10;

export function createHandOver(options: HandOverOptions): HandOver {
  const { basePath, publicUrl, hosts, database, clock, logger, cookies: names, secure, sessions } = options;
  const carried = (name: string, value: string, maxAge: number): string =>
    setCookie(name, value, { path: '/', sameSite: 'Lax', secure, maxAge });
  const removed = (name: string): string => carried(name, '', 0);
  const placeAt = (host: string, returnTo: string | undefined): string =>
    safeReturnTo(returnTo, { origin: hosts.originOf(host), basePath, home: '/' });

  function underWay(cookieHeader: string | undefined): { name: string; verifier: string }[] {
    return [...readCookies(cookieHeader)]
      .filter(([name]) => name.startsWith(names.handOverPrefix))
      .map(([name, verifier]) => ({ name, verifier }));
  }

  /** Address at PUBLIC_URL, without the origin. */
  function sendPath(host: string, challenge: string, returnTo: string): string {
    const query = (back: string) => new URLSearchParams({ host, challenge, returnTo: back }).toString();
    const path = `${basePath}${handOver.path}?${query(returnTo)}`;
    return path.length <= longestReturn ? path : `${basePath}${handOver.path}?${query('/')}`;
  }

  /** Runs in one change, so that the session does not end in between. */
  async function exchange(
    shown: Parameters<typeof takeHandOverCode>[1],
    secret: string,
  ): Promise<(Session & { challenge: string }) | null> {
    return database.change(async ({ tx }) => {
      const taken = await takeHandOverCode(tx, shown);
      const session = taken === null ? null : await sessionById(tx, taken.sessionId);
      if (taken === null || session === null) return null;
      const { host, now: createdAt } = shown;
      await insertHostSession(tx, { secretHash: hashSecret(secret), sessionId: session.id, host, createdAt });
      return { ...session, challenge: taken.challenge };
    });
  }

  return {
    begin({ host, returnTo, cookieHeader }) {
      const place = placeAt(host, returnTo);
      const cookies = readCookies(cookieHeader);
      const arrived = cookies.get(names.arrived);
      // The session's cookie was set together with the `arrived` cookie. If it was not sent back, no other will be;
      // if it was, the session has ended since.
      if (arrived !== undefined && arrived !== markOf(cookies.get(names.session)))
        return { to: failurePath(basePath, 'cookies', place), cookies: [removed(names.arrived)] };
      const verifier = newSecret();
      const challenge = hashSecret(verifier);
      const before = underWay(cookieHeader);
      const forgotten = before.slice(0, Math.max(0, before.length + 1 - mostUnderWay));
      return {
        to: `${hosts.originOf(null)}${sendPath(host, challenge, place)}`,
        cookies: [
          ...forgotten.map(({ name }) => removed(name)),
          carried(names.handOver(challenge), verifier, signInSeconds),
        ],
      };
    },

    async send({ host, challenge, returnTo, cookieHeader }) {
      if (hosts.otherOf(host) !== host) return { to: failurePath(basePath, 'hand-over'), cookies: [] };
      let caller: Caller;
      try {
        caller = await sessions.identifySession(cookieHeader);
      } catch (error) {
        if (!(error instanceof HttpProblem)) throw error;
        if (error.code === 'PERSON_BLOCKED') return { to: failurePath(basePath, 'blocked'), cookies: [] };
        const back = encodeURIComponent(sendPath(host, challenge, returnTo));
        return { to: `${publicUrl}${login.path}?returnTo=${back}`, cookies: [] };
      }
      options.limit.take(caller.id);
      const code = newSecret();
      await database.transaction((tx) =>
        insertHandOverCode(tx, {
          codeHash: hashSecret(code),
          sessionId: caller.sessionId ?? '',
          host,
          challenge,
          expiresAt: clock.now() + handOverCodeMs,
        }),
      );
      const query = new URLSearchParams({ code, returnTo }).toString();
      return { to: `${hosts.originOf(host)}${basePath}${arrive.path}?${query}`, cookies: [] };
    },

    async arrive({ host, code, returnTo, cookieHeader }) {
      const place = placeAt(host, returnTo);
      const held = underWay(cookieHeader);
      const challenges = held.map(({ verifier }) => hashSecret(verifier));
      const secret = newSecret();
      const shown = { codeHash: hashSecret(code), host, challenges, now: clock.now() };
      const session = (await hasHandOverCode(database.read, shown)) ? await exchange(shown, secret) : null;
      if (session === null) {
        // The browser's history leads here again after a successful hand-over.
        const signedIn = await sessions
          .identifySession(cookieHeader, null, host)
          .catch(nullUnlessStorageFailed);
        if (signedIn !== null) return { to: place, cookies: [] };
        const reason = held.length === 0 ? 'cookies' : 'hand-over';
        logger.info({ host, reason }, 'a session could not be handed over to the host of an application');
        return { to: failurePath(basePath, reason, place), cookies: [] };
      }
      const lasts = Math.max(1, Math.floor((session.expiresAt - clock.now()) / 1000));
      logger.info(
        { personId: session.personId, host },
        'a session was handed over to the host of an application',
      );
      return {
        to: place,
        cookies: [
          carried(names.session, secret, lasts),
          removed(names.handOver(session.challenge)),
          carried(names.arrived, markOf(secret), arrivedSeconds),
        ],
      };
    },
  };
}

/** The value by which the `arrived` cookie recognises the session's cookie. */
function markOf(secret: string | undefined): string {
  return secret === undefined ? '' : hashSecret(secret).slice(0, 16);
}
