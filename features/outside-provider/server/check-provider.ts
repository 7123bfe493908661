import type { ServerMetadata } from 'openid-client';
import type { OutsideProviderSettings } from '#server/config.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { ClientAuthSetting, ClientAuthWay } from '#features/session/server/client-authentication.ts';
import type { ClaimPath } from '#server/config-claim-paths.ts';
import { writeClaimPath } from './read-claims.ts';
import { discover, discoveryAddress, stepUpProblem, type Discovered } from './discovery.ts';
import { providerFetch } from './provider-connection.ts';

export type StepOutcome = 'ok' | 'warning' | 'failed';
/** One check, its outcome, and what to do about it, in words. */
export type Step = { name: string; outcome: StepOutcome; message: string };

export type ProviderReport = {
  ok: boolean;
  /** Whether the provider may still refuse a sign-in for a reason that only it knows. */
  unsure: boolean;
  steps: Step[];
  /** Values that the provider's settings of this client need. */
  register: { redirectUri: string; postLogoutRedirectUri: string; backChannelLogoutUri: string };
  /** The claim paths at which Portico looks in the ID token or the userinfo answer. */
  claims: Record<'name' | 'email' | 'roles' | 'groups', string[]>;
};

export type CheckProviderOptions = {
  settings: OutsideProviderSettings;
  publicUrl: string;
  callbackPath: string;
  backChannelPath: string;
  acceptedAlgorithms: readonly string[];
  /** The client's authentication, as a sign-in uses it. */
  clientAuthentication: {
    ways(wanted: ClientAuthSetting, metadata: ServerMetadata): ClientAuthWay[];
    show(
      way: ClientAuthWay,
      metadata: ServerMetadata,
      body: URLSearchParams,
      headers: Headers,
    ): Promise<void>;
    isRefusal(answer: { status: number; error: string | undefined }, way: ClientAuthWay): boolean;
  };
  clock: Clock;
};

/** Steps without which no sign-in succeeds. */
const decisive = new Set(['Signatures', 'Client', 'Redirect', 'Clock']);

/** How far apart the clocks may be, seconds. */
const clockTolerance = 10;

/** Checks everything that a sign-in needs, in order, without signing a person in. Never throws. */
export async function checkProvider(options: CheckProviderOptions): Promise<ProviderReport> {
  const { settings, publicUrl } = options;
  const redirectUri = `${publicUrl}${options.callbackPath}`;
  const steps = await stepsOf(options, redirectUri);
  const written = (paths: readonly ClaimPath[]): string[] => paths.map(writeClaimPath);
  return {
    ok: steps.every(({ outcome }) => outcome !== 'failed'),
    unsure: steps.some(({ name, outcome }) => decisive.has(name) && outcome !== 'ok'),
    steps,
    register: {
      redirectUri,
      postLogoutRedirectUri: publicUrl,
      backChannelLogoutUri: `${publicUrl}${options.backChannelPath}`,
    },
    claims: {
      name:
        settings.claims.name === null ? ['given_name', 'family_name', 'name'] : written(settings.claims.name),
      email: written(settings.claims.email),
      roles: written(settings.claims.roles),
      groups: written(settings.claims.groups),
    },
  };
}

async function stepsOf(options: CheckProviderOptions, redirectUri: string): Promise<Step[]> {
  const { settings } = options;
  const connection = { fetch: providerFetch, timeoutMs: settings.timeoutMs };
  const found = await discover(settings.issuer, connection);
  const first = discoverySteps(found, settings.issuer);
  if (found.outcome !== 'found') return first;
  const { metadata } = found;
  const { keys, steps: keySteps } = await readKeys(metadata, options);
  const client = await clientStep(metadata, options, redirectUri);
  return [
    ...first,
    algorithmStep(metadata, options.acceptedAlgorithms, keys),
    ...keySteps,
    client,
    await redirectStep(metadata, options, redirectUri, client.outcome !== 'failed'),
    scopeStep(metadata, settings.scope),
    signOutStep(metadata),
    stepUpStep(metadata, settings.stepUp),
  ];
}

