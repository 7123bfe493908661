import * as contract from '#features/session/contract/session.ts';
import { arrive, handOver } from '#features/session/contract/hand-over.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#server/core.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { asksForPage } from '#server/platform/http/page.ts';
import { nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { hostName } from '#server/platform/http/trusted-proxies.ts';
import type { AccessTokens } from './access-token.ts';
import { type CookieNames, setCookie } from './cookies.ts';
import type { HandOver } from './hand-over.ts';
import type { RelyingParty } from './relying-party.ts';
import { safeReturnTo } from './return-to.ts';
import { fitsIntoSignIn, sendStoringPage, sendWayBackPage } from './way-back.ts';
import type { Sessions } from './sessions.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import { failurePath, proofEndedPath, type Redirect, type SignIn } from './sign-in.ts';

export type SessionRoutesOptions = Pick<Core, 'clock' | 'hosts'> & {
  /** Where the installation is. */
  origin: string;
  basePath: string;
  publicUrl: string;
  secure: boolean;
  cookies: CookieNames;
  tokens: AccessTokens;
  sessions: Sessions;
  signIn: SignIn;
  handOver: HandOver;
  relyingParty: RelyingParty;
  /**
   * Ends a session, at its provider too; answers the ID token that it began with, or null where it is gone.
   */
  leave(sessionId: string): Promise<string | null>;
  /** Uses a logout token: false for a used one, throws SignInRefusal for a bad one; null: no provider sends any. */
  backChannelLogout: ((logoutToken: string) => Promise<boolean>) | null;
  /** Checks the set-up link's token for a sign-in as the first operator; throws LINK_INVALID or NOT_FOUND. */
  setUp: { check(token: string): Promise<void>; refuseOnceSetUp(): Promise<void> } | null;
  /** Throws while the storage does not work. */
  storageAnswers(): Promise<void>;
  /** The key that encrypts the drafts which a person leaves on a device, in base64url. */
  draftsKeyOf(personId: string): string;
  /** Whether people sign in at another provider, whose pages lose the fragment of an address. */
  outside: boolean;
  /** Limits requests without a sign-in, by network address. */
  limit: RateLimit;
};

export function sessionRoutes(fastify: FastifyInstance, serve: Serve, options: SessionRoutesOptions): void {
  const { basePath, publicUrl, secure, cookies, sessions, hosts } = options;
  const mapPath = `${basePath}/geoserver`;
  const removed = (name: string, path: string, sameSite: 'Lax' | 'Strict'): string =>
    setCookie(name, '', { path, sameSite, secure, maxAge: 0 });

  /** The address that a sign-in is to lead to, of any length. */
  function placeOf(wanted: string | undefined, host: string | null): string {
    const origin = hosts.originOf(host);
    const home = host === null ? `${basePath}/` : '/';
    return safeReturnTo(wanted, { origin, basePath, home, most: Number.POSITIVE_INFINITY });
  }

  /** Whether a sign-in would lose a part of the address that the tab can store. */
  function losesAddress(request: FastifyRequest, place: string, host: string | null): boolean {
    const goesOutside = host === null && options.outside;
    const isHandOver = place.startsWith(`${basePath}${handOver.path}?`);
    return asksForPage(request) && (goesOutside || (!isHandOver && !fitsIntoSignIn(place)));
  }

  serve(contract.login, async ({ query, request, reply }) => {
    const host = hosts.otherOfRequest(request.raw);
    const place = placeOf(query.returnTo, host);
    const isElsewhere = hostName(hosts.usedBy(request.raw) ?? '') !== new URL(publicUrl).hostname;
    if (host === null && query.moved === undefined && isElsewhere) {
      // The provider redirects to PUBLIC_URL, so the sign-in must begin there, where its cookie will be sent.
      redirect(reply, {
        to: `${publicUrl}/auth/login?moved=1&returnTo=${encodeURIComponent(place)}`,
        cookies: [],
      });
      return;
    }
    if (query.stored === undefined && losesAddress(request, place, host)) {
      sendStoringPage(request, reply, { place, basePath });
      return;
    }
    if (host !== null) {
      redirect(
        reply,
        options.handOver.begin({ host, returnTo: place, cookieHeader: request.headers.cookie }),
      );
      return;
    }
    const returnTo = safeReturnTo(query.returnTo, options);
    // Checked before the browser goes to the provider: without storage the sign-in could not be completed.
    await options.storageAnswers();
    const again = query.again !== undefined;
    redirect(reply, await options.signIn.begin({ returnTo, again, cookieHeader: request.headers.cookie }));
  });

  serve(contract.beginProof, async ({ request, reply }) => {
    const { cookie, 'sec-fetch-site': site = 'none' } = request.headers;
    // No other site can make a person sign in. Only their own session can be proved, and only in its own browser.
    const isOwn = site === 'same-origin' || site === 'none';
    const caller =
      isOwn && options.outside ? await sessions.identifySession(cookie).catch(nullUnlessStorageFailed) : null;
    redirect(
      reply,
      caller === null
        ? { to: proofEndedPath(basePath, 'failed'), cookies: [] }
        : await options.signIn.begin({
            returnTo: `${basePath}/`,
            again: false,
            cookieHeader: cookie,
            proves: sessionOf(caller),
          }),
    );
  });

  serve(contract.wayBack, ({ request, reply }) => {
    sendWayBackPage(reply, placeOf(undefined, hosts.otherOfRequest(request.raw)));
  });

  serve(handOver, async ({ query, request, reply }) => {
    // Only at PUBLIC_URL does the browser send the session's own cookie.
    if (hosts.otherOfRequest(request.raw) !== null)
      redirect(reply, { to: failurePath(basePath, 'hand-over'), cookies: [] });
    else redirect(reply, await options.handOver.send({ ...query, cookieHeader: request.headers.cookie }));
  });

  serve(arrive, async ({ query, request, reply }) => {
    const host = hosts.otherOfRequest(request.raw);
    reply.header('referrer-policy', 'no-referrer');
    if (host === null) redirect(reply, { to: failurePath(basePath, 'hand-over'), cookies: [] });
    else {
      const { code, returnTo } = query;
      const { cookie: cookieHeader } = request.headers;
      redirect(reply, await options.handOver.arrive({ host, code, returnTo, cookieHeader }));
    }
  });

  serve(contract.callback, async ({ request, reply }) => {
    // Sign-ins end at PUBLIC_URL, where they begin.
    if (hosts.otherOfRequest(request.raw) !== null) {
      redirect(reply, { to: `${publicUrl}/`, cookies: [] });
      return;
    }
    const { cookie, 'user-agent': userAgent } = request.headers;
    redirect(reply, await options.signIn.finish(new URL(`${publicUrl}${request.url}`), cookie, userAgent));
  });

  serve(contract.renewToken, async ({ caller }) => {
    const { accessToken, expiresAt } = await options.tokens.issue(caller.id, sessionOf(caller), caller.host);
    return { accessToken, expiresAt, serverTime: options.clock.now() };
  });

  serve(contract.signOut, async ({ caller, reply }) => {
    const idToken = await options.leave(sessionOf(caller));
    reply.header('set-cookie', [
      removed(cookies.session, '/', 'Lax'),
      ...(caller.host === undefined ? [] : [removed(cookies.arrived, '/', 'Lax')]),
      removed(cookies.map, mapPath, 'Strict'),
    ]);
    if (idToken === null) return { next: publicUrl };
    return {
      next: (await options.relyingParty.endSessionUrl(idToken)) ?? failurePath(basePath, 'signed-out'),
    };
  });

  serve(
    contract.beginSetUp,
    async ({ body, request, reply }) => {
      await setUpOrRefuse().check(body.token);
      const { to, cookies: newCookies } = await options.signIn.begin({
        returnTo: `${basePath}/`,
        again: false,
        cookieHeader: request.headers.cookie,
        setUpToken: body.token,
      });
      if (newCookies.length > 0) reply.header('set-cookie', newCookies);
      return { next: to };
    },
    // Checked before the body is read: once set up, the route is gone for every body (START-6).
    { limit: options.limit, admit: () => setUpOrRefuse().refuseOnceSetUp() },
  );

  function setUpOrRefuse(): NonNullable<typeof options.setUp> {
    if (options.setUp === null)
      throw new HttpProblem('NOT_FOUND', { detail: 'The set-up page creates the first operator here.' });
    return options.setUp;
  }

  takeForms(fastify, contract.backChannelLogout.path);
  serve(
    contract.backChannelLogout,
    async ({ request, reply }) => {
      const accept = backChannelLogoutOrRefuse();
      const refuse = (description: string): void =>
        void reply.code(400).send({ error: 'invalid_request', error_description: description });
      reply.header('cache-control', 'no-store');
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
      if (token === null || token === '') {
        refuse('A form with logout_token is expected.');
        return;
      }
      try {
        if (await accept(token)) void reply.code(200).send();
        else refuse('This logout token has been used.');
      } catch (error) {
        if (!(error instanceof SignInRefusal)) throw error;
        request.log.warn(
          { requestId: request.id, reason: error.reason, err: error },
          'a logout token is refused',
        );
        if (error.reason === 'provider-unreachable') throw new HttpProblem('UNAVAILABLE', { retryAfter: 10 });
        refuse(error.message);
      }
    },
    { limit: options.limit, admit: () => void backChannelLogoutOrRefuse() },
  );

  function backChannelLogoutOrRefuse(): NonNullable<typeof options.backChannelLogout> {
    if (options.backChannelLogout === null)
      throw new HttpProblem('NOT_FOUND', { detail: 'Nobody signs in at another provider here.' });
    return options.backChannelLogout;
  }

  serve(contract.setMapCookie, async ({ caller, reply }) => {
    const { handle, maxAgeMs } = await sessions.grantMap(sessionOf(caller));
    const maxAge = maxAgeMs / 1000;
    reply.header(
      'set-cookie',
      setCookie(cookies.map, handle, { path: mapPath, sameSite: 'Strict', secure, maxAge }),
    );
  });

  serve(contract.removeMapCookie, async ({ request, reply }) => {
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
    const sessionId = await sessions.sessionIdOf(bearer, request.headers.cookie);
    if (sessionId !== null) await sessions.revokeMap(sessionId);
    reply.header('set-cookie', removed(cookies.map, mapPath, 'Strict'));
  });

  serve(contract.retainedDraftsKey, ({ caller, reply }) => {
    // Throws for API tokens, which leave nothing on a device.
    sessionOf(caller);
    reply.header('cache-control', 'no-store');
    return { key: options.draftsKeyOf(caller.id) };
  });

  serve(contract.jwks, async ({ reply }) => {
    const keys = JSON.stringify(await options.tokens.publicKeys());
    void reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(keys);
  });
}

/** Providers send a form (Back-Channel Logout 1.0, 2.5); no other route accepts one, since any page could send it. */
function takeForms(fastify: FastifyInstance, path: string): void {
  const type = 'application/x-www-form-urlencoded';
  fastify.addContentTypeParser(type, { parseAs: 'string' }, (request, body, done) => {
    if (request.routeOptions.url === path) done(null, new URLSearchParams(String(body)));
    else done(new HttpProblem('UNSUPPORTED_MEDIA_TYPE'));
  });
}

function redirect(reply: FastifyReply, { to, cookies }: Redirect): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  void reply.header('cache-control', 'no-store').redirect(to, 303);
}

/** The id of the caller's session. Throws INVALID_REQUEST for an API token, which has no session and no cookie. */
function sessionOf(caller: { sessionId: string | null }): string {
  if (caller.sessionId === null)
    throw new HttpProblem('INVALID_REQUEST', { detail: 'An API token has no session.' });
  return caller.sessionId;
}
