import { describe, expect, it } from 'vitest';
import { changePassword, submitSignIn } from '#features/identity-provider/contract/identity-provider.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser, type Browser } from '#server/testing/browser.ts';
import { fetchWith } from '#server/testing/client.ts';
import { engines, oneEngine, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson } from '#server/testing/people.ts';

const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };
const wrong = { ...mia, password: 'not her password at all' };
const unknown = { email: 'nobody@example.org', password: mia.password };
const invited = { email: 'ivy@example.org', password: mia.password };
const minute = 60_000;

describe.each(engines)('guesses at passwords on %s', (engine) => {
  const once = provedOn(engine);
  it('SES-3: a wrong email and a wrong password look the same, in every answer', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    await addPerson(app, mia);
    await addPerson(app, { email: invited.email, password: null });
    const browser = openBrowser(app.url);
    const { path } = await browser.go('/auth/login');

    const seen: string[][] = [];
    for (const account of [wrong, unknown, invited]) {
      const answers: string[] = [];
      for (let guess = 0; guess < 7; guess += 1) {
        const { status, problem, headers } = await browser.submit(path, account);
        const { requestId: _differs, ...rest } = problem ?? {};
        answers.push(JSON.stringify([status, rest, headers.get('retry-after')]));
      }
      seen.push(answers);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[0]?.[0]).toContain('"code":"UNAUTHENTICATED"');
    expect(seen[0]?.[6]).toContain('"code":"TOO_MANY_REQUESTS"');
  });

  it('SES-3: a guess that has cost nothing delays no process whose clock is behind, as that of another replica may be', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    await addPerson(app, mia);
    const browser = openBrowser(app.url);
    const { path } = await browser.go('/auth/login');
    expect((await browser.submit(path, wrong)).status).toBe(401);
    clock.move(-1);
    expect((await browser.submit(path, mia)).status).toBe(200);
  });

  it('SES-3: of many guesses at once only the first few are looked at', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    await addPerson(app, mia);
    const browser = openBrowser(app.url);
    const { path } = await browser.go('/auth/login');
    const answers = await Promise.all(Array.from({ length: 30 }, () => browser.submit(path, wrong)));
    const counted = Object.groupBy(answers, ({ status }) => String(status));
    expect([counted['401']?.length, counted['429']?.length]).toEqual([5, 25]);
  });

  it.each(once)('SES-3: the wait outlives a restart, is 15 minutes at most, and ends in a day', async () => {
    const clock = movableClock();
    const first = await startApp({ engine, clock });
    await addPerson(first, mia);
    const guess = async (app: TestApp, account: typeof mia) => {
      const browser = openBrowser(app.url);
      const { status, headers } = await browser.submit((await browser.go('/auth/login')).path, account);
      return [status, headers.get('retry-after')];
    };
    for (let count = 0; count < 18; count += 1) {
      expect(await guess(first, wrong)).toEqual([401, null]);
      clock.move(15 * minute);
    }
    await guess(first, wrong);
    await first.stop();

    const app = await startApp({ after: first, clock });
    await expect.poll(() => guess(app, mia)).toEqual([429, '900']);
    clock.move(25 * 60 * minute);
    for (let count = 0; count < 5; count += 1) expect(await guess(app, wrong)).toEqual([401, null]);
    expect(await guess(app, mia)).toEqual([429, '1']);
    clock.move(25 * 60 * minute);
    await app.sweep();
    expect(await app.database.read.selectFrom('sign_in_guess').selectAll().execute()).toEqual([]);
  });
});

