import { errors, type JSONWebKeySet, type JWTPayload } from 'jose';
import type * as OpenIdClient from 'openid-client';
import type { Clock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/log/logger.ts';
import {
  clientAuthWays,
  createClientAuthentication,
  errorsFromBodies,
  showCredentials,
  type ClientAuthSetting,
  type ClientAuthWay,
} from './client-authentication.ts';
import { joinClaims } from './identity.ts';
import { createProviderKeys } from './provider-keys.ts';
import {
  clientStandingOf,
  RefreshFailure,
  refreshFailureOf,
  refusalOf,
  SignInRefusal,
} from './sign-in-refusal.ts';

/** A provider that Portico is a client of, and how it is reached. */
export type ProviderConnection = {
  clientId: string;
  clientSecret(): Promise<string>;
  /** How the secret is shown; `auto` as the provider says and accepts. */
  clientAuth: ClientAuthSetting;
  /** What the provider says of itself; asked each time, so that what keeps it may also renew it. Throws SignInRefusal. */
  metadata(): Promise<OpenIdClient.ServerMetadata>;
  /** Sees to it that a browser that is sent there now gets an answer, at most some seconds old. Throws SignInRefusal. */
  expectAnswer(): Promise<void>;
  /** Whether the ID token goes along, through the browser, when a person signs out there (`id_token_hint`). */
  hintsAtSignOut: boolean;
  /** In place of the network; asked for https alone. */
  fetch: OpenIdClient.CustomFetch;
  /** How long an answer may take. */
  timeoutMs: number;
  /** The `person.issuer` of people who sign in here. */
  issuerKey: string;
  scope: string;
  /** Whether the userinfo endpoint has to be asked beside these claims of an ID token. */
  wantsUserInfo(claims: Claims): 'no' | 'if-it-answers' | 'yes';
};

export type Claims = { sub: string; [claim: string]: unknown };

/** One authorisation request: authorisation code with PKCE, state and nonce (RFC 9700 2.1). */
export type AuthorizationRequest = { state: string; nonce: string; codeVerifier: string };

export type VerifiedSignIn = {
  idToken: string;
  claims: Claims;
  /** False where the userinfo endpoint did not answer: what is missing in the claims is not known. */
  complete: boolean;
  /** What the provider calls its session (`sid`), where it says so. */
  sid: string | null;
  refreshToken: string | null;
};

/** What a refresh brought; `claims` null where the provider said nothing new of the person. */
export type Refreshed = {
  idToken: string | null;
  claims: Claims | null;
  complete: boolean;
  /** The one that replaces the used one, or null: that one stays good. */
  refreshToken: string | null;
  /** Why what came with it was not believed, or null. */
  refusal: SignInRefusal | null;
};

/** Whose sessions a logout token ends: those with this `sid`, or all of the subject. `issuedAt` in milliseconds. */
export type LogoutRequest = { subject: string | null; sid: string | null; id: string; issuedAt: number };

/** Portico as a confidential OpenID Connect client. What goes wrong is thrown as SignInRefusal. */
export type RelyingParty = {
  readonly issuerKey: string;
  authorizationUrl(
    request: Pick<AuthorizationRequest, 'state' | 'nonce'>,
  ): Promise<{ url: string; codeVerifier: string }>;
  /** Exchanges the code and verifies the ID token. */
  finish(callback: URL, request: AuthorizationRequest): Promise<VerifiedSignIn>;
  /** Uses a refresh token. Throws RefreshFailure. */
  refresh(refreshToken: string, subject: string): Promise<Refreshed>;
  /** Gives a refresh token up at the provider (RFC 7009), where that takes it back. Throws SignInRefusal. */
  revoke(refreshToken: string): Promise<void>;
  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6), replays aside. */
  verifyLogoutToken(token: string): Promise<LogoutRequest>;
  /** Where the browser goes to end the provider's own session (SES-7), or null where there is no such place now. */
  endSessionUrl(idToken: string): Promise<string | null>;
};

/** Signatures only, never a secret that both sides hold, never none. */
export const acceptedAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
];

/** How far the provider's clock may be from ours, seconds. */
const clockTolerance = 10;
/** A token is never that long; what is has been made to fill us up. */
const longestToken = 100_000;
/** Longer addresses are refused on the way. */
const longestHint = 6_000;
/** A logout token is used at once, seconds. */
const logoutTokenAge = 120;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const signOutTimeoutMs = 2_000;

