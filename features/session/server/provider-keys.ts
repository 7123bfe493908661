import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';
import type { CustomFetch } from 'openid-client';
import type { Clock } from '#server/platform/time/clock.ts';
import { refusalOf, SignInRefusal } from './sign-in-refusal.ts';

/** Verifies what a provider has signed, with the keys that it publishes. */
export type ProviderKeys = {
  /**
   * Verifies a token and answers its claims. Where a key is unknown, or does not fit any more, the keys are read
   * again, at most once in ten seconds: so a key rotation breaks nothing, and invented key ids cost nothing.
   *
   * @param uri where the keys are (`jwks_uri`)
   * @throws jose's errors, and those of reading the keys
   */
  verify(token: string, uri: string, options: JWTVerifyOptions): Promise<JWTPayload>;
};

const freshMs = 10 * 60_000;
const pauseMs = 10_000;

type Known = { uri: string; keys: JSONWebKeySet; readAt: number };

/** @param read gets the key set (RFC 7517) */
export function createProviderKeys(
  read: (uri: string) => Promise<JSONWebKeySet>,
  clock: Clock,
): ProviderKeys {
  let known: Known | null = null;
  let reading: Promise<Known> | null = null;
  let doubtedAt: number | null = null;

  function readAgain(uri: string): Promise<Known> {
    reading ??= read(uri)
      .then((keys) => (known = { uri, keys, readAt: clock.now() }))
      .finally(() => (reading = null));
    return reading;
  }

  async function current(uri: string): Promise<Known> {
    const cached = known?.uri === uri ? known : null;
    if (cached !== null && clock.now() < cached.readAt + freshMs) return cached;
    // The provider may be down while its earlier signatures are still valid.
    return readAgain(uri).catch((error: unknown) => {
      if (cached === null) throw error;
      return cached;
    });
  }

  return {
    async verify(token, uri, options) {
      const { keys } = await current(uri);
      try {
        return await verifyWith(keys, token, options);
      } catch (error) {
        const asked = doubtedAt !== null && clock.now() < doubtedAt + pauseMs;
        if (!mayBeRotated(error) || (asked && reading === null)) throw error;
        if (!asked) doubtedAt = clock.now();
        return verifyWith((await readAgain(uri)).keys, token, options);
      }
    },
  };
}

/** Gets the key set that a provider publishes. Throws SignInRefusal. */
export async function readKeySet(
  { fetch, timeoutMs }: { fetch: CustomFetch; timeoutMs: number },
  uri: string,
): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { accept: 'application/json' };
  const options = { method: 'GET', headers, body: null, redirect: 'manual' as const, signal };
  const answer = await fetch(uri, options).catch((error: unknown) => {
    throw refusalOf(error);
  });
  const body: unknown = answer.status === 200 ? await answer.json().catch(() => null) : null;
  if (typeof body !== 'object' || body === null || !Array.isArray((body as { keys?: unknown }).keys)) {
    const reason = answer.status >= 500 ? 'provider-unreachable' : 'id-token-key';
    throw new SignInRefusal(reason, `The provider’s keys cannot be read (status ${answer.status}).`);
  }
  return body as JSONWebKeySet;
}

function mayBeRotated(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
}

async function verifyWith(
  keys: JSONWebKeySet,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, createLocalJWKSet(keys), options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // The token names no key, and several could be meant.
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (next) {
        if (!(next instanceof errors.JWSSignatureVerificationFailed)) throw next;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
