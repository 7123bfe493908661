import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { authCheck } from '#features/gateway/contract/gateway.ts';
import type { QueryOf } from '#contract/route.ts';
import type { Upstream } from '#server/config-upstreams.ts';
import { isTokenHeader, type PathGuard, plainGuard } from '#server/platform/http/paths.ts';
import type { Core } from '#server/core.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { PreparedAnswer } from '#server/platform/http/prepared-answers.ts';
import type { Admission, Admit, GatewayRequest } from './admission.ts';
import { identityHeaderNames, underOwnNames, type IdentityHeaders } from './assertion.ts';
import { createReadSender } from './forwarded.ts';
import { kindOf } from './request-kind.ts';
import {
  createFindUpstream,
  isAmbiguous,
  otherRules,
  reachesOtherRules,
  type FindUpstream,
} from './upstreams.ts';

export type CheckOptions = QueryOf<typeof authCheck>;

/** What a proxy asked, and what was decided. */
export type Check = {
  asked: GatewayRequest;
  guard: PathGuard;
  admission: Admission | Promise<Admission>;
  /** The application that was named. */
  upstream: Upstream | null;
  /** Whether the proxy passes the answer on to its client (Traefik, Caddy), and not its status alone (nginx). */
  passedOn: boolean;
};

export type AuthCheck = {
  /**
   * Throws AUTH_CHECK_REFUSED for a caller without the secret, UNKNOWN_HOST for a request to a host that is not
   * configured, and INVALID_REQUEST for what no proxy sends that is configured as documented.
   */
  check(request: IncomingMessage, options: CheckOptions): Check;
  /** The answer to a check that passes by cached data alone, or null: the route answers the check. */
  find(request: IncomingMessage): PreparedAnswer | null;
};

const mostQueries = 200;
/** A longer target would not fit into the header of a request either. */
const longestTarget = 16_000;
const nothing = Buffer.alloc(0);

/** The header in which a proxy sends `AUTH_CHECK_SECRET` (GATE-9). Applications get no header with this prefix. */
export const secretHeader = 'x-portico-check-secret';

