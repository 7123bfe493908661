import { describe, expect, it } from 'vitest';
import { setRoles } from '#features/people/contract/people.ts';
import { beginProof } from '#features/session/contract/session.ts';
import type { OutsideProviderSettings } from '#server/config.ts';
import { startApp, type StartOptions, type TestApp } from '#server/testing/app.ts';
import { createCookieJar, fetchWith } from '#server/testing/client.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import {
  openOutsideBrowser,
  registerAt,
  startOutsideProvider,
  type OutsideBrowser,
  type OutsideProvider,
} from '#server/testing/outside-provider.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';

const account = (name: string) => ({
  claims: { email: `${name}@example.org`, email_verified: true, given_name: name },
});
const minutes = (count: number): number => count * 60_000;

/** The time of a sign-in as a provider writes it. */
const secondsAgo = (seconds: number, now = Date.now()): number => Math.floor(now / 1000) - seconds;

/** An installation in which mia is the operator, with the session of a sign-in two hours ago. */
async function installation(
  options: StartOptions,
  settings: Partial<OutsideProviderSettings> = {},
): Promise<{ app: TestApp; provider: OutsideProvider; mia: OutsideBrowser }> {
  const provider = await startOutsideProvider({ mia: account('mia'), kim: account('kim') });
  const oidc = { ...provider.settings, operatorEmail: 'mia@example.org', ...settings };
  const app = await startApp({ ...options, config: { oidc } });
  await registerAt(provider, app);
  await provider.set({ forge: { claims: { auth_time: secondsAgo(7_200) } } });
  const mia = openOutsideBrowser(app, provider);
  await mia.signInAs('mia');
  await provider.set({ forge: null });
  return { app, provider, mia };
}

/** Whether this browser's person may give roles now. */
async function isProved(app: TestApp, browser: OutsideBrowser): Promise<boolean> {
  const { accessToken } = (await browser.renew()).body;
  const body = { roles: [], version: 99 };
  const { problem } = await app.call(setRoles, { params: { personId: 'nobody' }, body }, { accessToken });
  expect(['PROOF_NEEDED', 'NOT_FOUND']).toContain(problem?.code);
  return problem?.code !== 'PROOF_NEEDED';
}

/** Asks for a proof, in a window that `headers` come from; answers where it leads to. */
async function begin(app: TestApp, browser: OutsideBrowser, headers: Record<string, string> = {}) {
  const answer = await fetchWith(browser.cookies, new URL(beginProof.path, app.url), { headers });
  return new URL(answer.headers.get('location') ?? '', app.config.publicUrl);
}

/** Signs in at the provider, up to the address that leads back. */
async function toCallback(app: TestApp, browser: OutsideBrowser, subject: string): Promise<URL> {
  let here = await begin(app, browser);
  while (here.origin !== new URL(app.config.publicUrl).origin) {
    const form = here.pathname.startsWith('/login/');
    const body = new URLSearchParams({ account: subject });
    const answer = await fetchWith(browser.atProvider, here, form ? { method: 'POST', body } : {});
    here = new URL(answer.headers.get('location') ?? '', here);
  }
  return here;
}

async function backAt(app: TestApp, { cookies }: Pick<OutsideBrowser, 'cookies'>, callback: URL) {
  const answer = await fetchWith(cookies, new URL(`${callback.pathname}${callback.search}`, app.url));
  return answer.headers.get('location');
}

const ended = (outcome: string): string => `/auth/proof-ended?outcome=${outcome}`;