export function createRelyingParty(
  connection: ProviderConnection,
  options: { callbackUrl: string; publicUrl: string; clock: Clock; logger: Logger },
): RelyingParty {
  type Loaded = {
    client: typeof OpenIdClient;
    /** One for each way to show the secret. */
    configurations: Map<ClientAuthWay, OpenIdClient.Configuration>;
    ways: ClientAuthWay[];
    metadata: OpenIdClient.ServerMetadata;
  };
  const { callbackUrl, publicUrl, clock, logger } = options;
  const { clientId } = connection;
  let loaded: Loaded | null = null;
  const keys = createProviderKeys(readKeys, clock);
  const authentication = createClientAuthentication(clientStandingOf, (way) =>
    logger.info(
      { clientId, way },
      'the provider refused the client secret as it was shown first, and accepts it in another way; that one is used from now on',
    ),
  );

  async function configured(): Promise<Loaded> {
    const metadata = await connection.metadata();
    if (loaded?.metadata === metadata) return loaded;
    // Imported when somebody signs in, so that start and rest cost nothing of it.
    const [client, clientSecret] = await Promise.all([import('openid-client'), connection.clientSecret()]);
    const credentials = { clientId, clientSecret };
    const configurationOf = (way: ClientAuthWay): OpenIdClient.Configuration => {
      const configuration = new client.Configuration(
        metadata,
        clientId,
        { [client.clockTolerance]: clockTolerance },
        (_server, _client, body, headers) => showCredentials(way, credentials, body, headers),
      );
      configuration.timeout = connection.timeoutMs / 1000;
      configuration[client.customFetch] = errorsFromBodies(connection.fetch);
      return configuration;
    };
    const ways = clientAuthWays(connection.clientAuth, metadata, credentials);
    const configurations = new Map(ways.map((way) => [way, configurationOf(way)]));
    loaded = { client, configurations, ways, metadata };
    return loaded;
  }

  /** Asks an endpoint that wants to know the client. */
  function asClient<T>(
    { ways, configurations }: Loaded,
    ask: (configuration: OpenIdClient.Configuration) => Promise<T>,
  ): Promise<T> {
    return authentication.run(ways, (way) => {
      const configuration = configurations.get(way);
      if (configuration === undefined) throw new Error(`There is no configuration for ${way}.`);
      return ask(configuration);
    });
  }

  /** A refusal of the client in words that an operator can act on. */
  function explained(refusal: SignInRefusal): SignInRefusal {
    if (refusal.reason !== 'client-refused') return refusal;
    return new SignInRefusal(
      refusal.reason,
      `The provider does not accept the client "${clientId}": compare OIDC_CLIENT_ID and OIDC_CLIENT_SECRET with its settings; "portico oidc check" says more. ${refusal.message}`,
      refusal.cause,
    );
  }

  async function readKeys(uri: string): Promise<JSONWebKeySet> {
    const signal = AbortSignal.timeout(connection.timeoutMs);
    const headers = { accept: 'application/json' };
    const options = { method: 'GET', headers, body: null, redirect: 'manual' as const, signal };
    const answer = await connection.fetch(uri, options).catch((error: unknown) => {
      throw refusalOf(error);
    });
    const body: unknown = answer.status === 200 ? await answer.json().catch(() => null) : null;
    if (typeof body !== 'object' || body === null || !Array.isArray((body as { keys?: unknown }).keys)) {
      const reason = answer.status >= 500 ? 'provider-unreachable' : 'id-token-key';
      throw new SignInRefusal(reason, `The provider’s keys cannot be read (status ${answer.status}).`);
    }
    return body as JSONWebKeySet;
  }

  /** Throws SignInRefusal. */
  async function verify(
    token: string,
    metadata: OpenIdClient.ServerMetadata,
    options: { requiredClaims: string[]; maxTokenAge?: number },
  ): Promise<JWTPayload> {
    if (token.length > longestToken)
      throw new SignInRefusal('id-token-too-large', `The token has ${token.length} characters.`);
    if (metadata.jwks_uri === undefined)
      throw new SignInRefusal('provider-answer', 'The provider publishes no keys.');
    try {
      return await keys.verify(token, metadata.jwks_uri, {
        algorithms: acceptedAlgorithms,
        issuer: metadata.issuer,
        audience: connection.clientId,
        // By the system's clock, as openid-client does.
        clockTolerance,
        ...options,
      });
    } catch (error) {
      throw tokenRefusalOf(error);
    }
  }

  /** The claims of an ID token that came straight from the provider (OpenID Connect Core 3.1.3.7). Throws SignInRefusal. */
  async function verifyIdToken(
    idToken: string,
    metadata: OpenIdClient.ServerMetadata,
    expected: { nonce?: string; subject?: string },
  ): Promise<Claims> {
    const claims = await verify(idToken, metadata, { requiredClaims: ['sub', 'iat', 'exp'] });
    const { sub, azp, nonce } = claims;
    if (typeof sub !== 'string' || !isSubject(sub))
      throw new SignInRefusal('id-token-subject', 'The ID token names nobody.');
    if (expected.subject !== undefined && expected.subject !== sub)
      throw new SignInRefusal('id-token-subject', 'The ID token names somebody else.');
    if (expected.nonce !== undefined && nonce !== expected.nonce)
      throw new SignInRefusal('id-token-nonce', 'The ID token belongs to another sign-in.');
    if (azp !== undefined && azp !== connection.clientId)
      throw new SignInRefusal('id-token-audience', 'The ID token was issued to another client.');
    return { ...claims, sub };
  }

  /** The claims, with those of the userinfo endpoint over them where they are wanted. */
  async function withUserInfo(
    { client, configurations, metadata }: Loaded,
    claims: Claims,
    accessToken: string,
  ): Promise<{ claims: Claims; complete: boolean }> {
    const wanted = connection.wantsUserInfo(claims);
    if (wanted === 'no' || (wanted === 'if-it-answers' && metadata.userinfo_endpoint === undefined))
      return { claims, complete: true };
    try {
      // With the access token alone: the client is not asked for here.
      const [configuration] = configurations.values();
      if (configuration === undefined) throw new Error('There is no configuration.');
      const more = await client.fetchUserInfo(configuration, accessToken, claims.sub);
      return { claims: joinClaims(claims, more), complete: true };
    } catch (error) {
      if (wanted === 'if-it-answers') return { claims, complete: false };
      const refusal = refusalOf(error);
      if (refusal.reason === 'provider-unreachable') throw refusal;
      throw new SignInRefusal('userinfo', 'The provider’s userinfo endpoint did not answer well.', error);
    }
  }

  return {
    issuerKey: connection.issuerKey,
    async authorizationUrl({ state, nonce }) {
      const { client, metadata } = await configured();
      await connection.expectAnswer();
      const codeVerifier = client.randomPKCECodeVerifier();
      const url = withParameters(metadata.authorization_endpoint, {
        response_type: 'code',
        client_id: connection.clientId,
        redirect_uri: callbackUrl,
        scope: connection.scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, codeVerifier };
    },

    async finish(callback, { state, nonce, codeVerifier }) {
      const ready = await configured();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      };
      const tokens = await asClient(ready, (configuration) =>
        ready.client.authorizationCodeGrant(configuration, callback, checks),
      ).catch((error: unknown) => {
        throw explained(refusalOf(error));
      });
      if (tokens.id_token === undefined)
        throw new SignInRefusal('id-token-missing', 'The provider sent no ID token.');
      // The code came through the browser: the signature is checked although the token came directly.
      const idClaims = await verifyIdToken(tokens.id_token, ready.metadata, { nonce });
      return {
        ...(await withUserInfo(ready, idClaims, tokens.access_token)),
        idToken: tokens.id_token,
        sid: shortText(idClaims['sid']),
        refreshToken: tokens.refresh_token ?? null,
      };
    },

    async refresh(refreshToken, subject) {
      const ready = await configured().catch((error: unknown) => {
        throw new RefreshFailure('not-reached', refusalOf(error));
      });
      const tokens = await asClient(ready, (configuration) =>
        ready.client.refreshTokenGrant(configuration, refreshToken),
      ).catch((error: unknown) => {
        throw refreshFailureOf(error, explained(refusalOf(error)));
      });
      const kept = { refreshToken: tokens.refresh_token ?? null };
      const idToken = tokens.id_token ?? null;
      try {
        // Some send no ID token here, or an old one: then the userinfo endpoint alone says what is new.
        const idClaims =
          idToken === null ? { sub: subject } : await verifyIdToken(idToken, ready.metadata, { subject });
        const { claims, complete } = await withUserInfo(ready, idClaims, tokens.access_token);
        const isNews = idToken !== null || Object.keys(claims).length > 1;
        // A later ID token may say less than the first one (OpenID Connect Core 12.2).
        const whole = complete && connection.wantsUserInfo(idClaims) !== 'no';
        return { ...kept, idToken, claims: isNews ? claims : null, complete: whole, refusal: null };
      } catch (error) {
        // The refresh token has been replaced all the same, and must be kept.
        return { ...kept, idToken: null, claims: null, complete: false, refusal: refusalOf(error) };
      }
    },

    async revoke(refreshToken) {
      const ready = await configured();
      if (ready.metadata.revocation_endpoint === undefined) return;
      await asClient(ready, (configuration) =>
        ready.client.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }),
      ).catch((error: unknown) => {
        throw explained(refusalOf(error));
      });
    },

    async verifyLogoutToken(token) {
      const { metadata } = await configured();
      const required = ['iat', 'jti', 'events'];
      const claims = await verify(token, metadata, { requiredClaims: required, maxTokenAge: logoutTokenAge });
      const { sub, sid, jti, iat, events, nonce } = claims;
      const event = isObject(events) ? events[logoutEvent] : undefined;
      if (!isObject(event)) throw new SignInRefusal('id-token-malformed', 'It is no logout token.');
      if (nonce !== undefined)
        throw new SignInRefusal('id-token-nonce', 'A logout token with a nonce may be an ID token.');
      const named = { subject: shortText(sub), sid: shortText(sid) };
      if (named.subject === null && named.sid === null)
        throw new SignInRefusal('id-token-subject', 'The logout token names neither a person nor a session.');
      if (typeof jti !== 'string' || jti === '' || typeof iat !== 'number')
        throw new SignInRefusal('id-token-malformed', 'The logout token has no id.');
      return { ...named, id: jti, issuedAt: iat * 1000 };
    },

    async endSessionUrl(idToken) {
      const ready = await Promise.race([
        configured().catch(() => null),
        new Promise<null>((done) => setTimeout(done, signOutTimeoutMs, null).unref()),
      ]);
      if (ready?.metadata.end_session_endpoint === undefined) return null;
      return withParameters(ready.metadata.end_session_endpoint, {
        ...(connection.hintsAtSignOut && idToken.length <= longestHint ? { id_token_hint: idToken } : {}),
        client_id: connection.clientId,
        post_logout_redirect_uri: publicUrl,
      });
    },
  };
}