function step(name: string, outcome: StepOutcome, message: string): Step {
  return { name, outcome, message };
}

function discoverySteps(found: Discovered, issuer: string): Step[] {
  const address = discoveryAddress(issuer);
  const failed = (message: string): Step[] => [step('Discovery', 'failed', message)];
  switch (found.outcome) {
    case 'unreachable':
      return failed(`${address} cannot be reached: ${unreachable(found.error)}`);
    case 'status': {
      const leads = found.location === null ? '' : ` and leads to ${found.location}`;
      const hint =
        found.status === 404
          ? ' Is OIDC_ISSUER whole? Keycloak’s ends with /realms/<realm>, Entra ID’s with /<tenant>/v2.0.'
          : '';
      return failed(`${address} answers with the status ${found.status}${leads}, instead of 200.${hint}`);
    }
    case 'not-json':
      return failed(`${address} answers no JSON: it is some other page.`);
    case 'incomplete':
      return failed(`${address} is missing, or has wrongly: ${found.members.join(', ')}.`);
    case 'other-issuer':
      return [
        step('Discovery', 'ok', `${address} answers.`),
        step('Issuer', 'failed', otherIssuer(found.issuer, issuer)),
      ];
    case 'found':
      return [
        step('Discovery', 'ok', `${address} answers${issuer.startsWith('https:') ? ', over TLS' : ''}.`),
        step('Issuer', 'ok', `The provider calls itself exactly ${issuer}.`),
      ];
  }
}

function otherIssuer(actual: string, wanted: string): string {
  const near = actual.replace(/\/$/, '') === wanted.replace(/\/$/, '');
  const template = actual.includes('{tenantid}');
  const advice = template
    ? 'Take the address of one tenant: https://login.microsoftonline.com/<tenant id>/v2.0.'
    : `Set OIDC_ISSUER=${actual}${near ? ' (the slash at the end counts)' : ''}, if that is the provider you mean.`;
  return `The provider calls itself ${actual}, not ${wanted}. ${advice}`;
}

const networkWords: Record<string, string> = {
  ENOTFOUND: 'the name is not known here. Look for a mistype, or ask who runs the network’s names.',
  EAI_AGAIN: 'names cannot be looked up here at the moment.',
  ECONNREFUSED: 'nothing listens there.',
  ECONNRESET: 'the connection was broken off.',
  EHOSTUNREACH: 'there is no way to that machine from here.',
  ENETUNREACH: 'there is no way to that network from here.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed. NODE_EXTRA_CA_CERTS names a file to trust.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate comes from an authority that is not known here. NODE_EXTRA_CA_CERTS names a file to trust.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes from an authority that is not known here, or the provider leaves the chain out. NODE_EXTRA_CA_CERTS names a file to trust.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate comes from an authority that is not known here. NODE_EXTRA_CA_CERTS names a file to trust.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS on that port.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks no TLS on that port.',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time. A firewall may be in between.',
};

function unreachable(error: unknown): string {
  for (let here = error; typeof here === 'object' && here !== null;) {
    const { code, name, cause } = here as { code?: unknown; name?: unknown; cause?: unknown };
    if (name === 'TimeoutError') return 'it does not answer in time.';
    const words = typeof code === 'string' ? networkWords[code] : undefined;
    if (words !== undefined) return words;
    if (cause === undefined) return typeof code === 'string' ? `${code}.` : `${(here as Error).message}.`;
    here = cause;
  }
  return 'for a reason that it does not give.';
}

type PublishedKey = { use?: string; kty?: string; crv?: string; alg?: string };

