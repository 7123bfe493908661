import type { Upstream } from '#server/config-upstreams.ts';
import {
  publicAddress,
  publicCookie,
  publicLinks,
  publicRefresh,
  type PublicAddresses,
} from './public-addresses.ts';

/** The parts of header names that stand for a person, or for an attribute of a person. */
const person =
  '(?:user|users|user-?name|user-?id|user-?dn|user-?e?mail|user-?info|user-?groups?|user-?roles?|e?mail|login|groups?|roles?|principal|subject|identity)';

/**
 * Names by which proxies, gateways, single sign-on and TLS in front of an application name the caller, as their
 * documents have them. An application that was once behind one of these may still believe them.
 */
const namesOfOthers = [
  `(?:x-)?(?:user|user-?name|user-?id|user-?dn|user-?e?mail|user-?info|user-?groups?|user-?roles?)`,
  `x-${person}`,
  `(?:x-)?(?:access|auth|authorized|cas|claims?|current|jwt|logged-in|original|proxy|real|rstudio|sso|trusted)-${person}`,
  // CGI, Authelia, oauth2-proxy, authentik, Vouch, Pomerium, Kong, Sandstorm, Teleport, Tailscale, ngrok, Replit
  '(?:x-|http-|redirect-)*(?:remote|webauth)(?:-.*)?',
  // Nexus, Alfresco, geOrchestra, Kubernetes, OpenSearch
  `.*-remote-${person}`,
  `sec-(?:${person}|orgs?|org-?name|first-?name|last-?name|proxy)`,
  '(?:.*-)?impersonate-(?:as|user|group|uid|extra-.*)',
  '(?:x-)?(?:auth-request|authenticated|authentik|vouch|pomerium|consumer|credential|anonymous-consumer)(?:-.*)?',
  '(?:x-)?(?:sandstorm|teleport|tailscale|ngrok-auth|replit-user|proxied|proxiedentit)(?:-.*|y.*|ies.*)?',
  'x-(?:token|id-token|jwt-assertion|jwt-payload|jwt-claims?)(?:-.*)?',
  'x-auth-(?:audience|expiresin|name|given-name|family-name)',
  // Amazon, Cloudflare, Google, Microsoft
  'x-amzn-(?:oidc|mtls)-.*',
  'cf-access-.*',
  'x-(?:goog-authenticated-user|goog-iap|appengine-user|endpoint-api-userinfo|apigateway-api-userinfo)(?:-.*)?',
  'x-ms-(?:client-principal|token)(?:-.*)?',
  // Shibboleth, mod_auth_openidc, mod_auth_mellon, SiteMinder, WebSEAL, Oracle, WebSphere, WebLogic
  '(?:x-)?(?:shib|ajp|oidc|mellon|saml|ldap|krb|sm|iv|oam|osso|wl-proxy)-.*',
  'smuser.*|-ws[a-z]{2}|eppn|eduperson.*|persistent-id|targeted-id|(?:unscoped-)?affiliation|entitlement',
  // Certificates of clients: RFC 9440, nginx, Apache, HAProxy, IIS
  '(?:x-)?(?:ssl|tls|mtls)-.*',
  '(?:x-)?(?:arr-|proxy-)?client-?(?:cert|certificate|dn|s-dn|i-dn|subject|issuer|verify|verified)(?:-.*)?',
];
const ofOthers = new RegExp(`^(?:${namesOfOthers.join('|')})$`);

/*
 * Which headers an application receives, and which its clients. Headers are lists of name, value, name, value,
 * as they came: order, case, duplicates and odd but legal values stay.
 */

type ToUpstream = {
  /** As they came. */
  raw: readonly string[];
  method: string;
  /** What `Host` is set to; null: what the client sent. */
  host: string | null;
  /** The `Connection` header of the client, which names more headers of this connection. */
  connection: string | undefined;
  /** Whether the body is chunked. */
  chunked: boolean;
  /** Names, in lower case, of the headers that were for Portico. */
  withheld: readonly string[];
  /** What is added. */
  forwarded: readonly string[];
  identity: readonly (readonly [string, string])[];
  ruleOf: RuleOf;
};

/** What is done with a header by its name alone; found once for each name. */
type Rule = 'keep' | 'drop' | 'host' | 'cookie' | 'te' | 'trailer' | 'length' | 'expect';

