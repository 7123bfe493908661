import { describe, expect, it, vi } from 'vitest';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { StorageFailure } from '#server/platform/database/storage-failure.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { cookieNames } from './cookies.ts';
import { identityOf } from './identity.ts';
import { createSignIn, type SignInOptions } from './sign-in.ts';
import { SignInRefusal, type RefusalReason } from './sign-in-refusal.ts';
import type { Sessions } from './sessions.ts';

/** A sign-in at a provider that accepts every person, up to what the test puts in place of it. */
function signInWith(changed: Partial<SignInOptions>) {
  const open = vi.fn<Sessions['open']>(() => Promise.resolve({ secret: 'a-new-secret' }));
  const log: { level: number; msg: string; reason?: string; personId?: string }[] = [];
  const { begin, finish } = createSignIn({
    basePath: '',
    outside: true,
    relyingParty: {
      authorizationUrl: ({ state }) =>
        Promise.resolve({ url: `https://idp.example/?state=${state}`, codeVerifier: 'verifier' }),
      finish: () =>
        Promise.resolve({
          idToken: 'an ID token',
          claims: { sub: '7' },
          complete: true,
          proof: 0,
          sid: null,
          refreshToken: null,
        }),
    },
    sessions: { open, identifySession: () => Promise.reject(new HttpProblem('SESSION_ENDED')) },
    cookies: cookieNames('test', false),
    secure: false,
    clock: movableClock(),
    logger: createLogger('debug', {
      write: (line) => log.push(JSON.parse(line) as { level: number; msg: string }),
    }),
    secret: 'a secret of the installation',
    personOf: () => Promise.resolve('mia'),
    readIdentity: (claims, complete) => identityOf('https://idp.example', claims, undefined, complete),
    prove: () => Promise.resolve('proved'),
    sessionBegins: () => Promise.resolve(),
    accountState: () => ({ state: 'active', email: 'mia@example.org' }),
    missesOperator: () => Promise.resolve(false),
    landsInConsole: () => Promise.resolve(false),
    count: () => undefined,
    maxMs: 3_600_999,
    ...changed,
  });

  /**
   * Goes to the provider and back with the cookie that the browser was given; answers where it ends and what it
   * stores.
   */
  async function roundTrip({ again = false, returnTo = '/flags' } = {}) {
    const begun = await begin({ returnTo, again, cookieHeader: undefined });
    const cookieHeader = begun.cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
    const state = new URL(begun.to).searchParams.get('state') ?? '';
    const { to, cookies } = await finish(
      new URL(`https://portico.example/auth/callback?code=x&state=${state}`),
      cookieHeader,
      'a browser',
    );
    return { to, cookies, signInCookie: `portico_sign_in_test_${state}` };
  }
  return { roundTrip, begin, finish, open, log };
}

