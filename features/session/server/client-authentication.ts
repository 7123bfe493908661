import { randomUUID, type KeyObject } from 'node:crypto';
import { compactDecrypt, SignJWT } from 'jose';
import type { CustomFetch, ServerMetadata } from 'openid-client';

/** How the client authenticates, as a value of `OIDC_CLIENT_AUTH`. */
export type ClientAuthSetting = 'auto' | 'basic' | 'post' | 'private_key_jwt';

/** One way to authenticate; `basic-verbatim` is the `basic` header without any encoding. */
export type ClientAuthWay = 'basic' | 'basic-verbatim' | 'post' | 'private_key_jwt';

/** Without a key, the provider has the secret alone. */
export type ClientCredentials = { clientId: string; clientSecret: string; clientKey: KeyObject | null };

/**
 * The ways to authenticate, in the order of trying; each only where the one before was refused. A provider
 * prefers what it lists first; the default is `basic` (OpenID Connect Discovery 1.0, 3).
 */
export function clientAuthWays(
  wanted: ClientAuthSetting,
  { token_endpoint_auth_methods_supported: listed = ['client_secret_basic'] }: Partial<ServerMetadata>,
  { clientId, clientSecret }: Pick<ClientCredentials, 'clientId' | 'clientSecret'>,
): ClientAuthWay[] {
  if (wanted === 'private_key_jwt') return ['private_key_jwt'];
  const differ = encodeId(clientId) !== clientId || encode(clientSecret) !== clientSecret;
  const verbatim: ClientAuthWay[] = differ ? ['basic-verbatim'] : [];
  if (wanted !== 'auto') return wanted === 'post' ? ['post'] : ['basic', ...verbatim];
  const place = (method: string): number =>
    listed.includes(method) ? listed.indexOf(method) : listed.length;
  const preferred = place('client_secret_post') < place('client_secret_basic');
  return [...(preferred ? (['post', 'basic'] as const) : (['basic', 'post'] as const)), ...verbatim];
}

/**
 * Puts the credentials into a request to the token or revocation endpoint (RFC 6749 2.3.1), or in their place a
 * signed assertion (OpenID Connect Core 9, RFC 7523 2.2).
 */
export async function showCredentials(
  way: ClientAuthWay,
  { clientId, clientSecret, clientKey }: ClientCredentials,
  server: Pick<ServerMetadata, 'issuer' | 'token_endpoint_auth_signing_alg_values_supported'>,
  body: URLSearchParams,
  headers: Headers,
): Promise<void> {
  if (way === 'private_key_jwt') {
    if (clientKey === null) throw new Error('There is no key of the client.');
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: algorithmOf(clientKey, server) })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(server.issuer)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(clientKey);
    body.set('client_id', clientId);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', assertion);
    return;
  }
  if (way === 'post') {
    body.set('client_id', clientId);
    body.set('client_secret', clientSecret);
    return;
  }
  const pair =
    way === 'basic' ? `${encodeId(clientId)}:${encode(clientSecret)}` : `${clientId}:${clientSecret}`;
  headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
}

const curves: Record<string, string> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

/** The algorithm with which a key signs; for an RSA key, the one that the provider prefers. */
function algorithmOf(
  key: KeyObject,
  {
    token_endpoint_auth_signing_alg_values_supported: listed = [],
  }: Pick<ServerMetadata, 'token_endpoint_auth_signing_alg_values_supported'>,
): string {
  if (key.asymmetricKeyType === 'rsa') return listed.find((name) => /^[RP]S256$/.test(name)) ?? 'RS256';
  return curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'EdDSA';
}

/** A longer token was made to overload us. */
const longestToken = 200_000;

/**
 * Decrypts a token that is encrypted to the client's key (RFC 7516); returns others unchanged. Throws jose's errors.
 */
export async function decryptedToken(token: string, clientKey: KeyObject | null): Promise<string> {
  if (clientKey === null || token.length > longestToken || token.split('.').length !== 5) return token;
  const { plaintext } = await compactDecrypt(token, clientKey);
  return Buffer.from(plaintext).toString();
}

