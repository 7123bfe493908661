import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { getProfile } from '#features/profile/contract/profile.ts';
import { removeMapCookie, setMapCookie, signOut } from '#features/session/contract/session.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { fetchWith, type CookieJar } from '#server/testing/client.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, addToken } from '#server/testing/people.ts';

const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };
const hour = 3_600_000;

/** Starts the application with one person, who is signed in. */
async function startSignedIn(options: Parameters<typeof startApp>[0]) {
  const app = await startApp(options);
  await addPerson(app, mia);
  const browser = openBrowser(app.url);
  await browser.signIn(mia);
  return { app, ...browser, accessToken: (await browser.renew()).body.accessToken };
}

/** Sends the provider's sign-out form; returns the address to which it leads. */
async function confirmSignOut(app: TestApp, cookies: CookieJar, html: string): Promise<string | null> {
  const fields = [...html.matchAll(/name="(\w+)" value="(\w+)"/g)];
  const confirmed = await fetchWith(cookies, new URL('/idp/session/end/confirm', app.url), {
    method: 'POST',
    body: new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value])),
  });
  return confirmed.headers.get('location');
}

async function codeFor(app: TestApp, accessToken: string): Promise<string | undefined> {
  const answer = await app.call(getProfile, { params: { userId: 'current' } }, { accessToken });
  return answer.status === 200 ? 'accepted' : answer.problem?.code;
}

describe.each(engines)('a session on %s', (engine) => {
  const once = provedOn(engine);
  it.each(once)('SES-1: survives a restart of the server', async () => {
    const { app, cookies, accessToken } = await startSignedIn({ engine });
    await app.stop();
    const again = await startApp({ after: app });
    // The first call may find a connection of the stopped application.
    await expect.poll(async () => (await openBrowser(again.url, cookies).renew()).status).toBe(200);
    expect(await codeFor(again, accessToken)).toBe('accepted');
  });

  it('SES-5: there is one map cookie per session, stored hashed, extended on renewal and removed at any time', async () => {
    const clock = movableClock();
    const { app, cookies, accessToken } = await startSignedIn({ engine, clock });
    const rows = () => app.database.read.selectFrom('map_cookie').selectAll().execute();

    const set = await app.call(setMapCookie, {}, { accessToken, cookies });
    expect(set.status).toBe(204);
    expect(set.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^portico_map_[a-z0-9]{8}=[\w-]{43}; Path=\/geoserver; Max-Age=600; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const handle = cookies.find(/portico_map/) ?? '';
    const [first] = await rows();
    expect(first?.handle_hash).not.toContain(handle);

    clock.move(4 * 60_000);
    await app.call(setMapCookie, {}, { accessToken, cookies });
    expect(cookies.find(/portico_map/)).toBe(handle);
    const [extended, ...others] = await rows();
    expect(others).toEqual([]);
    expect(extended?.expires_at).toBe((first?.expires_at ?? 0) + 4 * 60_000);

    const removed = await app.call(removeMapCookie, {}, { accessToken, cookies });
    expect(removed.status).toBe(204);
    expect(cookies.find(/portico_map/)).toBeNull();
    expect(await rows()).toEqual([]);
    expect((await app.call(removeMapCookie, {}, { accessToken, cookies })).status).toBe(204);
  });

  it('SES-7: sign-out ends the session at once, here and at the provider, and leads back to the application', async () => {
    const { app, cookies, accessToken, go, renew } = await startSignedIn({ engine });
    await app.call(setMapCookie, {}, { accessToken, cookies });
    expect(await codeFor(app, accessToken)).toBe('accepted');

    const { next } = (await app.call(signOut, {}, { cookies })).body;

    expect(await codeFor(app, accessToken)).toBe('SESSION_ENDED');
    expect(cookies.find(/portico_(session|map)/)).toBeNull();
    expect(await app.database.read.selectFrom('map_cookie').selectAll().execute()).toEqual([]);
    const address = new URL(next);
    expect(`${address.origin}${address.pathname}`).toBe(`${app.url}/idp/session/end`);
    expect(address.searchParams.get('client_id')).toBe('portico');
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(app.url);
    const hint = address.searchParams.get('id_token_hint') ?? '';
    expect(hint).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+$/);
    // The hint goes through the browser, so it names the person only by the random id of their account.
    const { sub, ...claims } = decodeJwt(hint);
    expect(sub).toBe(
      (await app.database.read.selectFrom('account').select('id').executeTakeFirstOrThrow()).id,
    );
    expect(Object.keys(claims).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'nonce']);
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);

    const page = await fetchWith(cookies, address);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';script-src 'self' 'sha256-[\w+/=]+';form-action 'self'/,
    );
    // The provider has no session left either, so its page asks nothing.
    expect(
      await app.database.read
        .selectFrom('oidc_record')
        .select('id')
        .where('model', '=', 'Session')
        .where('account_id', 'is not', null)
        .execute(),
    ).toEqual([]);
    expect(await confirmSignOut(app, cookies, html)).toBe(`${app.url}/`);
    expect((await go('/auth/login')).path).toMatch(/^\/idp\/sign-in\//);
    expect((await renew()).problem?.code).toBe('SESSION_ENDED');
  });
});