/** @param keys the published keys; empty where none could be read, which is a step of its own */
function algorithmStep(
  metadata: ServerMetadata,
  accepted: readonly string[],
  keys: readonly PublishedKey[],
): Step {
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const shared = offered.filter((algorithm) => accepted.includes(algorithm));
  const usable = shared.filter(
    (algorithm) => keys.length === 0 || keys.some((key) => signsWith(key, algorithm)),
  );
  const others = offered.filter((algorithm) => !usable.includes(algorithm));
  const refused = `Portico accepts ${accepted.join(', ')}, by a key that is published; "none" and shared secrets never.`;
  if (usable.length === 0)
    return step('Signatures', 'failed', `The provider signs with ${others.join(', ')} alone. ${refused}`);
  const good = `ID tokens may be signed with ${usable.join(', ')}`;
  return others.length === 0
    ? step('Signatures', 'ok', `${good}.`)
    : step(
        'Signatures',
        'warning',
        `${good}; this client must not be set to ${others.join(', ')}. ${refused}`,
      );
}

const curves: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** Whether a key can make signatures of an algorithm (RFC 7518, 3.1; RFC 8037, 3.1). */
function signsWith({ kty, crv, alg }: PublishedKey, algorithm: string): boolean {
  if (alg !== undefined && alg !== algorithm && !(kty === 'OKP' && algorithm.startsWith('Ed'))) return false;
  if (/^[RP]S/.test(algorithm)) return kty === 'RSA';
  if (algorithm.startsWith('Ed')) return kty === 'OKP' && crv === 'Ed25519';
  return kty === 'EC' && crv === curves[algorithm];
}

async function readKeys(
  metadata: ServerMetadata,
  options: CheckProviderOptions,
): Promise<{ keys: PublishedKey[]; steps: Step[] }> {
  const uri = metadata.jwks_uri ?? '';
  const before = options.clock.now();
  const answer = await get(uri, options.settings.timeoutMs);
  if (answer instanceof Error) {
    const message = `${uri} cannot be reached: ${unreachable(answer.cause)}`;
    return { keys: [], steps: [step('Keys', 'failed', message)] };
  }
  const after = options.clock.now();
  const body = (await answer.json().catch(() => null)) as { keys?: unknown } | null;
  const keys = Array.isArray(body?.keys) ? (body.keys as PublishedKey[]) : [];
  const signing = keys.filter((key) => key.use !== 'enc' && key.kty !== 'oct');
  const found =
    answer.status === 200 && signing.length > 0
      ? step('Keys', 'ok', `${uri} publishes ${signing.length} signing keys.`)
      : step('Keys', 'failed', `${uri} publishes no signing key (status ${answer.status}).`);
  return { keys: signing, steps: [found, ...clockSteps(answer.headers.get('date'), before, after)] };
}

function clockSteps(date: string | null, before: number, after: number): Step[] {
  const theirs = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return [];
  // The header has whole seconds, and was written at some time in between.
  const behind = Math.round((before - theirs) / 1000) - 1;
  const ahead = Math.round((theirs - after) / 1000);
  const apart = Math.max(behind, ahead);
  return apart <= clockTolerance
    ? [step('Clock', 'ok', 'The provider’s clock and this one agree.')]
    : [
        step(
          'Clock',
          'warning',
          `The provider’s clock is ${apart} seconds ${ahead > behind ? 'ahead of' : 'behind'} this one; more than ${clockTolerance} are not tolerated in a token. Set both by a time server.`,
        ),
      ];
}

async function get(
  address: string,
  timeoutMs: number,
  headers: Record<string, string> = { accept: 'application/json' },
): Promise<Response | Error> {
  try {
    return await providerFetch(address, {
      method: 'GET',
      headers,
      body: null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    return new Error('unreachable', { cause: error });
  }
}

type TokenAnswer = { error: string | undefined; description: string; status: number };

/** The token endpoint's answer to a code that it never issued shows whether it accepted the client. */
async function askTokenEndpoint(
  metadata: ServerMetadata,
  { settings, clientAuthentication }: CheckProviderOptions,
  redirectUri: string,
  way: ClientAuthWay,
): Promise<TokenAnswer | Error> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'portico-oidc-check',
    redirect_uri: redirectUri,
    code_verifier: 'portico-oidc-check-portico-oidc-check-portico',
  });
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  });
  await clientAuthentication.show(way, metadata, body, headers);
  try {
    const answer = await providerFetch(metadata.token_endpoint ?? '', {
      method: 'POST',
      headers: Object.fromEntries(headers),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs),
    });
    const fields = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
    const text = (name: string): string | undefined =>
      typeof fields?.[name] === 'string' ? fields[name] : undefined;
    return { error: text('error'), description: text('error_description') ?? '', status: answer.status };
  } catch (error) {
    return new Error('unreachable', { cause: error });
  }
}