/** Decides about requests that a proxy has received and asks about (GATE-5). */
export function createAuthCheck(
  { config, hosts, logger }: Pick<Core, 'config' | 'hosts' | 'logger'>,
  admit: Admit,
): AuthCheck {
  const readSender = createReadSender(config.trustProxy, new URL(config.publicUrl).protocol.slice(0, -1));
  const secrets = config.authCheckSecrets.map(digest);
  let reported = false;
  const upstreams = new Map(
    config.upstreams.map((one) => [
      one.name,
      { upstream: one, find: createFindUpstream([one], config.upstreams) },
    ]),
  );
  // Proxies ask with the same few addresses again and again.
  const queries = new Map<string, CheckOptions | null>();
  const begun = new WeakMap<IncomingMessage, Check>();
  const heads = new Map<Upstream | null, WeakMap<IdentityHeaders, readonly string[]>>(
    [null, ...config.upstreams].map((upstream) => [upstream, new WeakMap()]),
  );

  function optionsOf(query: string): CheckOptions | null {
    const known = queries.get(query);
    if (known !== undefined) return known;
    const given = Object.fromEntries(new URLSearchParams(query));
    const parsed = authCheck.query.safeParse(given);
    if (queries.size >= mostQueries) queries.clear();
    const options = parsed.success ? parsed.data : null;
    queries.set(query, options);
    return options;
  }

  function check(request: IncomingMessage, options: CheckOptions): Check {
    const begunBefore = begun.get(request);
    if (begunBefore !== undefined) return begunBefore;
    checkSecret(request.headers);
    const sender = readSender(request);
    if (!sender.trusted)
      throw invalid(
        'TRUST_PROXY has to name the proxy that asks: without it what it forwards is not believed.',
      );
    const { target, method, host: named, passedOn } = originalOf(request.headers, config.authCheckHeader);
    // Caddy with `uri /auth/check` passes on the client's query: the client could choose its own checks.
    const asks = queryOf(request.url);
    if (asks !== '' && asks === queryOf(target))
      throw invalid('The proxy asks with the query of its client: end the address of the check with a ?.');
    const host = hosts.usedBy(request, named);
    if (host === null) throw new HttpProblem('UNKNOWN_HOST', { detail: hosts.unknownDetail });
    const { audience, guard, upstream = null } = guardFor(target, host, options);
    const known = upstreams.get(upstream?.name ?? '');
    if (
      known !== undefined &&
      reachesOtherRules(known.find, { ...known, rule: guard }, request.headers['destination'], host)
    )
      throw invalid(otherRules);
    const isWebSocket =
      request.headers['sec-websocket-key'] !== undefined ||
      request.headers.upgrade?.toLowerCase() === 'websocket';
    const asked: GatewayRequest = {
      method,
      path: target,
      host,
      headers: request.headers,
      ip: sender.ip,
      kind: isWebSocket ? 'websocket' : kindOf(request.headers),
    };
    // The answer to a check after a refusal goes to the client, whichever header names the request.
    return {
      asked,
      guard,
      admission: admit(asked, { audience }, guard),
      passedOn: passedOn || options.refused !== undefined,
      upstream,
    };
  }

  /** Compares hashes of equal length, always with all secrets, so that the time reveals nothing about them. */
  function checkSecret(headers: IncomingHttpHeaders): void {
    const shown = digest(String(headers[secretHeader] ?? ''));
    if (secrets.filter((secret) => timingSafeEqual(secret, shown)).length > 0) return;
    const detail =
      secrets.length === 0
        ? 'AUTH_CHECK_SECRET is not set: no check is answered.'
        : 'The proxy has to show AUTH_CHECK_SECRET in X-Portico-Check-Secret.';
    // Once for each start: anyone can ask.
    if (!reported) logger.warn(`a check at ${authCheck.path} was refused: ${detail}`);
    reported = true;
    throw new HttpProblem('AUTH_CHECK_REFUSED', { detail });
  }

  /**
   * The audience for a check at this host (GATE-9). What pages hold at the host of an application is for that
   * application alone, and an application with a host of its own is checked at that host.
   */
  function audienceAt(host: string, wanted: string | undefined): string {
    const other = hosts.otherOf(host);
    const here = config.upstreams.filter((one) => hosts.otherOf(one.host ?? '') === other);
    const audience = wanted ?? (other === null ? 'application' : here[0]?.audience);
    const isAnyones = other === null && !config.upstreams.some((one) => one.audience === audience);
    if (audience === undefined || (!isAnyones && !here.some((one) => one.audience === audience)))
      throw invalid('Each application is asked about at its own host, with its own audience.');
    return audience;
  }

  function guardFor(
    target: string,
    host: string,
    { upstream: name, audience, refused: _refused, ...own }: CheckOptions,
  ): Asked {
    if (name === undefined) {
      // The proxy has chosen the rules of this query by its own reading of the path.
      if (isAmbiguous(target)) throw invalid('The path can be read in two ways.');
      return { audience: audienceAt(host, audience), guard: ownGuard(own) };
    }
    const known = upstreams.get(name);
    if (known === undefined) throw invalid(`UPSTREAMS_FILE names no application ${name}.`);
    if (audience !== undefined || Object.values(own).some((value) => value !== undefined))
      throw invalid('An application that is named has its audience and its rules in UPSTREAMS_FILE.');
    audienceAt(host, known.upstream.audience);
    return guardOf(known, target, host);
  }

  function headOf(admitted: IdentityHeaders, upstream: Upstream | null): readonly string[] {
    const made = heads.get(upstream)?.get(admitted);
    if (made !== undefined) return made;
    const head = ['Cache-Control', 'no-store', ...identityHeaders(admitted, upstream).flat()];
    heads.get(upstream)?.set(admitted, head);
    return head;
  }

  return {
    check,
    find(request) {
      const { url = '' } = request;
      if (!url.startsWith(authCheck.path) || request.method !== 'GET') return null;
      const rest = url.slice(authCheck.path.length);
      if (rest !== '' && !rest.startsWith('?')) return null;
      const options = optionsOf(rest.slice(1));
      if (options === null || options.refused !== undefined) return null;
      try {
        const made = check(request, options);
        const { admission, upstream } = made;
        if (admission instanceof Promise || admission.is !== 'passed') {
          // The route answers with the decision that was made here.
          begun.set(request, made);
          return null;
        }
        return { status: 204, headers: headOf(admission.headers, upstream), body: nothing };
      } catch {
        // The route meets the same error, and answers it.
        return null;
      }
    },
  };
}

