import type { ServerMetadata } from 'openid-client';
import type { ProviderConnection } from './provider-client.ts';
import type { Claims } from './provider-tokens.ts';
import { refusalOf, SignInRefusal } from './sign-in-refusal.ts';

/** A JWT that is signed, and one that is encrypted (RFC 7519, 3.1; RFC 7516, 3.1). */
const signed = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const encrypted = /^[\w-]+(?:\.[\w-]*){4}$/;

/**
 * The claims of the userinfo endpoint (OpenID Connect Core 5.3): JSON, or a signed JWT where the provider is set to
 * send one to this client. openid-client reads a JWT only where its algorithm is configured.
 *
 * @param verify the claims of a signed JWT
 * @throws SignInRefusal: `provider-unreachable`, or `userinfo` with what is wrong
 */
export async function readUserInfo(
  { fetch, timeoutMs }: Pick<ProviderConnection, 'fetch' | 'timeoutMs'>,
  { userinfo_endpoint: endpoint }: ServerMetadata,
  asked: {
    accessToken: string;
    subject: string;
    verify(token: string): Promise<Record<string, unknown>>;
    /** Decrypts a token that was encrypted to Portico's key; answers any other token as it is. */
    decrypt(token: string): Promise<string>;
  },
): Promise<Claims> {
  if (endpoint === undefined) throw unusable('is not named by the provider');
  const headers = {
    accept: 'application/json, application/jwt',
    authorization: `Bearer ${asked.accessToken}`,
  };
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { method: 'GET', headers, body: null, redirect: 'manual' as const, signal };
  const answer = await fetch(endpoint, options).catch((error: unknown) => {
    throw refusalOf(error);
  });
  const { status } = answer;
  if (status >= 500)
    throw new SignInRefusal(
      'provider-unreachable',
      `The userinfo endpoint answered with the status ${status}.`,
    );
  if (status !== 200) throw unusable(`answered with the status ${status}`);
  const text = (await answer.text()).trim();
  // A token that cannot be decrypted stays encrypted, and is refused for that.
  const claims = await claimsIn(await asked.decrypt(text).catch(() => text), asked.verify);
  // OpenID Connect Core 5.3.2: claims about another person must not be used.
  if (claims['sub'] !== asked.subject) throw unusable('answered about another person (sub)');
  return { ...claims, sub: asked.subject };
}

async function claimsIn(
  text: string,
  verify: (token: string) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  if (encrypted.test(text))
    throw unusable(
      'answered with a JWT that is not encrypted to OIDC_CLIENT_KEY: turn that off for this client, or set the key',
    );
  if (signed.test(text)) {
    return verify(text).catch((error: unknown) => {
      const { reason, message } = refusalOf(error);
      throw unusable(`answered with a JWT that is not accepted (${reason}): ${message}`, error);
    });
  }
  try {
    const claims: unknown = JSON.parse(text);
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims))
      return claims as Record<string, unknown>;
  } catch {
    // It is some other page.
  }
  throw unusable('answered neither JSON nor a JWT');
}

function unusable(what: string, cause?: unknown): SignInRefusal {
  return new SignInRefusal('userinfo', `The provider’s userinfo endpoint ${what}.`, cause);
}
