import type { IncomingHttpHeaders } from 'node:http';
import { problemStatus, type ProblemCode } from '#contract/problem.ts';
import type { PathGuard } from '#server/platform/http/paths.ts';
import type { Core } from '#server/core.ts';
import { isStorageFailure } from '#server/platform/database/storage-failure.ts';
import type { AccessControl, Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Directory } from '#features/directory/server/directory.ts';
import type { RightsInMemory, RolesAndRights } from '#features/permissions/server/effective-rights.ts';
import type { RememberedSessions } from '#features/session/server/remembered-sessions.ts';
import { createAssertions, type Assertions, type Holder, type IdentityHeaders } from './assertion.ts';
import { methodOverrides } from './header-rules.ts';
import { isPreflight, type RequestKind } from './request-kind.ts';
import { credentialOf, isOwnToken, type TokenCredential } from './token-credential.ts';

/** A request to an application, as far as its admission depends on it. */
export type GatewayRequest = {
  method: string;
  /** The target as it was sent, with its query. */
  path: string;
  /** The host that the browser used, with its port. */
  host: string;
  headers: IncomingHttpHeaders;
  /** The client's address. */
  ip: string;
  kind: RequestKind;
};

export type Admission =
  | {
      is: 'passed';
      /** Null on public paths, which need no sign-in. */
      caller: Caller | null;
      /** Headers for the application: `Portico-Assertion` and `X-Portico-…`. */
      headers: IdentityHeaders;
    }
  /** A navigation without a session is led to the sign-in; other requests are refused with 401. */
  | { is: 'sign-in' }
  | Refusal;

export type Refusal = {
  is: 'refused';
  status: 401 | 403 | 429 | 503;
  code: ProblemCode;
  /** For RIGHT_MISSING: the missing right. */
  right?: string;
  /** The header `Retry-After`, in seconds. */
  retryAfter?: number;
};

/** Decides about a request, synchronously if everything that it depends on is in memory. */
export type Admit = (
  request: GatewayRequest,
  upstream: { audience: string },
  guard: PathGuard,
) => Admission | Promise<Admission>;

export type AdmissionParts = {
  session: {
    remembered: Pick<RememberedSessions, 'callerOf'>;
    identify: AccessControl['identify'];
    sign: Parameters<typeof createAssertions>[0]['sign'];
  };
  permissions: Pick<RightsInMemory, 'rightsOf' | 'rolesAndRights'>;
  directory: Directory;
  maintenance: { gate: AccessControl['closed'] };
};

/** Methods that change nothing by their definition (RFC 9110, 9.2.1). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** The other safe methods in the registry of methods (RFC 9110, 16.1): those of WebDAV, and QUERY. */
const alsoReading = new Set(['PROPFIND', 'REPORT', 'SEARCH', 'QUERY']);

/** Seconds after which a request that the storage failed is worth another try. */
const storageRetrySeconds = 5;

const noHeaders: IdentityHeaders = [];
const noRoles: readonly string[] = [];

/**
 * Decides about requests to applications, for the gateway and for proxies (`/auth/check`), in this order:
 * cross-site check, caller, maintenance, right. For a session that was checked some seconds ago all of this
 * is in memory.
 */
