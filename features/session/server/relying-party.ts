import type { Core } from '#server/core.ts';
import { joinClaims } from './identity.ts';
import { decryptedToken } from './client-authentication.ts';
import { createProviderClient, type ProviderConnection, type ReadyClient } from './provider-client.ts';
import { createProviderKeys, readKeySet } from './provider-keys.ts';
import {
  proofOf,
  shortText,
  verifyIdToken,
  verifyLogoutToken,
  verifyUserInfo,
  type Claims,
  type LogoutRequest,
  type SignInProof,
} from './provider-tokens.ts';
import { readUserInfo } from './user-info.ts';
import { RefreshFailure, refreshFailureOf, refusalOf, SignInRefusal } from './sign-in-refusal.ts';

/** One authorisation request: authorisation code with PKCE, state and nonce (RFC 9700 2.1). */
export type AuthorizationRequest = { state: string; nonce: string; codeVerifier: string };

export type VerifiedSignIn = {
  idToken: string;
  claims: Claims;
  /** False where the userinfo endpoint did not answer: then a claim that is missing is unknown, not empty. */
  complete: boolean;
  /** What the ID token says about when, and how, the person signed in. */
  proof: SignInProof;
  /** The provider's id of its session (`sid`), where it sends one. */
  sid: string | null;
  refreshToken: string | null;
};

/** What a refresh brought; `claims` null where the provider sent nothing new about the person. */
export type Refreshed = {
  idToken: string | null;
  claims: Claims | null;
  complete: boolean;
  /** The token that replaces the used one; null: the used one stays valid. */
  refreshToken: string | null;
  /** Why the claims that came with the refresh were not accepted, or null. */
  refusal: SignInRefusal | null;
};

/** Portico as a confidential OpenID Connect client. What goes wrong is thrown as SignInRefusal. */
export type RelyingParty = {
  readonly issuerKey: string;
  authorizationUrl(
    request: Pick<AuthorizationRequest, 'state' | 'nonce'> & {
      /** Whether the person is to sign in again where the provider remembers them. */
      proves: boolean;
    },
  ): Promise<{ url: string; codeVerifier: string }>;
  /** Exchanges the code and verifies the ID token. */
  finish(callback: URL, request: AuthorizationRequest): Promise<VerifiedSignIn>;
  /** Uses a refresh token. Throws RefreshFailure. */
  refresh(refreshToken: string, subject: string): Promise<Refreshed>;
  /** Revokes a refresh token at the provider (RFC 7009), where the provider supports that. Throws SignInRefusal. */
  revoke(refreshToken: string): Promise<void>;
  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6); the caller checks for replays. */
  verifyLogoutToken(token: string): Promise<LogoutRequest>;
  /** Where the browser ends the provider's own session (SES-7), or null where there is no such place. */
  endSessionUrl(idToken: string): Promise<string | null>;
};

/** The longest ID token that an address may hold: longer addresses are refused on the way. */
const longestHint = 6_000;
const signOutTimeoutMs = 2_000;

