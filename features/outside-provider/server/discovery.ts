import type { ServerMetadata } from 'openid-client';
import * as z from 'zod/mini';
import type { OutsideProviderSettings } from '#server/config.ts';
import type { ProviderConnection } from '#features/session/server/provider-client.ts';

const address = z
  .string()
  .check(z.refine((text) => URL.canParse(text) && /^https?:/.test(text), 'is no address'));
const words = z.array(z.string());

/** What Portico reads of a discovery document (OpenID Connect Discovery 1.0, 3); the rest is ignored. */
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: z.optional(address),
  end_session_endpoint: z.optional(address),
  revocation_endpoint: z.optional(address),
  pushed_authorization_request_endpoint: z.optional(address),
  require_pushed_authorization_requests: z.optional(z.boolean()),
  token_endpoint_auth_signing_alg_values_supported: z.optional(words),
  id_token_signing_alg_values_supported: z.optional(words),
  token_endpoint_auth_methods_supported: z.optional(words),
  code_challenge_methods_supported: z.optional(words),
  scopes_supported: z.optional(words),
  claims_supported: z.optional(words),
  acr_values_supported: z.optional(words),
  backchannel_logout_supported: z.optional(z.boolean()),
  authorization_response_iss_parameter_supported: z.optional(z.boolean()),
});

export type Discovered =
  | { outcome: 'found'; metadata: ServerMetadata }
  | { outcome: 'unreachable'; error: unknown }
  | { outcome: 'status'; status: number; location: string | null }
  | { outcome: 'not-json' }
  /** Names of members that are missing or wrong. */
  | { outcome: 'incomplete'; members: string[] }
  | { outcome: 'other-issuer'; issuer: string };

/** Why dangerous steps may never be confirmed at a provider (SES-13), in words; null: nothing says so. */
export function stepUpProblem(
  { claims_supported: claims, acr_values_supported: known }: ServerMetadata,
  stepUp: OutsideProviderSettings['stepUp'],
): string | null {
  if (stepUp === null) return null;
  if (claims?.includes('auth_time') === false)
    return 'The provider does not list auth_time among its claims. Without it no dangerous step can be confirmed: have the provider send it, or set OIDC_STEP_UP=off.';
  const unknown = known === undefined ? [] : stepUp.acrValues.filter((value) => !known.includes(value));
  return unknown.length === 0
    ? null
    : `The provider does not list ${unknown.join(', ')} of OIDC_ACR_VALUES among its values of acr.`;
}

export function discoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Reads a provider's discovery document. Never throws. */
export async function discover(
  issuer: string,
  { fetch, timeoutMs }: Pick<ProviderConnection, 'fetch' | 'timeoutMs'>,
): Promise<Discovered> {
  let text: string;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const get = (at: string): Promise<Response> =>
      fetch(at, {
        method: 'GET',
        headers: { accept: 'application/json' },
        body: null,
        redirect: 'manual',
        signal,
      });
    let at = discoveryAddress(issuer);
    let answer = await get(at);
    for (let led = 0; led < mostRedirects; led += 1) {
      const next = nextOnHost(at, answer);
      if (next === null) break;
      at = next;
      answer = await get(at);
    }
    if (answer.status !== 200)
      return { outcome: 'status', status: answer.status, location: answer.headers.get('location') };
    text = await answer.text();
  } catch (error) {
    return { outcome: 'unreachable', error };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: 'not-json' };
  }
  const read = metadata.safeParse(value);
  if (!read.success) {
    const members = new Set(read.error.issues.map(({ path }) => String(path[0] ?? 'the document')));
    return { outcome: 'incomplete', members: [...members] };
  }
  if (read.data.issuer !== issuer) return { outcome: 'other-issuer', issuer: read.data.issuer };
  return { outcome: 'found', metadata: withoutUndefined(read.data) };
}

const mostRedirects = 3;

/** Where a redirect leads, if that is the same host, and not from https to http. */
function nextOnHost(at: string, { status, headers }: Response): string | null {
  const location = headers.get('location') ?? '';
  if (status < 301 || status > 308 || location === '' || !URL.canParse(location, at)) return null;
  const [from, to] = [new URL(at), new URL(location, at)];
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname;
  return to.username === '' && (from.origin === to.origin || isSecured) ? to.href : null;
}

function withoutUndefined(data: z.infer<typeof metadata>): ServerMetadata {
  return Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== undefined),
  ) as unknown as ServerMetadata;
}
