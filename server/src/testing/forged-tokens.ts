import {
  generateKeyPairSync,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import { SignJWT, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { signingKeys } from '../platform/keys/signing-key.ts';
import { systemClock } from '../platform/time/clock.ts';
import type { TestApp } from './app.ts';

/**
 * Access tokens that must be refused everywhere: each differs from a good one in one thing.
 *
 * @param good a token that the app has issued
 */
export async function forgedTokens(app: TestApp, good: string): Promise<Record<string, string>> {
  const [ours] = await signingKeys(app.database, 'access-token');
  if (ours === undefined) throw new Error('The app has no key yet.');
  const signing = createPrivateKey({ key: ours.jwk, format: 'jwk' });
  const { d: _private, ...publicHalf } = ours.jwk;
  const published = createPublicKey({ key: publicHalf, format: 'jwk' });
  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const claims = decodeJwt(good);
  const header = decodeProtectedHeader(good);
  const now = Math.floor(systemClock.now() / 1000);

  const sign = (changes: JWTPayload, headers: object = {}, key: KeyObject = signing): Promise<string> =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: 'ES256', ...header, ...headers })
      .sign(key);
  const signWithout = (left: string): Promise<string> =>
    new SignJWT(Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== left)))
      .setProtectedHeader({ alg: 'ES256', ...header })
      .sign(signing);
  const [head = '', body = '', signature = ''] = good.split('.');
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    'another key under our key id': await sign({}, {}, another),
    'another key under its own id': await sign({}, { kid: 'another' }, another),
    'a key that it brings along': await sign({}, { jwk: another.export({ format: 'jwk' }) }, another),
    'no algorithm': `${part({ ...header, alg: 'none' })}.${body}.`,
    'no algorithm, in capitals': `${part({ ...header, alg: 'NONE' })}.${body}.${signature}`,
    'our public key as a shared secret': await sign(
      {},
      { alg: 'HS256' },
      createSecretKey(published.export({ format: 'pem', type: 'spki' }) as string, 'utf8'),
    ),
    'no signature': `${head}.${body}.`,
    'the signature of another': `${head}.${part({ ...claims, sub: 'somebody-else' })}.${signature}`,
    'another issuer': await sign({ iss: 'https://evil.example' }),
    'another audience': await sign({ aud: 'another' }),
    'another kind of token': await sign({}, { typ: 'JWT' }),
    'no end': await signWithout('exp'),
    'a beginning in the future': await sign({ nbf: now + 3_600 }),
    'no session': await signWithout('sid'),
    'an API token that was never made': 'portico_pat_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'no token at all': 'nonsense',
    'three parts of nothing': '..',
    'a very long text': 'x'.repeat(8_000),
  };
}

/** A token of ours whose time is over. */
export function expiredToken(app: TestApp, good: string): Promise<string> {
  const past = Math.floor(systemClock.now() / 1000) - 600;
  return withClaims(app, good, { iat: past, exp: past + 300 });
}

/** The token that the pages of an application at this host would have. */
export function tokenAtHost(app: TestApp, good: string, host: string): Promise<string> {
  return withClaims(app, good, { host });
}

async function withClaims(app: TestApp, good: string, claims: JWTPayload): Promise<string> {
  const [ours] = await signingKeys(app.database, 'access-token');
  if (ours === undefined) throw new Error('The app has no key yet.');
  return new SignJWT({ ...decodeJwt(good), ...claims })
    .setProtectedHeader({ alg: 'ES256', ...decodeProtectedHeader(good) })
    .sign(createPrivateKey({ key: ours.jwk, format: 'jwk' }));
}