describe('a session', () => {
  it('SES-2: a renewal answers a token, its expiry and the server’s time', async () => {
    const clock = movableClock(1_800_000_000_000);
    const { renew } = await startSignedIn({ engine: 'sqlite', clock });
    const { body } = await renew();
    expect(body).toEqual({
      accessToken: expect.any(String) as string,
      expiresAt: clock.now() + 300_000,
      serverTime: clock.now(),
    });
  });

  it('SES-5: the map cookie opens no route of the interface, and an API token gets none', async () => {
    const { app, cookies, accessToken } = await startSignedIn({ engine: 'sqlite' });
    const set = await app.call(setMapCookie, {}, { accessToken });
    const [pair = ''] = (set.headers.getSetCookie()[0] ?? '').split(';');
    const handle = pair.split('=')[1] ?? '';
    for (const route of app.declared.filter(({ path }) => /^\/(v1|v2|auth|cookies)\//.test(path))) {
      const needed =
        route.access === 'signed-in' || route.access === 'session' || typeof route.access === 'object';
      if (!needed) continue;
      const response = await fetchWith(
        undefined,
        new URL(route.path.replaceAll(/:\w+/g, 'current'), app.url),
        {
          method: route.method,
          headers: {
            cookie: pair,
            'x-portico': '1',
            ...(route.path.startsWith('/v2') ? { authorization: `Bearer ${handle}` } : {}),
          },
        },
      );
      expect([route.path, response.status]).toEqual([route.path, 401]);
    }
    const script = await addToken(app, { rights: ['PEOPLE_READ'] });
    expect((await app.call(setMapCookie, {}, { accessToken: script })).problem?.code).toBe('INVALID_REQUEST');
    expect(cookies.header('/v1')).not.toContain('portico_map');
  });

  it('SES-7: a link from elsewhere does not sign people out', async () => {
    const { app, cookies, renew } = await startSignedIn({ engine: 'sqlite' });
    const atProvider = cookies.find(/^portico_idp_session_/);
    for (const query of [
      '',
      '?client_id=portico',
      `?client_id=portico&post_logout_redirect_uri=${encodeURIComponent(app.url)}`,
    ]) {
      const page = await fetchWith(cookies, new URL(`/idp/session/end${query}`, app.url));
      expect(page.headers.get('location')).toBe(`${app.url}/`);
    }
    expect((await renew()).status).toBe(200);
    expect(atProvider).not.toBeNull();
    expect(cookies.find(/^portico_idp_session_/)).toBe(atProvider);
  });

  it('SES-7: a sign-out long after the sign-in leads back as well, where the provider remembers no one any more', async () => {
    const clock = movableClock();
    const { app, cookies, go } = await startSignedIn({ engine: 'sqlite', clock });
    clock.move(hour);
    const { next } = (await app.call(signOut, {}, { cookies })).body;
    const page = await fetchWith(cookies, new URL(next));
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[\w+/=]+'/);
    expect(/action="([^"]+)"/.exec(html)?.[1]).toBe(`${app.url}/idp/session/end/confirm`);
    expect(await confirmSignOut(app, cookies, html)).toBe(`${app.url}/`);
    expect((await go('/auth/login')).path).toMatch(/^\/idp\/sign-in\//);
  });

  it('SES-7: the provider leads nowhere but back to the application after a sign-out', async () => {
    const { app, cookies } = await startSignedIn({ engine: 'sqlite' });
    const { next } = (await app.call(signOut, {}, { cookies })).body;
    const address = new URL(next);
    address.searchParams.set('post_logout_redirect_uri', 'https://evil.example/');
    const page = await fetchWith(cookies, address);
    expect(page.headers.get('location') ?? '').not.toContain('evil');
    expect(await page.text()).not.toContain('evil');
  });

  it('SES-1: sessions and records that have ended are swept away', async () => {
    const clock = movableClock();
    const { app } = await startSignedIn({ engine: 'sqlite', clock });
    await openBrowser(app.url).go('/auth/login');
    const count = async (table: 'session' | 'oidc_record') =>
      (
        await app.database.read
          .selectFrom(table)
          .select((column) => column.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n;
    expect(await count('oidc_record')).toBeGreaterThan(1);
    await app.sweep();
    expect(await count('session')).toBe(1);
    clock.move(13 * hour);
    await app.sweep();
    expect([await count('session'), await count('oidc_record')]).toEqual([0, 0]);
  });
});