describe.each(oneEngine)('a browser that has signed in before, on %s', (engine) => {
  async function attacked(clock = movableClock()) {
    const app = await startApp({ engine, clock, config: { trustProxy: 1 } });
    await addPerson(app, mia);
    await addPerson(app, { email: 'eve@example.org', password: mia.password });
    const guess = async (browser: Browser, account: typeof mia, address = '192.0.2.1') => {
      const { path } = await browser.go('/auth/login');
      const { status } = await browser.submit(path, account, { 'x-forwarded-for': address });
      return status;
    };
    return { app, clock, guess, browser: () => openBrowser(app.url) };
  }

  it('SES-3: signs in with the right password, whoever guesses at the account', async () => {
    const { guess, browser } = await attacked();
    const hers = browser();
    expect(await guess(hers, mia)).toBe(200);
    const cookie = /portico_known_\w+_[\w-]{12}=/;
    expect(hers.cookies.header('/idp/sign-in/x')).toMatch(cookie);
    for (const path of ['/', '/auth/login', '/app', '/v1/users/current'])
      expect(hers.cookies.header(path)).not.toMatch(cookie);

    const stranger = browser();
    for (let count = 0; count < 5; count += 1) expect(await guess(stranger, wrong)).toBe(401);
    for (let net = 0; net < 45; net += 1) expect(await guess(stranger, wrong, `198.51.100.${net}`)).toBe(401);
    expect(await guess(stranger, mia, '203.0.113.1')).toBe(429);
    expect(await guess(hers, mia)).toBe(200);
    for (let count = 0; count < 5; count += 1) expect(await guess(hers, wrong)).toBe(401);
    expect(await guess(hers, mia)).toBe(429);
  });

  it('SES-3: is known by a cookie that no other account and no other browser has', async () => {
    const { guess, browser } = await attacked();
    const [hers, eves] = [browser(), browser()];
    expect([await guess(hers, mia), await guess(eves, { ...mia, email: 'eve@example.org' })]).toEqual([
      200, 200,
    ]);
    for (let count = 0; count < 5; count += 1) expect(await guess(eves, wrong)).toBe(401);
    expect(await guess(eves, mia)).toBe(429);
    const [pair = ''] = /portico_known_[^;]+/.exec(hers.cookies.header('/idp/sign-in/x')) ?? [];
    const [name = '', value = ''] = pair.split('=');
    const [nonce = '', at = '', signature = ''] = value.split('.');
    for (const forged of [
      `${nonce}x.${at}.${signature}`,
      `${nonce}.${at}0.${signature}`,
      `${nonce}.${at}.`,
      '',
    ]) {
      const { path } = await eves.go('/auth/login');
      const cookie = `${eves.cookies.header(path)}; ${name}=${forged}`;
      expect((await eves.submit(path, mia, { 'x-forwarded-for': '192.0.2.1', cookie })).status).toBe(429);
    }
  });

  it('SES-3: is forgotten with the password and after 400 days, known by a link', async () => {
    const { app, clock, guess, browser } = await attacked();
    const [hers, other, stranger] = [browser(), browser(), browser()];
    for (const each of [hers, other]) expect(await guess(each, mia)).toBe(200);
    for (let count = 0; count < 5; count += 1) expect(await guess(stranger, wrong)).toBe(401);

    const { path } = await hers.signIn(mia);
    expect(path).toBe('/');
    const { accessToken } = (await hers.renew()).body;
    const body = { currentPassword: mia.password, newPassword: 'another-kettle-4-harbour' };
    const { status } = await app.call(
      changePassword,
      { body },
      { accessToken, cookies: hers.cookies, headers: { 'x-forwarded-for': '192.0.2.1' } },
    );
    expect(status).toBe(204);
    const changed = { ...mia, password: body.newPassword };
    for (let count = 0; count < 5; count += 1) expect(await guess(stranger, wrong)).toBe(401);
    expect([await guess(hers, changed), await guess(other, changed)]).toEqual([200, 429]);
    clock.move(399 * 1440 * minute);
    for (let count = 0; count < 5; count += 1) expect(await guess(stranger, wrong)).toBe(401);
    expect(await guess(hers, changed)).toBe(200);
    clock.move(401 * 1440 * minute);
    for (let count = 0; count < 5; count += 1) expect(await guess(stranger, wrong)).toBe(401);
    expect(await guess(hers, changed)).toBe(429);
  });
});

