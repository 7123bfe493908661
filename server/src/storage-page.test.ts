import { describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { addClientKey, listClientKeys, readFeatures } from '#features/flags/contract/flags.ts';
import { readyz } from '#features/health/contract/health.ts';
import { setMaintenance } from '#features/maintenance/contract/settings.ts';
import { embeddedClientSecret } from '#features/identity-provider/server/provider.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { callRoute, fetchWith, type CookieJar } from './testing/client.ts';
import { afterThisTest, freshDatabase, type Place } from './testing/fresh-database.ts';
import { movableClock } from './testing/movable-clock.ts';
import { addPerson, addToken } from './testing/people.ts';
import { startOwnPostgres, type OwnPostgres } from './testing/postgres-server.ts';

const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };
const browserWants = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' };
const generous = { interval: 50 };

async function onOwnPostgres(): Promise<{ own: OwnPostgres; app: TestApp }> {
  const own = await startOwnPostgres(afterThisTest);
  const { dataDir, remove } = await freshDatabase('sqlite', 'nothing');
  const place: Place = {
    engine: 'postgres',
    dataDir,
    location: { engine: 'postgres', url: own.url },
    remove,
  };
  const app = await startApp({ on: place });
  await addPerson(app, { ...mia, roles: ['operator'] });
  return { own, app };
}

