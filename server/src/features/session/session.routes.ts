import {
  callback,
  jwks,
  login,
  removeMapCookie,
  renewToken,
  setMapCookie,
  signOut,
} from '@portico/contract/session';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import type { AccessTokens } from './access-token.ts';
import type { CookieNames } from './cookie-names.ts';
import { setCookie } from './cookies.ts';
import type { RelyingParty } from './relying-party.ts';
import { safeReturnTo } from './return-to.ts';
import type { Sessions } from './sessions.ts';
import type { Redirect, SignIn } from './sign-in.ts';

export type SessionRoutesOptions = {
  clock: Clock;
  publicUrl: string;
  secure: boolean;
  cookies: CookieNames;
  tokens: AccessTokens;
  sessions: Sessions;
  signIn: SignIn;
  relyingParty: RelyingParty;
};

const mapPath = '/geoserver';

export function sessionRoutes(serve: Serve, options: SessionRoutesOptions): void {
  const { publicUrl, secure, cookies, sessions } = options;
  const removed = (name: string, path: string, sameSite: 'Lax' | 'Strict'): string =>
    setCookie(name, '', { path, sameSite, secure, maxAge: 0 });

  serve(login, async ({ query, request, reply }) => {
    const returnTo = safeReturnTo(query.returnTo, publicUrl);
    if (query.moved === undefined && !isAt(request, publicUrl)) {
      // The provider comes back to PUBLIC_URL: the sign-in must begin where its cookie will be found.
      redirect(reply, {
        to: `${publicUrl}/auth/login?moved=1&returnTo=${encodeURIComponent(returnTo)}`,
        cookies: [],
      });
      return;
    }
    const again = query.again !== undefined;
    redirect(reply, await options.signIn.begin({ returnTo, again, cookieHeader: request.headers.cookie }));
  });

  serve(callback, async ({ request, reply }) => {
    redirect(reply, await options.signIn.finish(new URL(request.url, publicUrl), request.headers.cookie));
  });

  serve(renewToken, async ({ caller }) => {
    const { accessToken, expiresAt } = await options.tokens.issue(caller.id, sessionOf(caller));
    return { accessToken, expiresAt, serverTime: options.clock.now() };
  });

  serve(signOut, async ({ caller, reply }) => {
    const idToken = await sessions.end(sessionOf(caller));
    reply.header('set-cookie', [
      removed(cookies.session, '/', 'Lax'),
      removed(cookies.map, mapPath, 'Strict'),
    ]);
    return { next: idToken === null ? publicUrl : await options.relyingParty.endSessionUrl(idToken) };
  });

  serve(setMapCookie, async ({ caller, reply }) => {
    const { handle, maxAgeMs } = await sessions.grantMap(sessionOf(caller));
    const maxAge = maxAgeMs / 1000;
    reply.header(
      'set-cookie',
      setCookie(cookies.map, handle, { path: mapPath, sameSite: 'Strict', secure, maxAge }),
    );
  });

  serve(removeMapCookie, async ({ request, reply }) => {
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
    const sessionId = await sessions.sessionIdOf(bearer, request.headers.cookie);
    if (sessionId !== null) await sessions.revokeMap(sessionId);
    reply.header('set-cookie', removed(cookies.map, mapPath, 'Strict'));
  });

  serve(jwks, async ({ reply }) => {
    const keys = JSON.stringify(await options.tokens.publicKeys());
    void reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(keys);
  });
}

function redirect(reply: FastifyReply, { to, cookies }: Redirect): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  void reply.header('cache-control', 'no-store').redirect(to, 303);
}

function isAt(request: FastifyRequest, publicUrl: string): boolean {
  const { host, protocol } = new URL(publicUrl);
  const here = `${protocol}//${request.host}`;
  return URL.canParse(here) && new URL(here).host === host;
}

/** API tokens have no session, so no cookie either. */
function sessionOf(caller: { sessionId: string | null }): string {
  if (caller.sessionId === null)
    throw new HttpProblem('INVALID_REQUEST', { detail: 'An API token has no session.' });
  return caller.sessionId;
}