describe('the sign-in page', () => {
  it('API-2, SES-3: all addresses of a /64 are braked as one', async () => {
    const app = await startApp({
      engine: 'sqlite',
      clock: movableClock(),
      config: { rateLimitScale: 1, trustProxy: 1 },
    });
    const statuses: number[] = [];
    for (let guess = 0; guess < 110; guess += 1) {
      const headers = { 'x-forwarded-for': `2001:db8:7:7:${guess}::1` };
      statuses.push((await app.call(submitSignIn, { params: { uid: 'x' }, body: mia }, { headers })).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it('SES-3: one address is braked, with room for an office', async () => {
    const clock = movableClock();
    const app = await startApp({ engine: 'sqlite', clock, config: { rateLimitScale: 1 } });
    const statuses: number[] = [];
    for (let guess = 0; guess < 110; guess += 1) {
      statuses.push((await app.call(submitSignIn, { params: { uid: 'x' }, body: mia })).status);
    }
    expect(statuses.filter((status) => status === 410)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it('SES-3: a sign-in that is over, of another browser, or never was, cannot be submitted', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await addPerson(app, mia);
    const [one, other] = [openBrowser(app.url), openBrowser(app.url)];
    const { path } = await one.go('/auth/login');
    expect((await other.submit(path, mia)).problem?.code).toBe('LINK_INVALID');
    expect((await one.submit(`${path}x`, mia)).problem?.code).toBe('LINK_INVALID');
    const { next } = (await one.submit(path, mia)).body;
    await one.go(next);
    expect((await one.submit(path, mia)).problem?.code).toBe('LINK_INVALID');
  });

  it('SES-3: a sign-in page that has been open for over an hour starts over', async () => {
    const clock = movableClock();
    const app = await startApp({ engine: 'sqlite', clock });
    await addPerson(app, mia);
    const browser = openBrowser(app.url);
    const { path } = await browser.go('/auth/login');
    clock.move(61 * minute);
    expect((await browser.submit(path, mia)).problem?.code).toBe('LINK_INVALID');
    expect((await browser.signIn(mia)).path).toBe('/');
  });
});

describe('the embedded provider', () => {
  it('SES-3: is pinned to the public address, whatever the request calls the host', async () => {
    const publicUrl = 'https://portico.example.org';
    const app = await startApp({ engine: 'sqlite', config: { publicUrl, internalHosts: ['localhost'] } });
    const spoofed = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    const response = await fetch(new URL('/idp/.well-known/openid-configuration', app.url), {
      headers: spoofed,
    });
    const document = (await response.json()) as Record<string, unknown>;
    expect(document['issuer']).toBe(`${publicUrl}/idp`);
    const addresses = Object.values(document).filter(
      (value) => typeof value === 'string' && value.includes('://'),
    );
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(address).toMatch(/^https:\/\/portico\.example\.org\/idp/);
  });

  it('SES-3: takes no request without PKCE, for another address, or of another client', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const browser = openBrowser(app.url);
    const login = await fetchWith(browser.cookies, new URL('/auth/login', app.url));
    const good = new URL(login.headers.get('location') ?? '');
    const asked = async (change: (parameters: URLSearchParams) => void) => {
      const url = new URL(good);
      change(url.searchParams);
      return (await fetchWith(browser.cookies, url)).headers.get('location') ?? '';
    };
    expect(await asked(() => undefined)).toMatch(/^\/idp\/sign-in\//);
    const withoutPkce = await asked((parameters) => {
      parameters.delete('code_challenge');
      parameters.delete('code_challenge_method');
    });
    expect(new URL(withoutPkce).searchParams.get('error')).toBe('invalid_request');
    expect(await asked((parameters) => parameters.set('redirect_uri', 'https://evil.example/'))).toMatch(
      /^\/auth\/login\?again=1/,
    );
    expect(await asked((parameters) => parameters.set('client_id', 'another'))).toMatch(
      /^\/auth\/login\?again=1/,
    );
    // A fault that stays ends on a page, not in a loop.
    const state = good.searchParams.get('state');
    const stays = (parameters: URLSearchParams) => {
      parameters.set('client_id', 'another');
      parameters.set('state', `${state}.again`);
    };
    expect(await asked(stays)).toBe('/auth/failed?reason=failed');
  });

  it('SES-3: serves nothing but OpenID Connect: no development pages, no registration', async () => {
    const app = await startApp({ engine: 'sqlite' });
    for (const path of [
      '/idp/interaction/x',
      '/idp/interaction/x/abort',
      '/idp/reg',
      '/idp/me',
      '/idp/device',
      '/idp',
      '/idp/',
    ]) {
      const response = await fetch(new URL(path, app.url), { headers: { accept: 'application/json' } });
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }
  });

  it('SES-3: an interrupted sign-in starts over instead of showing an error', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const response = await fetch(new URL('/idp/auth/no-such-sign-in', app.url), { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(/^\/auth\/login\?again=1/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  it('SES-3 SES-1: a sign-in goes on in no browser but the one that began it, whoever planted its cookies there', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await addPerson(app, mia);
    const one = openBrowser(app.url);
    const { next } = (await one.submit((await one.go('/auth/login')).path, mia)).body;
    // Those that no name can hold to the host, since the library gives them paths of their own.
    const planted = one.cookies
      .header(new URL(next, app.url).pathname)
      .split('; ')
      .filter((cookie) => /^portico_idp_(?:resume|interaction)/.test(cookie))
      .join('; ');
    expect(planted).toMatch(/^portico_idp_resume_/);
    const goOn = async (cookie: string) => {
      const { headers } = await fetch(new URL(next, app.url), { redirect: 'manual', headers: { cookie } });
      const set = headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
      const session = set.filter((one) => one.startsWith('portico_idp_session_')).join('; ');
      return { to: headers.get('location')?.replace(/\?.*/, ''), session };
    };
    expect(await goOn(planted)).toEqual({ to: '/auth/login', session: '' });
    const { to, session } = await goOn(one.cookies.header(new URL(next, app.url).pathname));
    expect(to).toBe(`${app.url}/auth/callback`);
    expect(session).toMatch(/^portico_idp_session_\w+=[^;]+; /);

    // A planted session of the provider does not replace the password either.
    const begun = await fetch(new URL('/auth/login', app.url), { redirect: 'manual' });
    const address = begun.headers.get('location') ?? '';
    const asked = await fetch(address, { redirect: 'manual', headers: { cookie: session } });
    expect(asked.headers.get('location')).toMatch(/^\/idp\/sign-in\//);
  });

  it('SES-3: its token endpoint wants the client’s secret', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const response = await fetch(new URL('/idp/token', app.url), {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('portico:guess').toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: `${app.url}/auth/callback`,
      }),
    });
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      401,
      'invalid_client',
    ]);
  });
});
