import { createHmac, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { getProfile } from '#features/profile/contract/profile.ts';
import type { EcKey } from '#server/platform/keys/signing-key.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { openFresh } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson } from '#server/testing/people.ts';
import { createAccessTokens } from './access-token.ts';

const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };

async function signedIn(app: TestApp): Promise<string> {
  await addPerson(app, mia);
  const browser = openBrowser(app.url);
  await browser.signIn(mia);
  return (await browser.renew()).body.accessToken;
}

async function codeFor(app: TestApp, accessToken: string): Promise<string> {
  const answer = await app.call(getProfile, { params: { userId: 'current' } }, { accessToken });
  if (answer.status === 200) return 'accepted';
  expect(answer.status).toBe(401);
  return answer.problem?.code ?? '';
}

async function storedKey(app: TestApp): Promise<EcKey & { kid: string }> {
  const row = await app.database.read
    .selectFrom('signing_key')
    .selectAll()
    .where('purpose', '=', 'access-token')
    .executeTakeFirstOrThrow();
  return { ...(JSON.parse(row.jwk) as EcKey), kid: row.kid };
}

describe('access tokens', () => {
  it('SES-2: are ES256 for five minutes, and our published keys verify them', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const token = await signedIn(app);
    const { payload, protectedHeader } = await jwtVerify(
      token,
      createRemoteJWKSet(new URL('/.well-known/jwks.json', app.url)),
      {
        issuer: app.url,
        audience: 'portico',
        algorithms: ['ES256'],
      },
    );
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    const published = await (await fetch(new URL('/.well-known/jwks.json', app.url))).text();
    expect(published).not.toContain('"d"');
  });

  it('SES-2: an altered, forged, foreign or unsigned token opens nothing', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const token = await signedIn(app);
    const claims = decodeJwt(token);
    const { kid } = decodeProtectedHeader(token);
    const { d: _private, ...publicHalf } = await storedKey(app);
    const ours = createPrivateKey({ key: await storedKey(app), format: 'jwk' });
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const header = { alg: 'ES256', typ: 'at+jwt', kid: kid ?? '' };
    const made = (changed: Record<string, unknown>, key = ours, changedHeader = {}) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ ...header, ...changedHeader }).sign(key);
    const [head = '', body = '', signature = ''] = token.split('.');
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hmac = `${part({ ...header, alg: 'HS256' })}.${body}`;

    expect(await codeFor(app, await made({}))).toBe('accepted');
    const bad: Record<string, string> = {
      'another body': `${head}.${part({ ...claims, sub: 'somebody-else' })}.${signature}`,
      'no signature': `${head}.${body}.`,
      'alg none': `${part({ alg: 'none', typ: 'at+jwt' })}.${body}.`,
      'the public key as an HMAC secret': `${hmac}.${createHmac('sha256', JSON.stringify(publicHalf)).update(hmac).digest('base64url')}`,
      'a foreign key': await made({}, foreign),
      'a foreign key of another name': await made({}, foreign, { kid: 'another' }),
      'no key name': await made({}, ours, { kid: undefined }),
      'another audience': await made({ aud: 'another' }),
      'another issuer': await made({ iss: 'https://evil.example' }),
      'another type': await made({}, ours, { typ: 'JWT' }),
      'no expiry': await made({ exp: undefined }),
      'no id': await made({ jti: undefined }),
      'no time of issue': await made({ iat: undefined }),
      'no session': await made({ sid: undefined }),
      'a session that is no text': await made({ sid: 7 }),
      'no subject': await made({ sub: undefined }),
      'no JWT': 'abc',
      'too many parts': `${token}.x`,
    };
    for (const [what, forged] of Object.entries(bad))
      expect([what, await codeFor(app, forged)]).toEqual([what, 'TOKEN_INVALID']);
    expect(await codeFor(app, await made({ sid: 'no-such-session' }))).toBe('SESSION_ENDED');
    expect(await codeFor(app, await made({ sub: 'somebody-else' }))).toBe('SESSION_ENDED');
  });

  it('SES-2: the newest key signs and every stored one verifies, also where another replica made it', async () => {
    const app = await startApp({ engine: 'postgres' });
    const replica = await startApp({ replicaOf: app });
    const token = await signedIn(app);
    expect(await codeFor(replica, token)).toBe('accepted');

    const { d, kty, crv, x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'jwk',
    });
    await app.database.change(async ({ tx, at, publish }) => {
      const jwk = JSON.stringify({ kty, crv, x, y, d });
      await tx
        .insertInto('signing_key')
        .values({ kid: 'newer', purpose: 'access-token', jwk, created_at: at })
        .execute();
      publish('signing-keys', 'access-token');
    });

    const browser = openBrowser(app.url);
    await browser.signIn(mia);
    const newer = (await browser.renew()).body.accessToken;
    expect(decodeProtectedHeader(newer).kid).toBe('newer');
    expect(await codeFor(app, newer)).toBe('accepted');
    expect(await codeFor(app, token)).toBe('accepted');
    await expect.poll(() => codeFor(replica, newer)).toBe('accepted');
    expect(await codeFor(replica, token)).toBe('accepted');
  });

  it('SES-2: a key of another replica is found although its change was missed, looked for every ten seconds at most', async () => {
    const clock = movableClock();
    const database = await openFresh('sqlite', clock);
    const tokens = () =>
      createAccessTokens({
        database,
        feed: { on: () => undefined, publishedAt: () => 0, close: () => Promise.resolve() },
        clock,
        publicUrl: 'https://here.example',
      });
    const deaf = tokens();
    const subject = { personId: 'ada', sessionId: 'one' };
    const { accessToken: first } = await deaf.issue(subject.personId, subject.sessionId);
    const { d, kty, crv, x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'jwk',
    });
    await database.transaction((tx) =>
      tx
        .insertInto('signing_key')
        .values({
          kid: 'newer',
          purpose: 'access-token',
          jwk: JSON.stringify({ kty, crv, x, y, d }),
          created_at: clock.now() + 1_000,
        })
        .execute(),
    );
    clock.move(5_000);
    const other = tokens();
    const { accessToken } = await other.issue(subject.personId, subject.sessionId);
    expect(decodeProtectedHeader(accessToken).kid).toBe('newer');
    await expect(deaf.verify(accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    clock.move(10_000);
    await expect(deaf.verify(accessToken)).resolves.toMatchObject(subject);
    await expect(deaf.verify(first)).resolves.toMatchObject(subject);
  });
});
