import { describe, expect, it, vi } from 'vitest';
import { getProfile } from '#features/profile/contract/profile.ts';
import { createAccounts } from '#features/identity-provider/server/accounts.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { createCookieJar, fetchWith } from '#server/testing/client.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { addPerson } from '#server/testing/people.ts';

const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };
const sam = { email: 'sam@example.org', password: 'cactus under the fjord' };

function profileOf(app: TestApp, accessToken: string) {
  return app.call(getProfile, { params: { userId: 'current' } }, { accessToken });
}

/** A GET as it comes, with its redirect unfollowed. */
async function get(app: TestApp, path: string, headers: Record<string, string> = {}) {
  const response = await fetchWith(createCookieJar(), new URL(path, app.url), { headers });
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookies: response.headers.getSetCookie(),
  };
}

describe.each(engines)('signing in on %s', (engine) => {
  it('SES-1: leads through the provider back to where the person wanted to go, with a session', async () => {
    const app = await startApp({ engine });
    const id = await addPerson(app, mia);
    const browser = openBrowser(app.url);

    expect(await browser.signIn(mia, '/flags?search=a')).toEqual({ path: '/flags?search=a', problem: null });

    const { body } = await browser.renew();
    expect((await profileOf(app, body.accessToken)).body).toMatchObject({ id, email: mia.email });
  });

  it('SES-1: two tabs may sign in at once', async () => {
    const app = await startApp({ engine });
    await addPerson(app, mia);
    const browser = openBrowser(app.url);

    const [first, second] = [
      await browser.go('/auth/login?returnTo=/one'),
      await browser.go('/auth/login?returnTo=/two'),
    ];
    const answers = [await browser.submit(first.path, mia), await browser.submit(second.path, mia)];

    const [one, two] = [
      await browser.go(answers[0]?.body.next ?? ''),
      await browser.go(answers[1]?.body.next ?? ''),
    ];
    expect([one.path, two.path]).toEqual(['/one', '/two']);
    expect((await browser.renew()).status).toBe(200);
  });

  it('SES-8: the first sign-in creates the person, once, also when it happens twice at the same time', async () => {
    const app = await startApp({ engine });
    const accounts = createAccounts({ database: app.database, clock: { now: () => 0 }, publicUrl: app.url });
    const password = await accounts.prepare(mia.password, mia);
    await app.database.change((change) => accounts.create(change, { email: mia.email, password }));

    const browsers = [openBrowser(app.url), openBrowser(app.url)];
    const ends = await Promise.all(browsers.map((browser) => browser.signIn(mia)));

    expect(ends.map(({ path }) => path)).toEqual(['/', '/']);
    const people = await app.database.read.selectFrom('person').select(['issuer', 'email']).execute();
    expect(people).toEqual([{ issuer: 'embedded', email: mia.email }]);
    expect(await app.database.read.selectFrom('person_role').select('role').execute()).toEqual([
      { role: 'member' },
    ]);
  });
});

