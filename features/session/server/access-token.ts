import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import type { Core } from '#server/core.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { signerAt, signingKeys, type KeyRotation } from '#server/platform/keys/signing-key.ts';

/** How long an access token is valid, milliseconds. */
export const accessTokenLifetimeMs = 5 * 60_000;

/** The keys' rotation: a verifier caches the list for five minutes, a token lives for five more. */
export const accessTokenKeys: KeyRotation = {
  purpose: 'access-token',
  leadMs: 10 * 60_000,
  keepMs: accessTokenLifetimeMs + 10 * 60_000,
};

export const accessTokenAudience = 'portico';
const algorithm = 'ES256';
/** The JWT type of access tokens, so that no other JWT of this issuer is accepted as one (RFC 9068 2.1). */
const type = 'at+jwt';
const keyReloadEveryMs = 10_000;

/**
 * Whom a token speaks for: a person, through a session. `expiresAt` in milliseconds; `host` is that of the
 * application in whose pages it was issued, null for Portico's own.
 */
export type TokenSubject = { personId: string; sessionId: string; expiresAt: number; host: string | null };

export type PublicKey = {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
};

export type AccessTokens = {
  issue(
    personId: string,
    sessionId: string,
    host?: string,
  ): Promise<{ accessToken: string; expiresAt: number }>;
  /** Throws TOKEN_EXPIRED or TOKEN_INVALID. */
  verify(token: string): Promise<TokenSubject>;
  /** Whom a token of ours, expired or not, speaks for; null for anything else. */
  subjectOf(token: string): Promise<TokenSubject | null>;
  /**
   * Signs another token of this installation, with the same keys. Its type is not that of an access token, so no
   * route of Portico accepts it as one. `lifetime` in seconds.
   */
  sign(claims: JWTPayload & { aud: string }, lifetime: number): Promise<string>;
  /** The keys with which others verify tokens (RFC 7517). */
  publicKeys(): Promise<{ keys: PublicKey[] }>;
};

type Keys = {
  /** The newest first. */
  signing: { kid: string; signsFrom: number; key: KeyObject }[];
  verifying: Map<string, KeyObject>;
  public: PublicKey[];
};

/** Portico's own access tokens: JWT, ES256, five minutes; one key signs, every stored one verifies. */
export function createAccessTokens(
  options: Pick<Core, 'database' | 'feed' | 'clock'> & {
    publicUrl: string;
  },
): AccessTokens {
  const { database, clock, publicUrl } = options;
  let keys: Promise<Keys> | null = null;
  let loadedAt = 0;
  options.feed.on('signing-keys', () => (keys = null));

  function currentKeys(): Promise<Keys> {
    if (keys === null) {
      loadedAt = clock.now();
      const loading = load();
      keys = loading;
      loading.catch(() => {
        if (keys === loading) keys = null;
      });
    }
    return keys;
  }

  async function load(): Promise<Keys> {
    const stored = await signingKeys(database, accessTokenKeys.purpose);
    return {
      signing: stored.map(({ kid, signsFrom, jwk }) => ({
        kid,
        signsFrom,
        key: createPrivateKey({ key: jwk, format: 'jwk' }),
      })),
      verifying: new Map(
        stored.map(({ kid, jwk: { d: _private, ...half } }) => [
          kid,
          createPublicKey({ key: half, format: 'jwk' }),
        ]),
      ),
      public: stored.map(({ kid, jwk: { d: _private, ...half } }) => ({
        ...half,
        kid,
        alg: algorithm,
        use: 'sig',
      })),
    };
  }

  async function verifyingKey({ kid }: JWTHeaderParameters): Promise<KeyObject> {
    const known = (await currentKeys()).verifying.get(kid ?? '');
    if (known !== undefined) return known;
    // Another replica may have made a key that the feed has not brought here yet.
    if (clock.now() - loadedAt > keyReloadEveryMs) keys = null;
    const key = (await currentKeys()).verifying.get(kid ?? '');
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }

  async function verified(token: string): Promise<TokenSubject> {
    const { payload } = await jwtVerify(token, verifyingKey, {
      algorithms: [algorithm],
      typ: type,
      issuer: publicUrl,
      audience: accessTokenAudience,
      // Without this a token that lacks `exp` would hold for ever.
      requiredClaims: ['sub', 'sid', 'iat', 'exp', 'jti'],
      currentDate: new Date(clock.now()),
    });
    return subjectOf(payload);
  }

  return {
    async issue(personId, sessionId, host) {
      const { kid, key } = signerAt((await currentKeys()).signing, clock.now());
      const issuedAt = Math.floor(clock.now() / 1000);
      const expiresAt = issuedAt + accessTokenLifetimeMs / 1000;
      const accessToken = await new SignJWT({ sid: sessionId, ...(host === undefined ? {} : { host }) })
        .setProtectedHeader({ alg: algorithm, typ: type, kid })
        .setIssuer(publicUrl)
        .setAudience(accessTokenAudience)
        .setSubject(personId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .setJti(newId())
        .sign(key);
      return { accessToken, expiresAt: expiresAt * 1000 };
    },
    async sign(claims, lifetime) {
      const { kid, key } = signerAt((await currentKeys()).signing, clock.now());
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid })
        .setIssuer(publicUrl)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetime)
        .sign(key);
    },
    async verify(token) {
      try {
        return await verified(token);
      } catch (error) {
        if (error instanceof errors.JWTExpired)
          throw new HttpProblem('TOKEN_EXPIRED', { headers: challenge });
        if (error instanceof errors.JOSEError) throw new HttpProblem('TOKEN_INVALID', { headers: challenge });
        throw error;
      }
    },
    async subjectOf(token) {
      try {
        return await verified(token);
      } catch (error) {
        // The expiry is checked last, so everything else about the token is right.
        if (error instanceof errors.JWTExpired) return subjectOf(error.payload);
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
    publicKeys: async () => ({ keys: (await currentKeys()).public }),
  };
}

/** RFC 6750 3.1. */
const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };

function subjectOf({ sub, sid, exp, host = null }: JWTPayload): TokenSubject {
  if (
    typeof sub !== 'string' ||
    typeof sid !== 'string' ||
    typeof exp !== 'number' ||
    (host !== null && typeof host !== 'string')
  ) {
    throw new errors.JWTClaimValidationFailed('a claim has the wrong type', {});
  }
  return { personId: sub, sessionId: sid, expiresAt: exp * 1000, host };
}