type Asked = { way: ClientAuthWay; tokenAnswer: TokenAnswer; refused: boolean };

/** Asks in each way until one is not refused; answers that one, or the first refusal. */
async function askInWays(
  ways: readonly ClientAuthWay[],
  metadata: ServerMetadata,
  options: CheckProviderOptions,
  redirectUri: string,
): Promise<Asked | Error> {
  let first: Asked | null = null;
  for (const way of ways) {
    const tokenAnswer = await askTokenEndpoint(metadata, options, redirectUri, way);
    if (tokenAnswer instanceof Error) return tokenAnswer;
    const asked = { way, tokenAnswer, refused: options.clientAuthentication.isRefusal(tokenAnswer, way) };
    if (!asked.refused) return asked;
    first ??= asked;
  }
  return first ?? new Error('unreachable');
}

async function clientStep(
  metadata: ServerMetadata,
  options: CheckProviderOptions,
  redirectUri: string,
): Promise<Step> {
  const wanted = options.settings.clientAuth;
  const waysOf = (setting: ClientAuthSetting): ClientAuthWay[] =>
    options.clientAuthentication.ways(setting, metadata);
  const ways = waysOf(wanted);
  const asked = await askInWays(ways, metadata, options, redirectUri);
  if (asked instanceof Error)
    return step(
      'Client',
      'failed',
      `The token endpoint ${metadata.token_endpoint} cannot be reached: ${unreachable(asked.cause)}`,
    );
  const { way, tokenAnswer, refused } = asked;
  if (tokenAnswer.error === 'invalid_grant') return step('Client', 'ok', acceptedIn(way, way === ways[0]));
  if (refused) {
    const others = waysOf('auto').filter((other) => !ways.includes(other));
    const second = await askInWays(others, metadata, options, redirectUri);
    if (!(second instanceof Error) && second.tokenAnswer.error === 'invalid_grant')
      return step(
        'Client',
        'failed',
        `The provider wants the secret in another way: set OIDC_CLIENT_AUTH=${second.way === 'post' ? 'post' : 'basic'}, or leave it out.`,
      );
    return step(
      'Client',
      'failed',
      `The provider does not accept the client: compare OIDC_CLIENT_ID and ${wanted === 'private_key_jwt' ? 'the public key of OIDC_CLIENT_KEY' : 'OIDC_CLIENT_SECRET'} with its settings${inBrackets(tokenAnswer)}.`,
    );
  }
  return step(
    'Client',
    'warning',
    `Whether the secret is right cannot be told from the answer (status ${tokenAnswer.status}${tokenAnswer.error === undefined ? '' : `, ${tokenAnswer.error}`}); the first sign-in shows it.`,
  );
}

function acceptedIn(way: ClientAuthWay, isFirst: boolean): string {
  const accepted = 'The provider knows the client, and accepts its secret';
  if (isFirst) return `${accepted}.`;
  return way === 'post'
    ? `${accepted} in the body alone. Sign-ins find that out by themselves; OIDC_CLIENT_AUTH=post spares them the first try.`
    : `${accepted} in the header, though without its encoding. Sign-ins find that out by themselves.`;
}