/** The rule that the query of a check demands for the path. */
function ownGuard({
  access = plainGuard.access,
  right,
  tokenHeader = plainGuard.tokenHeader,
  ...yes
}: Omit<CheckOptions, 'upstream' | 'audience' | 'refused'>): PathGuard {
  if (!isTokenHeader(tokenHeader)) throw invalid('tokenHeader has to name a header for tokens alone.');
  return {
    access,
    right: right ?? null,
    tokenHeader,
    whileClosed: yes.whileClosed === '1',
    postReads: yes.postReads === '1',
    passPreflight: yes.passPreflight === '1',
    askPassword: yes.askPassword === '1',
  };
}
type Asked = { audience: string; guard: PathGuard; upstream?: Upstream };

function guardOf(
  { upstream, find }: { upstream: Upstream; find: FindUpstream },
  target: string,
  host: string,
): Asked {
  const found = find(target, host);
  if ('refused' in found) throw invalid(found.detail);
  return { audience: upstream.audience, guard: found.rule, upstream };
}

/** All identity headers, also empty ones: a proxy that copies them replaces those that its client has sent. */
export function identityHeaders(given: IdentityHeaders, upstream: Upstream | null): IdentityHeaders {
  return [
    ...identityHeaderNames.map((name): [string, string] => [
      name,
      given.find(([each]) => each === name)?.[1] ?? '',
    ]),
    ...(upstream === null ? [] : underOwnNames(given, upstream)),
  ];
}

type Original = {
  target: string;
  method: string;
  /** The host in `X-Original-URL`, or ''. */
  host: string;
  passedOn: boolean;
};

/**
 * The request that the proxy received. nginx sends `X-Original-URI` (its ingress for Kubernetes `X-Original-URL`)
 * and `X-Original-Method`, Traefik and Caddy `X-Forwarded-Uri` and `X-Forwarded-Method`. A proxy replaces only its
 * own headers; the others may come from its client, so all headers that are present have to agree.
 *
 * @param needed the header that the proxy sends, where that is configured (`AUTH_CHECK_HEADER`)
 */
function originalOf(headers: IncomingHttpHeaders, needed: string | null): Original {
  const { 'x-original-uri': uri = '', 'x-original-url': url = '', 'x-original-method': method } = headers;
  const [, host = '', path] = /^https?:\/\/([^/?#@\\]+)(\/.*)$/i.exec(String(url)) ?? [];
  const originals = [
    uri === '' && url !== '' ? null : requestOf(uri, method),
    url === '' ? null : requestOf(path, method),
  ];
  const named = [...originals, requestOf(headers['x-forwarded-uri'], headers['x-forwarded-method'])];
  const [one, ...others] = named.filter((each) => each !== null);
  if (one === undefined || (needed !== null && (headers[needed] ?? '') === ''))
    throw invalid(
      needed === null
        ? 'The proxy has to send X-Original-URI and X-Original-Method, or X-Forwarded-Uri and X-Forwarded-Method.'
        : `The proxy has to name the request in ${needed}, as AUTH_CHECK_HEADER says.`,
    );
  if (others.some(({ target, method: its }) => target !== one.target || its !== one.method))
    throw invalid('The headers that name the original request name different ones.');
  const isForwarded =
    needed === null ? originals.every((each) => each === null) : needed === 'x-forwarded-uri';
  return { ...one, host, passedOn: isForwarded };
}

/** Null where both are missing; throws INVALID_REQUEST if one is missing, or for what no request line holds. */
function requestOf(
  target: string | string[] | undefined,
  method: string | string[] | undefined,
): { target: string; method: string } | null {
  if ((target === undefined || target === '') && (method === undefined || method === '')) return null;
  if (
    typeof target !== 'string' ||
    typeof method !== 'string' ||
    target.length > longestTarget ||
    !/^\/[!-~\u0080-\u00ff]*$/.test(target) ||
    !/^[A-Z][A-Z-]{0,30}$/.test(method)
  )
    throw invalid('The address and the method of the original request have to be sent, each once.');
  return { target, method };
}

function queryOf(target = ''): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('INVALID_REQUEST', { detail });
}
