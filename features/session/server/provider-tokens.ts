import { errors, type JWTPayload } from 'jose';
import type { ServerMetadata } from 'openid-client';
import type { ProviderKeys } from './provider-keys.ts';
import { refusalOf, SignInRefusal } from './sign-in-refusal.ts';

export type Claims = { sub: string; [claim: string]: unknown };

/** Whose sessions a logout token ends: those with this `sid`, or all of the subject. */
export type LogoutRequest = { subject: string | null; sid: string | null; id: string; issuedAt: number };

/** When a person signed in at the provider, in milliseconds, or why its ID token proves nothing (SES-13). */
export type SignInProof = number | 'no-time' | 'old' | 'level';

/** Who has to have signed a token, with which keys, and for which client. */
type TokenIssuer = { keys: ProviderKeys; clientId: string; metadata: ServerMetadata };

/** Only signatures with a public key: never a secret that both sides hold, never `none`. */
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
export const clockTolerance = 10;
/** No real token is longer; a longer one was made to overload us. */
const longestToken = 100_000;
/** The greatest age of a logout token, which is used at once, seconds. */
const logoutTokenAge = 120;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** An ID token straight from the provider (OpenID Connect Core 3.1.3.7). Throws SignInRefusal. */
export async function verifyIdToken(
  idToken: string,
  issuer: TokenIssuer,
  expected: { nonce?: string; subject?: string },
): Promise<Claims> {
  const claims = await verify(idToken, issuer, { requiredClaims: ['sub', 'iat', 'exp'] });
  const { sub, azp, nonce } = claims;
  if (typeof sub !== 'string' || !isSubject(sub))
    throw new SignInRefusal('id-token-subject', 'The ID token names nobody.');
  if (expected.subject !== undefined && expected.subject !== sub)
    throw new SignInRefusal('id-token-subject', 'The ID token names somebody else.');
  if (expected.nonce !== undefined && nonce !== expected.nonce)
    throw new SignInRefusal('id-token-nonce', 'The ID token belongs to another sign-in.');
  if (azp !== undefined && azp !== issuer.clientId)
    throw new SignInRefusal('id-token-audience', 'The ID token was issued to another client.');
  return { ...claims, sub };
}

/**
 * What an ID token proves, by its `auth_time`: the provider's own session, from which it issued the token, may have
 * begun long ago (OpenID Connect Core 2).
 *
 * @param claims the claims of the ID token itself, which is signed
 * @param acrValues the accepted values of `acr`; empty: any value
 */
export function proofOf(claims: Claims, acrValues: readonly string[], now: number): SignInProof {
  const { auth_time: seconds, acr } = claims;
  if (typeof seconds !== 'number') return 'no-time';
  if (acrValues.length > 0 && !acrValues.some((value) => value === acr)) return 'level';
  // A time in the future proves nothing, and would count for longer than a proof.
  return seconds > now / 1000 + clockTolerance
    ? 'old'
    : Math.max(0, Math.min(Math.floor(seconds * 1000), now));
}

/**
 * What a logout token ends (OpenID Connect Back-Channel Logout 1.0, 2.6). The caller checks whether the token was
 * sent before. Throws SignInRefusal.
 */
export async function verifyLogoutToken(token: string, issuer: TokenIssuer): Promise<LogoutRequest> {
  const required = ['iat', 'jti', 'events'];
  const claims = await verify(token, issuer, { requiredClaims: required, maxTokenAge: logoutTokenAge });
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
}

/**
 * The claims of a signed userinfo answer, which should name its issuer and whom it is for, and need not expire (OpenID
 * Connect Core 5.3.2). Throws SignInRefusal.
 */
export async function verifyUserInfo(token: string, issuer: TokenIssuer): Promise<Record<string, unknown>> {
  const claims = await verify(token, issuer, { requiredClaims: ['sub'], isLenient: true });
  const { iss, aud } = claims;
  if (iss !== undefined && iss !== issuer.metadata.issuer)
    throw new SignInRefusal('id-token-issuer', 'The token’s iss is not the expected one.');
  if (aud !== undefined && ![aud].flat().includes(issuer.clientId))
    throw new SignInRefusal('id-token-audience', 'The token’s aud is not the expected one.');
  return claims;
}

/** Throws SignInRefusal. */
async function verify(
  token: string,
  { keys, clientId, metadata }: TokenIssuer,
  {
    isLenient = false,
    ...options
  }: {
    requiredClaims: string[];
    maxTokenAge?: number;
    /** The caller checks issuer and audience. */ isLenient?: boolean;
  },
): Promise<JWTPayload> {
  if (token.length > longestToken)
    throw new SignInRefusal('id-token-too-large', `The token has ${token.length} characters.`);
  if (metadata.jwks_uri === undefined)
    throw new SignInRefusal('provider-answer', 'The provider publishes no keys.');
  try {
    return await keys.verify(token, metadata.jwks_uri, {
      algorithms: acceptedAlgorithms,
      ...(isLenient ? {} : { issuer: metadata.issuer, audience: clientId }),
      // By the system's clock, as openid-client does.
      clockTolerance,
      ...options,
    });
  } catch (error) {
    throw tokenRefusalOf(error);
  }
}

/** Turns jose's errors into refusals; errors of reading the keys are refusals already. */
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

export function shortText(value: unknown): string | null {
  return typeof value === 'string' && isSubject(value) ? value : null;
}