describe('signing in', () => {
  it('SES-1: a sign-in starts a session with a new id, whatever cookie the browser brought, and ends the old one', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await addPerson(app, mia);
    await addPerson(app, sam);
    const browser = openBrowser(app.url);
    await browser.signIn(mia);
    const before = browser.cookies.find(/portico_session/) ?? '';
    const [name = ''] = /portico_session_\w+/.exec(browser.cookies.header('/')) ?? [];
    const planted = createCookieJar([{ name, value: before, path: '/' }]);
    const earlier = (await browser.renew()).body.accessToken;

    const victim = openBrowser(app.url, planted);
    await victim.signIn(sam);

    expect(victim.cookies.find(/portico_session/)).not.toBe(before);
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
    expect((await profileOf(app, earlier)).problem?.code).toBe('SESSION_ENDED');
    const { accessToken } = (await victim.renew()).body;
    expect((await profileOf(app, accessToken)).body.email).toBe(sam.email);
    const rows = await app.database.read.selectFrom('session').select('secret_hash').execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.secret_hash).not.toContain(victim.cookies.find(/portico_session/));
  });

  it('SES-1: the session cookie is hidden from scripts and other sites, and named per installation', async () => {
    const [one, other] = [await startApp({ engine: 'sqlite' }), await startApp({ engine: 'sqlite' })];
    const cookies: string[] = [];
    for (const app of [one, other]) {
      await addPerson(app, mia);
      const browser = openBrowser(app.url);
      const { path } = await browser.go('/auth/login');
      const { next } = (await browser.submit(path, mia)).body;
      const resumed = await fetchWith(browser.cookies, new URL(next));
      const back = await fetchWith(browser.cookies, new URL(resumed.headers.get('location') ?? ''));
      cookies.push(...back.headers.getSetCookie().filter((cookie) => cookie.startsWith('portico_session')));
    }
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^portico_session_[a-z0-9]{8}=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
      );
    }
    const names = cookies.map((cookie) => cookie.split('=', 1)[0]);
    expect(new Set(names).size).toBe(2);
  });

  it('SES-1: behind a TLS proxy everything is of the public address, and the cookies are secure', async () => {
    const publicUrl = 'https://portico.example.org';
    const app = await startApp({ engine: 'sqlite', config: { publicUrl, internalHosts: ['localhost'] } });
    await addPerson(app, mia);
    const fetched = vi.spyOn(globalThis, 'fetch');
    const browser = openBrowser(app.url, createCookieJar(), publicUrl);

    const { hops } = await browser.go('/auth/login?returnTo=/flags');
    const started = await fetchWith(browser.cookies, new URL(hops[2] ?? '', app.url));
    expect(started.headers.getSetCookie().length).toBeGreaterThan(2);
    for (const cookie of started.headers.getSetCookie()) expect(cookie).toMatch(/; secure; httponly/i);
    expect(hops[1]).toBe('/auth/login?moved=1&returnTo=%2Fflags');
    expect(await browser.signIn(mia, '/flags')).toEqual({ path: '/flags', problem: null });

    expect(browser.cookies.find(/^__Host-portico_session_/)).not.toBeNull();
    expect((await browser.renew()).status).toBe(200);
    // Portico's own calls to its provider never leave the process: every request of this test is the
    // browser's.
    const asked = fetched.mock.calls.map(([url]) => new URL(url instanceof Request ? url.url : url));
    fetched.mockRestore();
    expect(asked.filter(({ origin }) => origin !== app.url)).toEqual([]);
    expect(
      asked.filter(({ pathname }) => /\/(token|jwks)$/.test(pathname) && pathname.startsWith('/idp')),
    ).toEqual([]);
  });

  it('SES-1: a sign-in at another host name first goes to the public one', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const { port } = new URL(app.url);
    const response = await fetch(`http://127.0.0.1:${port}/auth/login?returnTo=/flags`, {
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBe(`${app.url}/auth/login?moved=1&returnTo=%2Fflags`);
    // Where a proxy hides the host name for good, it goes on all the same.
    const again = await fetch(`http://127.0.0.1:${port}/auth/login?moved=1`, { redirect: 'manual' });
    expect(again.headers.get('location')).toMatch(new RegExp(`^${app.url}/idp/auth\\?`));
  });

  // What is taken: return-to.test.ts.
  it('SES-1: a returnTo of another origin leads home', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await addPerson(app, mia);
    expect((await openBrowser(app.url).signIn(mia, '//evil.example')).path).toBe('/');
  });

  it('SES-1: no returnTo, however odd, stops a sign-in', async () => {
    const app = await startApp({ engine: 'sqlite' });
    for (const query of [
      'returnTo=/a&returnTo=/b',
      `returnTo=/${'a'.repeat(5000)}`,
      'returnTo[]=1',
      'returnTo=%00%FF',
    ]) {
      expect((await get(app, `/auth/login?${query}`)).status).toBe(303);
    }
  });

  it('SES-1: a return without its sign-in starts over once, then shows that it failed; never an error, never a loop', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const state = 'a'.repeat(22);
    const over = '/auth/login?again=1&returnTo=%2F';
    for (const query of [
      '',
      `state=${state}&code=x`,
      'state=',
      'state=%00',
      `state=${'x'.repeat(4000)}`,
      'error=access_denied',
    ]) {
      expect((await get(app, `/auth/callback?${query}`)).location).toBe(over);
    }
    expect((await get(app, `/auth/callback?state=${state}.again`)).location).toBe(
      '/auth/failed?reason=failed',
    );

    // A browser that stores no cookies.
    const { location: first } = await get(app, '/auth/login');
    const firstState = new URL(first ?? '').searchParams.get('state');
    expect((await get(app, `/auth/callback?state=${firstState}&code=x`)).location).toBe(over);
    const { location: second } = await get(app, over);
    const secondState = new URL(second ?? '').searchParams.get('state');
    expect((await get(app, `/auth/callback?state=${secondState}&code=x`)).location).toBe(
      '/auth/failed?reason=failed',
    );
  });

  it('SES-1: what the provider refuses starts over once, where the person wanted to go', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const browser = openBrowser(app.url);
    for (const [start, end] of [
      ['/auth/login?returnTo=/flags', '/auth/login?again=1&returnTo=%2Fflags'],
      ['/auth/login?again=1&returnTo=/flags', '/auth/failed?reason=failed'],
    ] as const) {
      const login = await fetchWith(browser.cookies, new URL(start, app.url));
      const state = new URL(login.headers.get('location') ?? '').searchParams.get('state');
      const iss = encodeURIComponent(`${app.url}/idp`);
      const back = new URL(`/auth/callback?error=access_denied&state=${state}&iss=${iss}`, app.url);
      expect((await fetchWith(browser.cookies, back)).headers.get('location')).toBe(end);
      expect(browser.cookies.find(/portico_sign_in/)).toBeNull();
    }
  });

  it('SES-1: an authorisation code is of no use in another browser’s sign-in', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await addPerson(app, mia);
    const [attacker, victim] = [openBrowser(app.url), openBrowser(app.url)];
    const { path } = await attacker.go('/auth/login');
    const { next } = (await attacker.submit(path, mia)).body;
    const resumed = await fetchWith(attacker.cookies, new URL(next));
    const stolen = new URL(resumed.headers.get('location') ?? '');

    // With the attacker's state: the victim's browser does not know it.
    expect((await victim.go(stolen.href)).hops[1]).toBe('/auth/login?again=1&returnTo=%2F');
    // With the victim's own state: PKCE and nonce do not fit.
    const own = await fetchWith(victim.cookies, new URL('/auth/login', app.url));
    stolen.searchParams.set(
      'state',
      new URL(own.headers.get('location') ?? '').searchParams.get('state') ?? '',
    );
    expect((await victim.go(stolen.href)).hops[1]).toBe('/auth/login?again=1&returnTo=%2F');
    expect((await victim.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  it('RUN-2: a sign-in leaves no password, code, token or cookie in the log', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await addPerson(app, mia);
    const browser = openBrowser(app.url);
    const login = await fetchWith(browser.cookies, new URL('/auth/login', app.url));
    const { hops, path } = await browser.go(login.headers.get('location') ?? '');
    await browser.submit(path, { email: mia.email, password: 'a wrong password' });
    const { next } = (await browser.submit(path, mia)).body;
    const finish = await browser.go(next);
    const { accessToken } = (await browser.renew()).body;
    await profileOf(app, accessToken);
    await profileOf(app, `${accessToken}x`);

    const log = JSON.stringify(app.log);
    const secrets = [...hops, ...finish.hops]
      .flatMap((hop) => [...new URL(hop, app.url).searchParams.entries()])
      .filter(([name]) => ['code', 'state', 'nonce', 'code_challenge'].includes(name))
      .map(([, value]) => value);
    expect(secrets.length).toBeGreaterThan(4);
    const cookies = browser.cookies
      .header('/')
      .split('; ')
      .map((pair) => pair.slice(pair.indexOf('=') + 1));
    for (const secret of [...secrets, ...cookies, accessToken, mia.password, 'a wrong password']) {
      expect(log).not.toContain(secret);
    }
    expect(app.log.filter(({ level, msg }) => level >= 40 && !msg.includes('must exist'))).toEqual([]);
  });
});