/*
 * RFC 6749 2.3.1 requires id and secret to be form-encoded, but many providers do not decode them. So only
 * characters that a decoder would change are encoded; all others read the same with and without decoding.
 */
function encode(text: string): string {
  return text.replaceAll(/[%+]|[^ -~]+/g, encodeURIComponent);
}

function encodeId(clientId: string): string {
  return encode(clientId).replaceAll(':', '%3A');
}

/** Errors that refuse the client itself, not its request (RFC 6749 5.2). */
const refusals = new Set(['invalid_client', 'unauthorized_client']);

/** Whether an answer refuses the client itself; a provider that decodes may find an unencoded secret invalid. */
export function refusesClient(
  { status, error }: { status?: number | undefined; error?: string | undefined },
  way: ClientAuthWay,
): boolean {
  if (error === undefined) return status === 401;
  return refusals.has(error) || (way === 'basic-verbatim' && error === 'invalid_request');
}

/** Finds the way that a provider accepts, and remembers it while the process runs. */
export type ClientAuthentication = {
  /**
   * Asks once for each way until one is not refused. A refused client leaves codes and tokens unused (RFC
   * 6749 5.2); where a provider has used a code up all the same, the next sign-in begins with the way that
   * was accepted.
   *
   * @throws what `ask` throws; the refusal of the first way where all were refused
   */
  run<T>(ways: readonly ClientAuthWay[], ask: (way: ClientAuthWay) => Promise<T>): Promise<T>;
};

/** @param judge whether an error refuses or accepts the client */
export function createClientAuthentication(
  judge: (error: unknown, way: ClientAuthWay) => 'refused' | 'accepted' | 'unknown',
  onFound: (way: ClientAuthWay) => void,
): ClientAuthentication {
  let accepted: ClientAuthWay | null = null;

  function accept(way: ClientAuthWay, isFirst: boolean): void {
    if (accepted !== way && !isFirst) onFound(way);
    accepted = way;
  }

  return {
    async run(ways, ask) {
      const ordered = ways.toSorted((one, other) => Number(other === accepted) - Number(one === accepted));
      const refused: unknown[] = [];
      for (const way of ordered) {
        try {
          const answer = await ask(way);
          accept(way, way === ways[0]);
          return answer;
        } catch (error) {
          const standing = judge(error, way);
          if (standing === 'accepted') accept(way, way === ways[0]);
          if (standing !== 'refused') throw error;
          refused.push(error);
        }
      }
      throw refused[0];
    },
  };
}

/** `fetch` for openid-client that reads ID tokens that are encrypted to the client's key. */
export function withDecryptedTokens(fetch: CustomFetch, clientKey: KeyObject | null): CustomFetch {
  if (clientKey === null) return fetch;
  return async (address, options) => {
    const answer = await fetch(address, options);
    const body = (await answer
      .clone()
      .json()
      .catch(() => null)) as { id_token?: unknown } | null;
    if (typeof body?.id_token !== 'string') return answer;
    // What cannot be read stays as it is, and is refused as a token.
    const token = await decryptedToken(body.id_token, clientKey).catch(() => body.id_token);
    const { status, headers } = answer;
    return Response.json({ ...body, id_token: token }, { status, headers });
  };
}

/**
 * `fetch` for openid-client, which ignores the body where the header holds a challenge. The body holds more, and a
 * provider that refuses a client has to send both (RFC 6749 5.2).
 */
export function errorsFromBodies(fetch: CustomFetch): CustomFetch {
  return async (address, options) => {
    const answer = await fetch(address, options);
    if (!answer.headers.has('www-authenticate')) return answer;
    const body = (await answer
      .clone()
      .json()
      .catch(() => null)) as { error?: unknown } | null;
    if (typeof body?.error === 'string') answer.headers.delete('www-authenticate');
    return answer;
  };
}