/** Headers of one connection (RFC 9110, 7.6.1), and headers for the next proxy alone. */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

/** Headers by which servers treat a request as one of another method. */
export const methodOverrides = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

const requestRules = new Map<string, Rule>([
  ...ofConnection.map((name): [string, Rule] => [name, 'drop']),
  ['host', 'host'],
  ['cookie', 'cookie'],
  ['te', 'te'],
  ['trailer', 'trailer'],
  ['content-length', 'length'],
  ['expect', 'expect'],
  // The request is judged by them (`methodOverrides`); another spelling of them is not sent on.
  ...methodOverrides.map((name): [string, Rule] => [name, 'keep']),
]);

/**
 * Headers in which proxies report the request and its client: scheme, host, path, address. Applications trust them,
 * so they receive only those that Portico writes. Also headers that direct a proxy in front of an application, and
 * `Proxy`, which CGI takes for its own setting (CVE-2016-5385).
 */
const ofProxies = new Set(
  `x-real-ip x-scheme x-url-scheme x-host x-http-host-override x-server-name x-script-name script-name x-request-uri
  request-uri x-remote-ip x-remote-addr x-client-ip client-ip true-client-ip x-cluster-client-ip fastly-client-ip
  fly-client-ip cf-connecting-ip cf-connecting-ipv6 cf-pseudo-ipv4 cf-visitor x-azure-clientip x-azure-socketip
  x-appengine-user-ip x-proxyuser-ip x-originating-ip x-arr-ssl front-end-https x-sendfile-type proxy`.split(
    /\s+/,
  ),
);
const familiesOfProxies = /^(?:(?:x-)?forwarded(?:-|$)|x-(?:original|rewrite|accel|envoy)-|proxy-)/;

const mostNames = 2_000;

/** What is done with a header of a request to an application, by its name. */
export type RuleOf = (name: string) => Rule;

/**
 * The rules for headers of requests to one application. No client is believed about who calls (GATE-8): headers
 * that name a caller, here or elsewhere, are left out, unless the application wants them from its clients.
 *
 * @param others the header names under which any application of the installation receives the caller
 */
export function createRuleOf({ clientHeaders }: Pick<Upstream, 'clientHeaders'>, others: string[]): RuleOf {
  const wanted = new Set(clientHeaders.map(plainName));
  const own = new Set(others.map(plainName));
  const known = new Map<string, Rule>();
  return (name) => {
    let rule = known.get(name);
    if (rule === undefined) {
      rule = findRule(name, wanted, own);
      if (known.size < mostNames) known.set(name, rule);
    }
    return rule;
  };
}

/** The rules where no application has header names of its own. */
const plainRuleOf = createRuleOf({ clientHeaders: [] }, []);

function findRule(given: string, wanted: ReadonlySet<string>, own: ReadonlySet<string>): Rule {
  const name = given.toLowerCase();
  const rule = requestRules.get(name);
  if (rule !== undefined) return rule;
  const plain = plainName(name);
  if (/^(?:x-)?portico(?:-|$)/.test(plain)) return 'drop';
  if (wanted.has(plain)) return 'keep';
  if (ofProxies.has(plain) || familiesOfProxies.test(plain)) return 'drop';
  return requestRules.has(plain) || own.has(plain) || namesCaller(plain) ? 'drop' : 'keep';
}

/** Methods for which a missing length means that there is no body. */
const withoutBody = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE']);
/** Headers that frame or address the message stay, whatever `Connection` names. */
const neverOfConnection = new Set(['host', 'content-length', 'transfer-encoding', 'cookie', 'authorization']);