export function createAdmission(core: Core, parts: AdmissionParts) {
  const { session, permissions, directory, maintenance } = parts;
  const assertions: Assertions = createAssertions({ ...core, sign: session.sign });
  const { hosts } = core;
  // As on Portico's own routes only failures count, since a whole office may have one address.
  const failures = core.addressLimit({ burst: 3_000, perSecond: 300 });

  /** The caller's rights and name; null if the caller no longer exists. */
  function holderOf(caller: Caller): Holder | null | Promise<Holder | null> {
    if (caller.kind === 'token') return tokenHolder(caller);
    const person = directory.accountState(caller.id);
    const held = permissions.rolesAndRights(caller.id);
    if (person instanceof Promise || held instanceof Promise) return personHolder(caller, person, held);
    return holderFrom(caller, person, held);
  }

  function holderFrom(
    caller: Caller,
    { email, name }: { email: string; name: string },
    { held, roles }: RolesAndRights,
  ): Holder {
    return { caller, email, name, roles, rights: held.sorted, holds: held.set, rightsVersion: held.etag };
  }

  async function personHolder(
    caller: Caller,
    accountState: ReturnType<Directory['accountState']>,
    rights: ReturnType<RightsInMemory['rolesAndRights']>,
  ): Promise<Holder | null> {
    const [person, held] = await Promise.all([accountState, rights]);
    return person === null || held === null ? null : holderFrom(caller, person, held);
  }

  async function tokenHolder(caller: Caller): Promise<Holder> {
    const holds = await permissions.rightsOf(caller);
    const rights = [...holds].toSorted();
    return {
      caller,
      email: '',
      name: caller.name,
      roles: noRoles,
      rights,
      holds,
      rightsVersion: rights.join(),
    };
  }

  /** The refusal by maintenance, for callers without a right to bypass it; null: the request may pass. */
  function closedFor(request: GatewayRequest, guard: PathGuard): Refusal | null {
    if (guard.whileClosed) return null;
    const { mode, retryAfter } = maintenance.gate();
    const { method } = request;
    const reads =
      safeMethods.has(method) || alsoReading.has(method) || (guard.postReads && method === 'POST');
    if (mode === 'off' || (mode === 'read-only' && reads && !isOverridden(request))) return null;
    return { is: 'refused', status: 503, code: 'MAINTENANCE', retryAfter };
  }

  function withoutCaller(request: GatewayRequest, guard: PathGuard): Admission {
    const closed = closedFor(request, guard);
    if (closed !== null) return closed;
    if (guard.access === 'public' && guard.right === null) return anonymous;
    return request.kind === 'navigation' && guard.access !== 'token'
      ? { is: 'sign-in' }
      : { is: 'refused', status: 401, code: 'UNAUTHENTICATED' };
  }

  function withHolder(
    holder: Holder,
    request: GatewayRequest,
    audience: string,
    guard: PathGuard,
  ): Admission | Promise<Admission> {
    const closed = closedFor(request, guard);
    if (closed !== null && !holder.holds.has('MAINTENANCE_BYPASS')) return closed;
    if (guard.right !== null && !holder.holds.has(guard.right))
      return { is: 'refused', status: 403, code: 'RIGHT_MISSING', right: guard.right };
    const { caller } = holder;
    const headers = assertions.headersFor(holder, audience);
    return headers instanceof Promise
      ? headers.then((given) => ({ is: 'passed', caller, headers: given }))
      : { is: 'passed', caller, headers };
  }

  function withCaller(
    caller: Caller,
    request: GatewayRequest,
    audience: string,
    guard: PathGuard,
  ): Admission | Promise<Admission> {
    const holder = holderOf(caller);
    if (!(holder instanceof Promise))
      return holder === null ? withoutCaller(request, guard) : withHolder(holder, request, audience, guard);
    return holder.then((found) =>
      found === null ? withoutCaller(request, guard) : withHolder(found, request, audience, guard),
    );
  }

  async function bySession(
    finding: Promise<Caller | null>,
    request: GatewayRequest,
    audience: string,
    guard: PathGuard,
  ): Promise<Admission> {
    const caller = await finding;
    if (caller !== null) return withCaller(caller, request, audience, guard);
    // A cookie that names no session.
    failures.take(request.ip);
    return withoutCaller(request, guard);
  }

  async function byToken(
    { token, ambient }: TokenCredential,
    request: GatewayRequest,
    audience: string,
    guard: PathGuard,
  ): Promise<Admission> {
    const host = hosts.otherOf(request.host);
    if (ambient && isCrossSite(request, hosts.originOf(host)))
      return { is: 'refused', status: 403, code: 'CROSS_SITE' };
    const caller = await session.identify(token).catch((error: unknown) => {
      if (error instanceof HttpProblem) failures.take(request.ip);
      throw error;
    });
    // A token that is bound to the host of one application gives no access to another application.
    if (caller.host !== undefined && caller.host !== host)
      return { is: 'refused', status: 401, code: 'TOKEN_INVALID' };
    return withCaller(caller, request, audience, guard);
  }

  /** @param use whether the request counts as use of the session */
  function decide(
    request: GatewayRequest,
    audience: string,
    guard: PathGuard,
    use: boolean,
  ): Admission | Promise<Admission> {
    // A preflight has no credentials: what it asks is answered by the application, for everyone.
    if (guard.passPreflight && isPreflight(request)) return closedFor(request, guard) ?? anonymous;
    if (guard.access === 'token' || guard.access === 'session-or-token') {
      const credential = credentialOf(request.headers, guard);
      if (credential !== null && (guard.access === 'token' || isOwnToken(credential)))
        return byToken(credential, request, audience, guard);
      if (guard.access === 'token') return withoutCaller(request, guard);
    }
    const host = hosts.otherOf(request.host);
    if (isCrossSite(request, hosts.originOf(host)))
      return guard.access === 'public'
        ? withoutCaller(request, guard)
        : { is: 'refused', status: 403, code: 'CROSS_SITE' };
    const caller = session.remembered.callerOf(request.headers.cookie, host, use);
    if (caller === null) return withoutCaller(request, guard);
    if (caller instanceof Promise) return bySession(caller, request, audience, guard);
    return withCaller(caller, request, audience, guard);
  }

  /** A public path is open to blocked people too, and while the storage fails. */
  function refusalFrom(error: unknown, request: GatewayRequest, guard: PathGuard): Admission {
    const isOpen = guard.access === 'public' && guard.right === null;
    if (error instanceof HttpProblem)
      return isOpen && error.code === 'PERSON_BLOCKED' ? withoutCaller(request, guard) : refusalOf(error);
    if (!isStorageFailure(error)) throw error;
    core.logger.error({ err: error }, 'the storage failed a check of who calls an application');
    if (isOpen) return withoutCaller(request, guard);
    return { is: 'refused', status: 503, code: 'UNAVAILABLE', retryAfter: storageRetrySeconds };
  }

  function admitted(
    request: GatewayRequest,
    audience: string,
    guard: PathGuard,
    use: boolean,
  ): Admission | Promise<Admission> {
    const admission = decide(request, audience, guard, use);
    return admission instanceof Promise
      ? admission.catch((error: unknown) => refusalFrom(error, request, guard))
      : admission;
  }

  const admit: Admit = (request, { audience }, guard) => admitted(request, audience, guard, true);
  return {
    admit,
    /**
     * Whether an open WebSocket or stream may go on. This does not count as use of the session, which otherwise
     * would never end while a tab is open.
     */
    async mayGoOn(
      request: GatewayRequest,
      { audience }: { audience: string },
      guard: PathGuard,
    ): Promise<boolean> {
      const admission = await admitted(request, audience, guard, false);
      // While the storage fails nothing is known of the caller: it is asked again in a while.
      return admission.is === 'refused' && admission.code === 'UNAVAILABLE'
        ? closedFor(request, guard) === null
        : admission.is === 'passed';
    },
  };
}

const anonymous: Admission = { is: 'passed', caller: null, headers: noHeaders };

function refusalOf({ code, details }: HttpProblem): Refusal {
  return {
    is: 'refused',
    status: problemStatus[code] as Refusal['status'],
    code,
    ...(details.retryAfter === undefined ? {} : { retryAfter: details.retryAfter }),
  };
}

/** Whether a header names a method, as whose request an application may treat this one. */
function isOverridden({ headers }: GatewayRequest): boolean {
  return methodOverrides.some((name) => headers[name] !== undefined);
}

/**
 * Whether a page of another site may have caused a request that changes something or opens a WebSocket (GATE-1).
 * Browsers report that in `Sec-Fetch-Site`, which no page can set; other browsers, and all browsers for WebSockets,
 * send `Origin`. A client that sends neither is no browser, and has only its own cookies.
 */
function isCrossSite(request: GatewayRequest, ownOrigin: string): boolean {
  const { host, headers, kind } = request;
  if (safeMethods.has(request.method) && !isOverridden(request) && kind !== 'websocket') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined || origin === ownOrigin) return false;
  return origin !== `${new URL(ownOrigin).protocol}//${host.toLowerCase()}`;
}