describe.each(engines)('proofs at an outside provider on %s', (engine) => {
  const once = provedOn(engine);

  it('SES-13: a sign-in proves what auth_time says; a further one proves the same session', async () => {
    const { app, provider, mia } = await installation({ engine });
    expect(await isProved(app, mia)).toBe(false);
    const stored = () =>
      app.database.read
        .selectFrom('session')
        .innerJoin('provider_session', 'session_id', 'id')
        .select(['id', 'secret_hash', 'expires_at', 'refresh_token'])
        .execute();
    const before = (await stored())[0];
    const cookies = mia.cookies.header('/');

    const there = await begin(app, mia);
    expect([there.searchParams.get('prompt'), there.searchParams.get('max_age')]).toEqual(['login', '0']);
    expect(await mia.signInAs('mia', beginProof.path)).toBe(ended('proved'));
    expect(await isProved(app, mia)).toBe(true);
    const [after, ...others] = await stored();
    expect([after, others]).toEqual([{ ...before, refresh_token: expect.any(String) }, []]);
    // Some providers refuse the earlier one from then on.
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
    expect(mia.cookies.header('/')).toContain(cookies);

    // Another session of the person is proved by its own sign-in alone.
    const other = openOutsideBrowser(app, provider);
    await other.signInAs('mia');
    expect(await isProved(app, other)).toBe(true);
  });

  it.each(once)(
    'SES-13: a proof lasts ten minutes from the sign-in at the provider, and no refresh renews it',
    async () => {
      const clock = movableClock();
      const { app, provider, mia } = await installation({ engine, clock });
      await provider.set({ forge: { claims: { auth_time: secondsAgo(9 * 60, clock.now()) } } });
      expect(await mia.signInAs('mia', beginProof.path)).toBe(ended('proved'));
      expect(await isProved(app, mia)).toBe(true);
      clock.move(minutes(1) + 1_000);
      expect(await isProved(app, mia)).toBe(false);

      await provider.set({ forge: { claims: { auth_time: secondsAgo(-11 * 60, clock.now()) } } });
      const idToken = async () =>
        (await app.database.read.selectFrom('session').select('id_token').executeTakeFirstOrThrow()).id_token;
      const before = await idToken();
      clock.move(minutes(11));
      await mia.renew();
      await app.checkSessions();
      expect(await idToken()).not.toBe(before);
      expect(await isProved(app, mia)).toBe(false);
    },
  );

  it.each(once)(
    'SES-13: who signs in as another person proves nothing, and stays who they were',
    async () => {
      const { app, mia } = await installation({ engine });
      const cookies = mia.cookies.header('/');
      // Where it remembers mia it would sign her out first.
      const window = { ...mia, atProvider: createCookieJar() };
      expect(await backAt(app, mia, await toCallback(app, window, 'kim'))).toBe(ended('person'));
      expect(await isProved(app, mia)).toBe(false);
      expect(mia.cookies.header('/')).toBe(cookies);
    },
  );
});