/** The headers that an application receives. */
export function headersForUpstream(request: ToUpstream): string[] {
  const { raw, withheld } = request;
  const named = namedByConnection(request.connection);
  const sent: string[] = [];
  let [hasHost, hasLength, takesTrailers] = [false, false, false];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    const value = raw[at + 1] as string;
    const rule = request.ruleOf(name);
    if (rule === 'drop' || (withheld.length > 0 && withheld.includes(name.toLowerCase()))) continue;
    if (rule === 'te') takesTrailers ||= /(?:^|,)\s*trailers\s*(?:,|$)/i.test(value);
    else if (rule === 'host') {
      hasHost = true;
      sent.push(name, request.host ?? value);
    } else if (rule === 'cookie') {
      const cookies = withoutOwnCookies(value);
      if (cookies !== '') sent.push(name, cookies);
    } else if (rule === 'trailer') {
      if (request.chunked) sent.push(name, value);
    } else if (named === null || !named.has(name.toLowerCase())) {
      hasLength ||= rule === 'length';
      sent.push(name, value);
    }
  }
  if (!hasHost && request.host !== null) sent.push('Host', request.host);
  if (takesTrailers) sent.push('TE', 'trailers', 'Connection', 'TE');
  if (request.chunked) sent.push('Transfer-Encoding', 'chunked');
  // Otherwise the client library would announce a body.
  else if (!hasLength && !withoutBody.has(request.method)) sent.push('Content-Length', '0');
  sent.push(...request.forwarded);
  for (const [name, value] of request.identity) sent.push(name, value);
  return sent;
}

/** The headers that `Connection` names; null where it names only how long the connection stays. */
function namedByConnection(connection: string | undefined): Set<string> | null {
  if (connection === undefined || /^(?:keep-alive|close|upgrade)$/i.test(connection)) return null;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !neverOfConnection.has(name)));
}

/** Cookies of every installation: cookies ignore ports, so those of another installation on this host come too. */
const ownCookie = /^\s*(?:=+\s*)?(?:__(?:host|secure)-)?portico_[a-z]/i;

/** A `Cookie` header without Portico's own cookies; the rest stays byte for byte. */
export function withoutOwnCookies(header: string): string {
  if (!header.includes('portico_') && !/portico_/i.test(header)) return header;
  const kept = header.split(';').filter((pair) => !ownCookie.test(pair));
  return kept.join(';').trimStart();
}

type ToClient = {
  raw: readonly string[];
  connection: string | undefined;
  /** Whether trailers can follow. */
  chunked: boolean;
  addresses: PublicAddresses;
};

const answerRules = new Map<string, 'drop' | 'cookie' | 'trailer' | typeof publicAddress>([
  ...ofConnection.map((name): [string, 'drop'] => [name, 'drop']),
  ['te', 'drop'],
  // Names the application's own port, which its clients do not reach.
  ['alt-svc', 'drop'],
  ['set-cookie', 'cookie'],
  ['set-cookie2', 'drop'],
  ['location', publicAddress],
  ['content-location', publicAddress],
  ['refresh', publicRefresh],
  ['link', publicLinks],
  ['service-worker-allowed', publicAddress],
  ['trailer', 'trailer'],
]);

/** The headers of an answer that its client receives. */
export function headersForClient(answer: ToClient): string[] {
  const { raw, addresses } = answer;
  const named = namedByConnection(answer.connection);
  const sent: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    const value = raw[at + 1] as string;
    const lower = name.toLowerCase();
    const rule = answerRules.get(lower);
    if (rule === 'drop' || named?.has(lower) === true) continue;
    if (rule === 'cookie') {
      if (!ownCookie.test(value)) sent.push(name, publicCookie(value, addresses));
    } else if (rule === 'trailer') {
      if (answer.chunked) sent.push(name, value);
    } else sent.push(name, rule === undefined ? value : rule(value, addresses));
  }
  return sent;
}

/** Fields that are not allowed in trailers (RFC 9110, 6.5.1), and headers that an application trusts. */
const neverTrailer =
  /^(?:transfer-encoding|content-length|host|connection|keep-alive|te|trailer|upgrade|authorization|cookie|set-cookie|content-encoding|content-type|content-range|expect|cache-control|location)$/i;

/** Trailers as pairs. */
export function trailersToSend(raw: readonly string[], ruleOf = plainRuleOf): [string, string][] {
  const sent: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!neverTrailer.test(name) && ruleOf(name) === 'keep') sent.push([name, raw[at + 1] as string]);
  }
  return sent;
}

/** A header's name as CGI and WSGI servers compare it: `X-Remote-User` and `X_Remote_User` become one variable. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
}

/** Whether a header of this plain name says who calls, to one application or another. */
function namesCaller(plain: string): boolean {
  return ofOthers.test(plain);
}