describe('SES-1: what a sign-in comes to', () => {
  it('SES-1: a person is led to where they wanted to go, with a session as long as sessions last', async () => {
    const sessionBegins = vi.fn<SignInOptions['sessionBegins']>(() => Promise.resolve());
    const { roundTrip, open, log } = signInWith({ sessionBegins });
    const { to, cookies, signInCookie } = await roundTrip();
    expect(to).toBe('/flags');
    expect(cookies).toEqual([
      `${signInCookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
      'portico_session_test=a-new-secret; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax',
    ]);
    expect(open).toHaveBeenCalledExactlyOnceWith(
      { personId: 'mia', idToken: 'an ID token', provedAt: 0, begins: expect.any(Function) },
      expect.stringContaining(signInCookie),
      'a browser',
    );
    const change = {} as Change;
    await open.mock.calls[0]?.[0].begins?.(change, 'the session');
    expect(sessionBegins.mock.calls).toEqual([
      [change, 'the session', expect.objectContaining({ idToken: 'an ID token' })],
    ]);
    expect(log.map(({ level, msg }) => [level, msg])).toEqual([[30, 'signed in']]);
  });

  it('BUG-10 SES-1: whose account is erased between the provider’s answer and the look-up is back at the sign-in, without a session', async () => {
    const { roundTrip, open, log } = signInWith({
      personOf: () => Promise.reject(new HttpProblem('SESSION_ENDED')),
    });
    const gone = signInWith({ accountState: () => null });
    for (const [again, end] of [
      [false, '/auth/login?again=1&returnTo=%2Fflags'],
      [true, '/auth/failed?reason=failed'],
    ] as const) {
      expect((await gone.roundTrip({ again })).to).toBe(end);
      const { to, cookies, signInCookie } = await roundTrip({ again });
      expect(to).toBe(end);
      expect(cookies).toEqual([`${signInCookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`]);
    }
    expect(open).not.toHaveBeenCalled();
    expect(gone.open).not.toHaveBeenCalled();
    expect(log).toEqual([]);
  });

  it('BUG-10: what else goes wrong at the look-up is no end of a session, and is thrown on', async () => {
    for (const error of [new Error('no such table'), new HttpProblem('UNAVAILABLE')]) {
      const { roundTrip } = signInWith({ personOf: () => Promise.reject(error) });
      await expect(roundTrip()).rejects.toBe(error);
    }
  });

  it('SES-8: a blocked person gets no session, and learns why', async () => {
    const { roundTrip, open, log } = signInWith({
      accountState: () => Promise.resolve({ state: 'blocked', email: 'mia@example.org' }),
    });
    const { to, cookies } = await roundTrip();
    expect([to, cookies.length]).toEqual(['/auth/failed?reason=blocked', 1]);
    expect(open).not.toHaveBeenCalled();
    expect(log).toEqual([
      expect.objectContaining({ personId: 'mia', msg: expect.stringContaining('blocked') }),
    ]);
  });

  it('START-6: who would have become the operator is signed in, and learns why they are none', async () => {
    const { roundTrip, log } = signInWith({ missesOperator: () => Promise.resolve(true) });
    const { to, cookies } = await roundTrip();
    expect([to, cookies.length]).toEqual(['/auth/failed?reason=not-operator', 2]);
    expect(log.at(-1)).toMatchObject({ level: 40, reason: 'operator-unverified' });
  });

  it.each<[RefusalReason, string]>([
    ['code-refused', '/auth/login?again=1&returnTo=%2Fflags'],
    ['provider-unreachable', '/auth/failed?reason=unreachable&returnTo=%2Fflags'],
    ['client-refused', '/auth/failed?reason=misconfigured&returnTo=%2Fflags'],
    ['id-token-nonce', '/auth/failed?reason=refused&returnTo=%2Fflags'],
  ])('SES-4: a refusal for %s leads to %s, and the log has its reason', async (reason, end) => {
    const refusal = new SignInRefusal(reason, 'as it is');
    const { roundTrip, open, log } = signInWith({
      relyingParty: {
        authorizationUrl: ({ state }) =>
          Promise.resolve({ url: `https://idp.example/?state=${state}`, codeVerifier: 'verifier' }),
        finish: () => Promise.reject(refusal),
      },
    });
    const { to, cookies, signInCookie } = await roundTrip();
    expect(to).toBe(end);
    expect(cookies).toEqual([`${signInCookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`]);
    expect(open).not.toHaveBeenCalled();
    expect(log).toEqual([expect.objectContaining({ level: 40, reason })]);
  });

  it('SES-4: a sign-in that cannot begin shows why, and remembers where the person wanted to go', async () => {
    const { begin, log } = signInWith({
      relyingParty: {
        authorizationUrl: () => Promise.reject(new SignInRefusal('provider-unreachable', 'down')),
        finish: () => Promise.reject(new Error('not reached')),
      },
    });
    const request = { again: false, cookieHeader: undefined };
    const page = '/auth/failed?reason=unreachable';
    expect(await begin({ ...request, returnTo: '/' })).toEqual({ to: page, cookies: [] });
    expect(await begin({ ...request, returnTo: '/flags' })).toEqual({
      to: `${page}&returnTo=%2Fflags`,
      cookies: [],
    });
    expect(log.map(({ reason }) => reason)).toEqual(['provider-unreachable', 'provider-unreachable']);
  });

  it('SES-4: a storage that does not work is no refusal of the provider, and is thrown on', async () => {
    const full = new StorageFailure('full');
    const relyingParty = {
      authorizationUrl: () => Promise.reject(full),
      finish: () => Promise.reject(full),
    };
    const { begin, log } = signInWith({ relyingParty });
    await expect(begin({ returnTo: '/', again: false, cookieHeader: undefined })).rejects.toBe(full);
    expect(log).toEqual([]);
    const { finish } = signInWith({
      sessions: { open: () => Promise.reject(full), identifySession: () => Promise.reject(full) },
    });
    await expect(finish(new URL('https://portico.example/auth/callback'), undefined)).rejects.toBe(full);
  });

  it('SES-1: back in the history a signed-in person is led home; without a session, or in another browser, the sign-in starts over', async () => {
    const identifySession = vi.fn<Sessions['identifySession']>(() =>
      Promise.resolve({ kind: 'person', id: 'mia', name: 'mia', sessionId: 'one' }),
    );
    const callback = new URL(`https://portico.example/auth/callback?state=${'a'.repeat(22)}`);
    const signedIn = signInWith({
      sessions: { open: () => Promise.reject(new Error('none')), identifySession },
    });
    expect(await signedIn.finish(callback, 'a=1')).toEqual({ to: '/', cookies: [] });
    expect(identifySession.mock.calls).toEqual([['a=1']]);
    const { begin, finish } = signInWith({});
    const over = { to: '/auth/login?again=1&returnTo=%2F', cookies: [] };
    for (const path of [callback.href, 'https://portico.example/auth/callback?state=another'])
      expect(await finish(new URL(path), 'a=1')).toEqual(over);
    expect(await finish(new URL('https://portico.example/auth/callback'), undefined)).toEqual(over);
    // A cookie of another state, or one that is not ours, opens nothing.
    const { cookies } = await begin({ returnTo: '/flags', again: false, cookieHeader: undefined });
    const sealed = /=([^;]+)/.exec(cookies[0] ?? '')?.[1];
    const planted = `portico_sign_in_test_${'a'.repeat(22)}`;
    for (const value of [sealed, 'x']) expect(await finish(callback, `${planted}=${value}`)).toEqual(over);
  });

  // With a name that a subdomain may set, an application next to Portico could plant the cookie of its own
  // sign-in and sign the visitor in as somebody else.
  it('SES-1: the cookie of a sign-in has a name that no other host of the domain may set', async () => {
    const { begin } = signInWith({ secure: true, cookies: cookieNames('test', true), basePath: '/portico' });
    const { cookies } = await begin({ returnTo: '/portico/', again: false, cookieHeader: undefined });
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-portico_sign_in_test_[^;]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  it('SES-1: of the sign-ins that a browser has under way the five newest stay', async () => {
    const { begin } = signInWith({ secure: true, cookies: cookieNames('test', true) });
    const name = (n: number) => `__Host-portico_sign_in_test_${n}`;
    const forgotten = async (count: number) => {
      const held = Array.from({ length: count }, (_, n) => `${name(n)}=x`);
      const { cookies } = await begin({
        returnTo: '/',
        again: false,
        cookieHeader: ['portico_session_test=x', ...held, 'a=1'].join('; '),
      });
      expect(cookies.at(-1)).toMatch(/; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/);
      return cookies.slice(0, -1);
    };
    expect(await forgotten(0)).toEqual([]);
    expect(await forgotten(4)).toEqual([]);
    expect(await forgotten(6)).toEqual(
      [0, 1].map((n) => `${name(n)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure`),
    );
  });
});