describe('a proof at an outside provider', () => {
  it.each([
    ['no auth_time', { auth_time: null }, 'no-time'],
    ['an old auth_time, out of a session that it remembers', { auth_time: secondsAgo(11 * 60) }, 'old'],
    ['an auth_time in the future', { auth_time: secondsAgo(-3_600) }, 'old'],
    ['a nonce of another sign-in', { nonce: 'another' }, 'failed'],
  ])('SES-13: with %s proves nothing, and says why', async (_name, claims, outcome) => {
    const { app, provider, mia } = await installation({ engine: 'sqlite' });
    await provider.set({ forge: { claims } });
    expect(await mia.signInAs('mia', beginProof.path)).toBe(ended(outcome));
    expect(await isProved(app, mia)).toBe(false);
    expect(app.log.some(({ reason }) => reason === outcome)).toBe(outcome !== 'failed');
  });

  it('SES-13: takes auth_time and acr from the ID token alone, which is signed, and never from userinfo', async () => {
    const { app, provider, mia } = await installation({ engine: 'sqlite' }, { claimsFrom: 'userinfo' });
    const claims = { ...account('mia').claims, auth_time: secondsAgo(0) };
    await provider.set({ accounts: { mia: { claims } }, forge: { claims: { auth_time: null } } });
    expect(await mia.signInAs('mia', beginProof.path)).toBe(ended('no-time'));
    expect(await isProved(app, mia)).toBe(false);
  });

  it('SES-13: asks for acr where it is configured, and refuses another one', async () => {
    const { app, provider, mia } = await installation(
      { engine: 'sqlite' },
      { stepUp: { acrValues: ['mfa', 'phr'] } },
    );
    const { accessToken } = (await mia.renew()).body;
    const parts = { params: { personId: 'nobody' }, body: { roles: [], version: 1 } };
    const { headers } = await app.call(setRoles, parts, { accessToken });
    expect(headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="600", acr_values="mfa phr"',
    );
    expect((await begin(app, mia)).searchParams.get('acr_values')).toBe('mfa phr');
    for (const acr of [null, 'pwd', 'mfa phr']) {
      await provider.set({ forge: { claims: { acr } } });
      expect(await mia.signInAs('mia', beginProof.path)).toBe(ended('level'));
      // A whole sign-in proves as little.
      await mia.signInAs('mia');
      expect(await isProved(app, mia)).toBe(false);
    }
    await provider.set({ forge: { claims: { acr: 'phr' } } });
    expect(await mia.signInAs('mia', beginProof.path)).toBe(ended('proved'));
    expect(await isProved(app, mia)).toBe(true);
  });

  it('SES-13: belongs to the session that began it, also where its cookie is brought to another', async () => {
    const { app, provider, mia } = await installation({ engine: 'sqlite' });
    const callback = await toCallback(app, mia, 'mia');
    // The same person in another browser, with an old sign-in too.
    await provider.set({ forge: { claims: { auth_time: secondsAgo(7_200) } } });
    const other = openOutsideBrowser(app, provider);
    await other.signInAs('mia');
    await provider.set({ forge: null });
    expect(await backAt(app, other, callback)).toBe('/');
    expect(await isProved(app, other)).toBe(false);

    // With the cookie of the proof, brought from the first browser.
    const [brought] = mia.cookies.header('/').match(/portico_sign_in\S+/) ?? [];
    const cookie = `${other.cookies.header('/')}; ${brought}`;
    const address = new URL(`${callback.pathname}${callback.search}`, app.url);
    const answer = await fetch(address, { headers: { cookie }, redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(ended('failed'));
    expect(await isProved(app, other)).toBe(false);
    expect(await isProved(app, mia)).toBe(false);
  });

  it('SES-13: answers once: a replayed callback proves nothing', async () => {
    const { app, mia } = await installation({ engine: 'sqlite' });
    const callback = await toCallback(app, mia, 'mia');
    const copied = mia.cookies.copy();
    expect(await backAt(app, mia, callback)).toBe(ended('proved'));
    await app.database.transaction((tx) => tx.updateTable('session').set({ proved_at: 0 }).execute());
    expect(await backAt(app, mia, callback)).toBe('/');
    expect(await backAt(app, { cookies: copied }, callback)).toBe(ended('failed'));
    expect(await isProved(app, mia)).toBe(false);
  });

  it('SES-13: is begun by Portico’s own pages alone, with a session, and only at such a provider', async () => {
    const { app, provider, mia } = await installation({ engine: 'sqlite' });
    for (const site of ['cross-site', 'same-site']) {
      const there = await begin(app, mia, { 'sec-fetch-site': site });
      expect(`${there.pathname}${there.search}`).toBe(ended('failed'));
    }
    expect((await begin(app, mia, { 'sec-fetch-site': 'same-origin' })).origin).toBe(provider.issuer);
    const nobody = openOutsideBrowser(app, provider);
    expect((await begin(app, nobody)).search).toBe('?outcome=failed');

    const embedded = await startApp({ engine: 'sqlite' });
    const { browser } = await signIn(embedded);
    const answer = await fetchWith(browser.cookies, new URL(beginProof.path, embedded.url));
    expect(answer.headers.get('location')).toBe(ended('failed'));
  });

  it('SES-13: that cannot begin ends in its own page, and the session goes on', async () => {
    const clock = movableClock();
    const { app, provider, mia } = await installation({ engine: 'sqlite', clock });
    clock.move(minutes(1));
    await provider.goDown();
    expect((await begin(app, mia)).search).toBe('?outcome=failed');
    expect((await mia.renew()).status).toBe(200);
  });

  it('SES-13: is not asked for with OIDC_STEP_UP=off, nor of API tokens', async () => {
    const off = await installation({ engine: 'sqlite' }, { stepUp: null });
    expect(await isProved(off.app, off.mia)).toBe(true);
    const { app } = await installation({ engine: 'sqlite' });
    const accessToken = await addToken(app, { rights: ['PEOPLE_WRITE'] });
    const parts = { params: { personId: 'nobody' }, body: { roles: [], version: 1 } };
    expect((await app.call(setRoles, parts, { accessToken })).problem?.code).not.toBe('PROOF_NEEDED');
  });
});