function inBrackets({ error = '', description }: Pick<TokenAnswer, 'error' | 'description'>): string {
  const parts = [error, description.replaceAll(/\s+/g, ' ').slice(0, 200)].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (it says: ${parts.join(', ')})`;
}

/** Portals answer a browser by a redirect or a page, and other programs by a status. */
const asBrowser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en',
};

/** Statuses of a provider that first wants a person, a browser or time: they prove nothing about the address. */
const inconclusive = new Set([401, 403, 405, 406, 408, 429]);

/** Asks for a sign-in without a page: a provider that knows the address leads back to it. */
async function redirectStep(
  metadata: ServerMetadata,
  { settings }: CheckProviderOptions,
  redirectUri: string,
  isClientKnown: boolean,
): Promise<Step> {
  if (settings.pushesRequests || metadata.require_pushed_authorization_requests === true)
    return step(
      'Redirect',
      'warning',
      `Sign-ins are pushed to the provider first; whether ${redirectUri} is registered shows the first one.`,
    );
  const url = new URL(metadata.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    scope: settings.scope,
    state: 'portico-oidc-check',
    nonce: 'portico-oidc-check',
    prompt: 'none',
    code_challenge: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const answer = await get(url.href, settings.timeoutMs, asBrowser);
  if (answer instanceof Error)
    return step(
      'Redirect',
      'failed',
      `The authorization endpoint cannot be reached: ${unreachable(answer.cause)}`,
    );
  const location = answer.headers.get('location') ?? '';
  const back = URL.canParse(location, url.href) ? new URL(location, url) : null;
  if (back !== null && `${back.origin}${back.pathname}` === redirectUri) {
    const error = back.searchParams.get('error') ?? '';
    if (['', 'login_required', 'interaction_required', 'consent_required'].includes(error))
      return step('Redirect', 'ok', `The provider leads back to ${redirectUri}.`);
    const description = back.searchParams.get('error_description') ?? '';
    return step(
      'Redirect',
      'failed',
      `The provider refuses such a sign-in${inBrackets({ error, description })}.`,
    );
  }
  if (!isClientKnown)
    return step(
      'Redirect',
      'warning',
      `Whether ${redirectUri} is registered cannot be told before the provider accepts the client.`,
    );
  if (answer.status >= 400 && answer.status < 500 && !inconclusive.has(answer.status))
    return step(
      'Redirect',
      'failed',
      `The provider does not lead back to ${redirectUri} (status ${answer.status}): register it there.`,
    );
  return step(
    'Redirect',
    'warning',
    `Whether ${redirectUri} is registered cannot be told without signing in; it has to be.`,
  );
}

function scopeStep(metadata: ServerMetadata, scope: string): Step {
  const known = metadata.scopes_supported;
  const unknown = known === undefined ? [] : scope.split(' ').filter((word) => !known.includes(word));
  return unknown.length === 0
    ? step('Scope', 'ok', `Asked for: ${scope}.`)
    : step('Scope', 'warning', `The provider does not list ${unknown.join(', ')} among its scopes.`);
}

function stepUpStep(metadata: ServerMetadata, stepUp: OutsideProviderSettings['stepUp']): Step {
  const problem = stepUpProblem(metadata, stepUp);
  if (problem !== null) return step('Step-up', 'warning', problem);
  return stepUp === null
    ? step('Step-up', 'warning', 'OIDC_STEP_UP=off: dangerous steps ask nobody to sign in again.')
    : step(
        'Step-up',
        'ok',
        'Dangerous steps have people sign in again there, which takes the claim auth_time.',
      );
}

function signOutStep(metadata: ServerMetadata): Step {
  if (metadata.end_session_endpoint === undefined)
    return step(
      'Sign-out',
      'warning',
      'The provider has no end-session endpoint: signing out of Portico leaves people signed in there.',
    );
  return metadata['backchannel_logout_supported'] === true
    ? step('Sign-out', 'ok', 'Signing out reaches the provider, and the provider can sign out here.')
    : step(
        'Sign-out',
        'ok',
        'Signing out reaches the provider. It does not say that it can sign people out here (back-channel logout).',
      );
}
