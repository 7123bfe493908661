import type { IncomingMessage } from 'node:http';
import { authCheck } from '@portico/contract/gateway-check';
import type { QueryOf } from '@portico/contract/route';
import { isTokenHeader, plainGuard, type PathGuard, type Upstream } from '../../config-upstreams.ts';
import type { Core } from '../../core.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { PreparedAnswer } from '../../platform/http/prepared-answers.ts';
import type { Admission, Admit, GatewayRequest } from './admission.ts';
import { identityHeaderNames, underOwnNames, type IdentityHeaders } from './assertion.ts';
import { createReadSender } from './forwarded.ts';
import { kindOf } from './request-kind.ts';
import { createFindUpstream, type FindUpstream } from './upstreams.ts';

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
  /** Throws INVALID_REQUEST for what no proxy sends that is configured as documented. */
  check(request: IncomingMessage, options: CheckOptions): Check;
  /** The answer to a check that passes from memory, or null: the route answers it. */
  find(request: IncomingMessage): PreparedAnswer | null;
};

const mostQueries = 200;
/** A longer target would not fit into the header of a request either. */
const longestTarget = 16_000;
const nothing = Buffer.alloc(0);

/** Decides about requests that a proxy has received and asks about (GATE-5). */
export function createAuthCheck({ config }: Pick<Core, 'config'>, admit: Admit): AuthCheck {
  const readSender = createReadSender(config.trustProxy, new URL(config.publicUrl).protocol.slice(0, -1));
  const upstreams = new Map(
    config.upstreams.map((one) => [one.name, { upstream: one, find: createFindUpstream([one]) }]),
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
    const known = begun.get(request);
    if (known !== undefined) return known;
    const sender = readSender(request);
    if (!sender.trusted)
      throw invalid(
        'TRUST_PROXY has to name the proxy that asks: without it what it forwards is not believed.',
      );
    const { target, method, passedOn } = originalOf(request);
    // As Caddy does with `uri /auth/check`: the client could choose what is asked of it.
    const asks = queryOf(request.url);
    if (asks !== '' && asks === queryOf(target))
      throw invalid('The proxy asks with the query of its client: end the address of the check with a ?.');
    const { host } = sender;
    const { audience, guard, upstream = null } = guardFor(target, host, options);
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
    return { asked, guard, admission: admit(asked, { audience }, guard), passedOn, upstream };
  }

  function guardFor(
    target: string,
    host: string,
    { upstream: name, audience, refused: _refused, ...own }: CheckOptions,
  ): Asked {
    if (name === undefined) return { audience: audience ?? 'application', guard: ownGuard(own) };
    const known = upstreams.get(name);
    if (known === undefined) throw invalid(`UPSTREAMS_FILE names no application ${name}.`);
    if (audience !== undefined || Object.values(own).some((value) => value !== undefined))
      throw invalid('An application that is named has its audience and its rules in UPSTREAMS_FILE.');
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
          // The route answers what has been decided here.
          begun.set(request, made);
          return null;
        }
        return { status: 204, headers: headOf(admission.headers, upstream), body: nothing };
      } catch {
        // The route finds the same, and answers it.
        return null;
      }
    },
  };
}

/** What the query of a check asks of its path. */
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

/**
 * All identity headers, empty where there is nothing: so that a proxy which copies them replaces what its client
 * has sent.
 */
export function identityHeaders(given: IdentityHeaders, upstream: Upstream | null): IdentityHeaders {
  return [
    ...identityHeaderNames.map((name): [string, string] => [
      name,
      given.find(([each]) => each === name)?.[1] ?? '',
    ]),
    ...(upstream === null ? [] : underOwnNames(given, upstream)),
  ];
}

/**
 * The request that the proxy received. nginx sends `X-Original-URI` (its ingress for Kubernetes `X-Original-URL`)
 * and `X-Original-Method`, Traefik and Caddy `X-Forwarded-Uri` and `X-Forwarded-Method`. A proxy replaces the pair
 * that is its own; the other pair may come from its client, so where there are both they have to agree.
 */
function originalOf({ headers }: IncomingMessage): { target: string; method: string; passedOn: boolean } {
  const original = pairOf(
    headers['x-original-uri'] ?? pathOf(headers['x-original-url']),
    headers['x-original-method'],
  );
  const forwarded = pairOf(headers['x-forwarded-uri'], headers['x-forwarded-method']);
  const pair = forwarded ?? original;
  if (pair === null)
    throw invalid(
      'The proxy has to send X-Original-URI and X-Original-Method, or X-Forwarded-Uri and X-Forwarded-Method.',
    );
  if (
    original !== null &&
    forwarded !== null &&
    (original.target !== forwarded.target || original.method !== forwarded.method)
  )
    throw invalid('X-Original-… and X-Forwarded-… name different requests.');
  return { ...pair, passedOn: original === null };
}

/** Null where neither is there; throws INVALID_REQUEST for half of it, or what no request line holds. */
function pairOf(
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

/** Path and query of an address. */
function pathOf(address: string | string[] | undefined): string | undefined {
  return typeof address === 'string' ? address.replace(/^https?:\/\/[^/?#]*/i, '') || '/' : undefined;
}

function queryOf(target = ''): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

function invalid(detail: string): HttpProblem {
  return new HttpProblem('INVALID_REQUEST', { detail });
}