export function createRelyingParty(
  connection: ProviderConnection,
  options: Pick<Core, 'clock' | 'logger'> & {
    callbackUrl: string;
    publicUrl: string;
    /** The `acr` that proofs ask for; none: any will do. */
    acrValues: readonly string[];
  },
): RelyingParty {
  const { callbackUrl, publicUrl, acrValues, clock, logger } = options;
  const { clientId } = connection;
  const keys = createProviderKeys((uri) => readKeySet(connection, uri), clock);
  const configured = createProviderClient(connection, (way) =>
    logger.info(
      { clientId, way },
      'the provider refused the client secret as it was shown first, and accepts it in another way; that one is used from now on',
    ),
  );

  const issuerOf = ({ metadata }: ReadyClient) => ({ keys, clientId, metadata });

  /** The claims, overridden by those of the userinfo endpoint where these are wanted. */
  async function withUserInfo(
    ready: ReadyClient,
    claims: Claims,
    accessToken: string,
  ): Promise<{ claims: Claims; complete: boolean }> {
    const wanted = connection.wantsUserInfo(claims);
    const isNamed = ready.metadata.userinfo_endpoint !== undefined;
    if (wanted === 'no' || (wanted === 'if-it-answers' && !isNamed)) return { claims, complete: true };
    try {
      const more = await readUserInfo(connection, ready.metadata, {
        accessToken,
        subject: claims.sub,
        verify: (token) => verifyUserInfo(token, issuerOf(ready)),
        decrypt: (token) => decryptedToken(token, connection.clientKey),
      });
      return { claims: joinClaims(claims, more), complete: true };
    } catch (error) {
      const refusal = refusalOf(error);
      if (wanted === 'yes') throw refusal;
      logger.warn(
        { clientId, reason: refusal.reason, err: refusal },
        'the userinfo endpoint gave no claims; name, address, roles and groups that the ID token lacks stay as they were',
      );
      return { claims, complete: false };
    }
  }

  return {
    issuerKey: connection.issuerKey,
    async authorizationUrl({ state, nonce, proves }) {
      const { client, metadata, push } = await configured();
      await connection.expectAnswer();
      const codeVerifier = client.randomPKCECodeVerifier();
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callbackUrl,
        scope: connection.scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // Both ask for a new sign-in: some providers know only one of the two.
        ...(proves ? { prompt: 'login', max_age: '0' } : {}),
        ...(proves && acrValues.length > 0 ? { acr_values: acrValues.join(' ') } : {}),
      };
      const sent =
        push === null
          ? parameters
          : await push(parameters).then(
              (uri) => ({ client_id: clientId, request_uri: uri }),
              (error: unknown) => {
                throw explained(clientId, refusalOf(error));
              },
            );
      return { url: withParameters(metadata.authorization_endpoint, sent), codeVerifier };
    },

    async finish(callback, { state, nonce, codeVerifier }) {
      const ready = await configured();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      };
      const tokens = await ready
        .withSecret((configuration) => ready.client.authorizationCodeGrant(configuration, callback, checks))
        .catch((error: unknown) => {
          throw explained(clientId, refusalOf(error));
        });
      if (tokens.id_token === undefined)
        throw new SignInRefusal('id-token-missing', 'The provider sent no ID token.');
      // The code came through the browser: the signature is checked although the token came directly.
      const idClaims = await verifyIdToken(tokens.id_token, issuerOf(ready), { nonce });
      return {
        ...(await withUserInfo(ready, idClaims, tokens.access_token)),
        idToken: tokens.id_token,
        proof: proofOf(idClaims, acrValues, clock.now()),
        sid: shortText(idClaims['sid']),
        refreshToken: tokens.refresh_token ?? null,
      };
    },

    async refresh(refreshToken, subject) {
      const ready = await configured().catch((error: unknown) => {
        throw new RefreshFailure('not-reached', refusalOf(error));
      });
      const tokens = await ready
        .withSecret((configuration) => ready.client.refreshTokenGrant(configuration, refreshToken))
        .catch((error: unknown) => {
          throw refreshFailureOf(error, explained(clientId, refusalOf(error)));
        });
      const renewed = { refreshToken: tokens.refresh_token ?? null };
      const idToken = tokens.id_token ?? null;
      try {
        // Some providers send no ID token here, or an old one: then only the userinfo endpoint has new claims.
        const idClaims =
          idToken === null ? { sub: subject } : await verifyIdToken(idToken, issuerOf(ready), { subject });
        const { claims, complete } = await withUserInfo(ready, idClaims, tokens.access_token);
        const isNews = idToken !== null || Object.keys(claims).length > 1;
        // A later ID token may hold less than the first one (OpenID Connect Core 12.2).
        const whole = complete && connection.wantsUserInfo(idClaims) !== 'no';
        return { ...renewed, idToken, claims: isNews ? claims : null, complete: whole, refusal: null };
      } catch (error) {
        // The provider has replaced the refresh token even so: the new one must be stored.
        return { ...renewed, idToken: null, claims: null, complete: false, refusal: refusalOf(error) };
      }
    },

    async revoke(refreshToken) {
      const ready = await configured();
      if (ready.metadata.revocation_endpoint === undefined) return;
      await ready
        .withSecret((configuration) =>
          ready.client.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }),
        )
        .catch((error: unknown) => {
          throw explained(clientId, refusalOf(error));
        });
    },

    async verifyLogoutToken(token) {
      return verifyLogoutToken(token, issuerOf(await configured()));
    },

    async endSessionUrl(idToken) {
      const ready = await Promise.race([
        configured().catch(() => null),
        new Promise<null>((done) => setTimeout(done, signOutTimeoutMs, null).unref()),
      ]);
      if (ready?.metadata.end_session_endpoint === undefined) return null;
      return withParameters(ready.metadata.end_session_endpoint, {
        ...(connection.hintsAtSignOut && idToken.length <= longestHint ? { id_token_hint: idToken } : {}),
        client_id: clientId,
        post_logout_redirect_uri: publicUrl,
      });
    },
  };
}

/** A refusal of the client in words that an operator can act on. */
function explained(clientId: string, refusal: SignInRefusal): SignInRefusal {
  if (refusal.reason !== 'client-refused') return refusal;
  return new SignInRefusal(
    refusal.reason,
    `The provider does not accept the client "${clientId}": compare OIDC_CLIENT_ID and OIDC_CLIENT_SECRET with its settings; "portico oidc check" says more. ${refusal.message}`,
    refusal.cause,
  );
}

// openid-client's own builders refuse http, which PUBLIC_URL is on localhost.
function withParameters(endpoint: string | undefined, parameters: Record<string, string>): string {
  if (endpoint === undefined)
    throw new SignInRefusal('provider-answer', 'The provider names no authorization endpoint.');
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