/** jose's errors as reasons; those of reading keys are reasons already. */
function tokenRefusalOf(error: unknown): SignInRefusal {
  if (error instanceof errors.JWTExpired)
    return new SignInRefusal(
      error.claim === 'exp' ? 'id-token-expired' : 'id-token-not-yet',
      'The token’s time is over, by the clock of this server.',
      error,
    );
  if (error instanceof errors.JWTClaimValidationFailed) {
    const reason =
      error.claim === 'iss'
        ? 'id-token-issuer'
        : error.claim === 'aud'
          ? 'id-token-audience'
          : error.claim === 'nbf' || error.claim === 'iat'
            ? 'id-token-not-yet'
            : 'id-token-malformed';
    return new SignInRefusal(reason, `The token’s ${error.claim} is not the expected one.`, error);
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return new SignInRefusal('id-token-algorithm', 'The token is signed in no accepted way.', error);
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return new SignInRefusal(
      'id-token-key',
      'The token is signed with a key that is not the provider’s.',
      error,
    );
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return new SignInRefusal('id-token-signature', 'The token’s signature is wrong.', error);
  if (error instanceof errors.JOSEError)
    return new SignInRefusal('id-token-malformed', 'The token cannot be read.', error);
  return refusalOf(error);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** OpenID Connect Core 2: at most 255 characters. PostgreSQL takes no NUL. */
function isSubject(sub: string): boolean {
  return sub !== '' && sub.length <= 255 && !/[\u0000-\u001f\u007f]/.test(sub) && sub.isWellFormed();
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && isSubject(value) ? value : null;
}

// openid-client's own builders refuse http, which PUBLIC_URL is on localhost.
function withParameters(endpoint: string | undefined, parameters: Record<string, string>): string {
  if (endpoint === undefined)
    throw new SignInRefusal('provider-answer', 'The provider names no authorization endpoint.');
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
