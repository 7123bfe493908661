import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { whileClosed, type Access, type Route } from '#contract/route.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { checkOrigin } from './cross-origin.ts';
import { HttpProblem } from './http-problem.ts';
import type { Hosts } from './hosts.ts';
import type { RateLimit } from './rate-limit.ts';

/** Who is calling, once that is checked. */
export type Caller = {
  kind: 'person' | 'token';
  /** The person's id; for an API token its own id. */
  id: string;
  /** What audit rows and "changed by" show: an email address, or the token's name. */
  name: string;
  /** The session of a person; null for an API token. */
  sessionId: string | null;
  /**
   * The application's host, for a person in the pages of an application that has a host of its own. Left out in
   * Portico's own pages, and for API tokens.
   */
  host?: string;
  /** The header `User-Agent` of the request, for the audit; left out where there was no request. */
  userAgent?: string | undefined;
};

/** What `serve` asks of the features; handed over in `app.ts`. */
export type AccessControl = {
  /**
   * The caller behind a bearer token. Throws TOKEN_EXPIRED, TOKEN_INVALID, SESSION_ENDED or PERSON_BLOCKED.
   */
  identify(bearer: string): Promise<Caller>;
  /**
   * The caller behind the session cookie. Throws SESSION_ENDED or PERSON_BLOCKED. `bearer`: the token sent along, if
   * any; it can show that this client is the one whose session has ended. `host`: the application's host to which the
   * cookie was sent; null: that of PUBLIC_URL.
   */
  identifySession(
    cookieHeader: string | undefined,
    bearer?: string | null,
    host?: string | null,
  ): Promise<Caller>;
  /** The rights in force now, decided by the server, never from token claims (RIGHT-3). */
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** Throws PROOF_NEEDED where a person has not proved in the last ten minutes who they are (SES-13). */
  refuseUnproved(caller: Caller): Promise<void>;
  /** The maintenance gate (MAINT-6); `retryAfter` in seconds. */
  closed(): { mode: 'off' | 'read-only' | 'full'; retryAfter: number };
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** What holds for every route. */
export type AccessSettings = {
  accessControl: AccessControl;
  /** For the cross-site check, and to find the host to which a cookie was sent. */
  hosts: Hosts;
  limits: {
    /** By person or token. */
    caller: RateLimit;
    /** By address, with room for a whole office behind one address (API-2). */
    address: RateLimit;
  };
  /** Watches the bodies of callers who are not signed in. */
  watchBody(request: IncomingMessage, address: string): void;
};

/** What a route is served with in addition to its declaration. */
export type AccessOptions = {
  /** By address, checked before anything else. */
  limit?: RateLimit;
  /** For `signed-in-or-allowed`: whether the installation's settings allow it. */
  withoutSignIn?: boolean;
  /** The origins whose pages may call the route; left out, only the installation's may. */
  origins?: readonly string[];
  /** Asked last, before the body is read; throws, or lets the request wait. */
  admit?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
};

/** Whether a route speaks another product's wire, to pages of every origin. */
export function isOpenWire(access: Access | undefined): access is 'client-key' | 'project-key' {
  return access === 'client-key' || access === 'project-key';
}

const noRights: ReadonlySet<string> = new Set();

/**
 * Refuses a caller in the pages of an application at a host of its own: its scripts must not do what the person may
 * do in Portico's pages.
 */
export function refuseAtOtherHost<C extends Pick<Caller, 'host'>>(caller: C): C {
  if (caller.host === undefined) return caller;
  throw new HttpProblem('RIGHT_MISSING', {
    detail: 'This is done in Portico’s own pages, not in those of an application at a host of its own.',
  });
}

/**
 * The rights that a caller uses in Portico. In the pages of an application at a host of its own there are none:
 * what takes a right is refused there, and no one sees what only a right shows.
 */
export function rightsInPortico(rightsOf: AccessControl['rightsOf']): AccessControl['rightsOf'] {
  return (caller) => (caller.host === undefined ? rightsOf(caller) : noRights);
}

/**
 * The checks of a route before the body is read, as Fastify's hook. In this order: who is calling, the rate limit,
 * the right, the maintenance gate, the proof.
 */
export function accessCheck(
  route: Route,
  { accessControl, hosts, limits, watchBody }: AccessSettings,
  { limit, withoutSignIn = false, origins, admit }: AccessOptions,
): NonNullable<RouteOptions['onRequest']> {
  const { access } = route;
  const closing = whileClosed(route);
  const self = typeof access === 'object' && 'self' in access ? access : null;

  const anonymous = access === 'public' || access === 'one-time-link' || isOpenWire(access);
  // Requests with a project's key have limits of their own, which their senders understand.
  const counted =
    anonymous && !(access === 'client-key' && route.method === 'GET') && access !== 'project-key';

  function checkAddress(request: FastifyRequest, reply: FastifyReply): void {
    if (origins !== undefined) checkOrigin(request, reply, origins);
    limit?.take(request.ip);
    if (counted) limits.address.take(request.ip);
  }

  async function authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    checkAddress(request, reply);
    const caller = await callerOf(request);
    request.caller = caller === null ? null : { ...caller, userAgent: request.headers['user-agent'] };
    if (caller === null) watchBody(request.raw, request.ip);
    else limits.caller.take(caller.id);
    if (caller !== null && route.hosts !== true) refuseAtOtherHost(caller);
    if (typeof access === 'object') {
      const needed = 'right' in access ? access.right : isSelf(request, caller) ? null : access.orRight;
      if (needed !== null && !(await rightsInPortico(accessControl.rightsOf)(caller as Caller)).has(needed)) {
        throw new HttpProblem('RIGHT_MISSING', { detail: `The right ${needed} is needed.` });
      }
    }
    if (closing !== 'open') await checkGate(caller);
    if (route.fresh === true && caller !== null) await accessControl.refuseUnproved(caller);
    await admit?.(request, reply);
  }

  async function callerOf(request: FastifyRequest): Promise<Caller | null> {
    if (anonymous) return null;
    const { authorization } = request.headers;
    const bearer =
      authorization !== undefined && /^Bearer +\S+$/i.test(authorization)
        ? authorization.slice(7).trim()
        : null;
    if (access === 'session') {
      const host = hosts.otherOfRequest(request.raw);
      refuseCrossSite(request, hosts.originOf(host));
      return orCountAgainstAddress(request, () =>
        accessControl.identifySession(request.headers.cookie, bearer, host),
      );
    }
    if (access === 'signed-in-or-allowed' && withoutSignIn && authorization === undefined) {
      limits.address.take(request.ip);
      return null;
    }
    return orCountAgainstAddress(request, () => {
      if (bearer === null)
        throw new HttpProblem('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer' } });
      return accessControl.identify(bearer);
    });
  }

  // Only failures count against the address: a whole office is one address behind its router.
  async function orCountAgainstAddress(
    request: FastifyRequest,
    identify: () => Promise<Caller>,
  ): Promise<Caller> {
    try {
      return await identify();
    } catch (error) {
      limits.address.take(request.ip);
      throw error;
    }
  }

  function isSelf(request: FastifyRequest, caller: Caller | null): boolean {
    if (self === null || caller === null || caller.kind !== 'person') return false;
    const params = request.params as Record<string, string>;
    if (params[self.self] === 'current') params[self.self] = caller.id;
    return params[self.self] === caller.id;
  }

  async function checkGate(caller: Caller | null): Promise<void> {
    const gate = accessControl.closed();
    if (gate.mode === 'off' || (gate.mode === 'read-only' && closing === 'read')) return;
    if (caller !== null && (await accessControl.rightsOf(caller)).has('MAINTENANCE_BYPASS')) return;
    throw new HttpProblem('MAINTENANCE', {
      retryAfter: gate.retryAfter,
      detail:
        gate.mode === 'full'
          ? 'Portico is down for maintenance; nothing was changed.'
          : 'Nothing can be changed during maintenance; reading goes on. Nothing was changed.',
    });
  }

  // Where nothing is waited for, no promise is made: it costs more than all the other checks.
  return anonymous && closing === 'open' && admit === undefined
    ? (request, reply, done) => {
        checkAddress(request, reply);
        watchBody(request.raw, request.ip);
        done();
      }
    : authorize;
}

/**
 * Refuses calls on the session cookie that another site could have caused: they need a header that no form
 * and no image can send, and, where the browser sends their origin, the installation's own one (SES-2).
 */
export function refuseCrossSite(request: FastifyRequest, ownOrigin: string): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (
    request.headers[sessionHeader] !== '1' ||
    (origin !== undefined && origin !== ownOrigin) ||
    (site !== undefined && site !== 'same-origin')
  ) {
    throw new HttpProblem('CROSS_SITE');
  }
}