async function goTo(app: TestApp, path: string, cookies?: CookieJar, headers: object = browserWants) {
  const init = { headers: { ...headers }, redirect: 'manual' } as const;
  const address = new URL(path, app.url);
  const response = await (cookies === undefined ? fetch(address, init) : fetchWith(cookies, address, init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function expectPage(app: TestApp, path: string, cookies?: CookieJar): Promise<void> {
  const { status, headers, text } = await goTo(app, path, cookies);
  expect([path, status, headers.get('location')]).toEqual([path, 503, null]);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('retry-after')).toBe('5');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(text).toContain('<title>unavailable.de · Portico</title>');
  const nonce = /nonce="([^"]+)"/.exec(text)?.[1] ?? 'none';
  expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'nonce-${nonce}'`);
}

const ready = async (app: TestApp) => (await app.call(readyz, {})).status;

describe('a browser whose database is away', () => {
  it('RUN-5: gets the page that reports it wherever it goes, and goes on from there afterwards', async () => {
    const { own, app } = await onOwnPostgres();
    const signedIn = openBrowser(app.url);
    await signedIn.signIn(mia);
    const signingIn = openBrowser(app.url);
    const { path: form } = await signingIn.go('/auth/login?returnTo=%2Fflags');
    const { next } = (await signingIn.submit(form, mia)).body;
    let callback = next;
    while (!callback.includes('/auth/callback'))
      callback = (await goTo(app, callback, signingIn.cookies)).headers.get('location') ?? 'nowhere';
    const { headers } = await goTo(app, '/auth/login');
    const authorization = headers.get('location') ?? '';
    const secret = await embeddedClientSecret(app.database);

    await own.kill();
    await expect.poll(() => ready(app), generous).toBe(503);
    for (const path of ['/', '/flags?state=on', '/sign-in']) {
      await expectPage(app, path);
      await expectPage(app, path, signedIn.cookies);
    }
    for (const path of ['/auth/login', '/set-up', '/invitation', '/idp/sign-in/x', form, authorization])
      await expectPage(app, path);
    await expectPage(app, callback, signingIn.cookies);
    await expectPage(app, '/auth/callback?state=x', signedIn.cookies);

    // Programs get what programs read.
    for (const path of ['/auth/login', '/set-up', '/v1/flags']) {
      const program = await goTo(app, path, signedIn.cookies, { accept: '*/*' });
      expect(program.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }
    const token = await fetch(`${app.url}/idp/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`portico:${encodeURIComponent(secret)}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'x'.repeat(43),
        redirect_uri: `${app.url}/auth/callback`,
        code_verifier: 'x'.repeat(43),
      }),
    });
    expect([token.status, token.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await token.json()).toMatchObject({ error: 'temporarily_unavailable' });
    // A health check of the process finds it there.
    expect((await app.fastify.inject({ url: '/', headers: { accept: '*/*' } })).statusCode).toBe(200);
    const errors = new Set(app.log.filter(({ level }) => level >= 50).map(({ msg }) => msg));
    expect(errors).toContain('the storage failed a request');
    expect(errors).not.toContain('a request failed');
    expect(errors).not.toContain('the embedded provider failed');

    await own.restart();
    await expect.poll(() => ready(app), generous).toBe(200);
    expect((await goTo(app, '/', signedIn.cookies)).text).toContain('<title>index');
    const back = await goTo(app, callback, signingIn.cookies);
    expect([back.status, back.headers.get('location')]).toEqual([303, '/flags']);
    expect((await goTo(app, '/flags', signingIn.cookies)).text).toContain('<title>index');
  });

  it('RUN-5: gets it in bounded time where the database is silent', async () => {
    const { own, app } = await onOwnPostgres();
    const { cookies, signIn } = openBrowser(app.url);
    await signIn(mia);
    await own.freeze();
    const asked = performance.now();
    await Promise.all([expectPage(app, '/'), expectPage(app, '/', cookies), expectPage(app, '/auth/login')]);
    expect(performance.now() - asked).toBeLessThan(60_000);
    own.thaw();
    await expect.poll(() => ready(app), generous).toBe(200);
    expect((await goTo(app, '/', cookies)).status).toBe(200);
  });

  it('MAINT-3: gets the notice of a maintenance that stops the database', async () => {
    const app = await startApp({ engine: 'postgres' });
    const { cookies, signIn } = openBrowser(app.url);
    await addPerson(app, { ...mia, roles: ['operator'] });
    await signIn(mia);
    const accessToken = await addToken(app, { rights: ['MAINTENANCE_WRITE'] });
    const closing = {
      mode: 'full',
      text: 'Moving',
      severity: 'HIGH',
      expectedEnd: null,
      version: 1,
    } as const;
    await app.call(setMaintenance, { body: closing }, { accessToken });
    await app.database.close();
    const answer = await goTo(app, '/flags', cookies);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/system-maintenance?from=%2Fflags',
    ]);
    expect((await goTo(app, '/system-maintenance')).text).toContain('Moving');
  });
});

describe('a browser whose database accepts no writes', () => {
  it('RUN-5: under SQLite goes on reading, and gets the page where a sign-in would have to be written', async () => {
    const clock = movableClock();
    const app = await startApp({ engine: 'sqlite', clock });
    await addPerson(app, mia);
    const { cookies, signIn, renew } = openBrowser(app.url);
    await signIn(mia);
    // Makes the key that signs.
    await renew();
    const authorization = (await goTo(app, '/auth/login')).headers.get('location') ?? '';
    await app.database.transaction((tx) => sql`pragma query_only = 1`.execute(tx));
    // Its use would be noted by now.
    clock.move(2 * 60_000);
    expect((await goTo(app, '/flags', cookies)).status).toBe(200);
    expect((await renew()).status).toBe(200);
    await expectPage(app, authorization);
  });
});

describe("GrowthBook's wire without a database", () => {
  it('FLAG-1: serves what is in memory, and answers 503 in its own shape, readable from other origins', async () => {
    const { own, app } = await onOwnPostgres();
    const { signIn, renew } = openBrowser(app.url);
    await signIn(mia);
    const { accessToken } = (await renew()).body;
    const operator = { accessToken: await addToken(app, { rights: ['FLAGS_READ', 'FLAGS_WRITE'] }) };
    await app.call(addClientKey, { body: { name: 'Service', kind: 'remote-eval' } }, operator);
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const keyOf = (wanted: string) => clientKeys.find(({ kind }) => kind === wanted)?.key ?? '';
    await own.kill();
    await expect.poll(() => ready(app), generous).toBe(503);

    const plain = await callRoute(app.url, readFeatures, { params: { clientKey: keyOf('plain') } });
    expect([plain.status, plain.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const evaluated = await fetch(`${app.url}/api/eval/${keyOf('remote-eval')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ attributes: { id: 'x' } }),
    });
    expect([evaluated.status, evaluated.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const over = new AbortController();
    const stream = await fetch(`${app.url}/sub/${keyOf('plain')}`, { signal: over.signal });
    expect([stream.status, stream.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    over.abort();

    // Who this is was not asked before, so that it must be read.
    const personal = await fetch(`${app.url}/api/features/${keyOf('personal')}`, {
      headers: { authorization: `Bearer ${accessToken}`, origin: 'https://elsewhere.example.org' },
    });
    expect(personal.status).toBe(503);
    expect(personal.headers.get('access-control-allow-origin')).toBe('*');
    expect(personal.headers.get('retry-after')).toBe('5');
    expect(personal.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await personal.json()).toEqual({
      status: 503,
      error: 'The storage does not work now. Send the same again later.',
    });
  });
});
