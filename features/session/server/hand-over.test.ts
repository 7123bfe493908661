import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getEmbed } from '#features/embed/contract/embed.ts';
import { submitSignIn } from '#features/identity-provider/contract/identity-provider.ts';
import { getOverview } from '#features/overview/contract/overview.ts';
import { listPeople, setBlocked } from '#features/people/contract/people.ts';
import { endOtherSessions } from '#features/session/contract/sessions.ts';
import {
  retainedDraftsKey,
  removeMapCookie,
  renewToken,
  setMapCookie,
  signOut,
} from '#features/session/contract/session.ts';
import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { readUpstreams, type UpstreamsFile } from '#server/config-upstreams.ts';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { createCookieJar, type CookieJar } from '#server/testing/client.ts';
import { startMapServer } from '#server/testing/map-server.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, addToken, type PersonToAdd } from '#server/testing/people.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { upload } from '#server/testing/upload.ts';
import { handOverCodeMs } from './hand-over.ts';

const password = 'seven green lanterns';
const page = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const script = { 'sec-fetch-mode': 'cors', 'x-portico': '1' };

/** An application that answers who calls it, at which host, and holds event streams open. */
async function startApplication() {
  const streams = new Set<ServerResponse>();
  const server = createServer(({ url, headers }, response) => {
    if (url === '/events') {
      streams.add(response.on('close', () => streams.delete(response)));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    } else
      response.end(
        `${headers.host?.split(':')[0]} ${String(headers['x-portico-email'])} ${String(headers.cookie)}`,
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Answer = { status: number; location: string | null; body: string; headers: Headers };

/** A browser that knows several hosts: a jar of cookies for each, redirects from one to the other. */
function openBrowser(app: TestApp, jars = new Map<string, CookieJar>()) {
  const { port } = new URL(app.url);
  const jar = (host: string) => {
    const known = jars.get(host) ?? createCookieJar();
    jars.set(host, known);
    return known;
  };

  async function send(
    address: string,
    headers: Record<string, string> = page,
    method = 'GET',
  ): Promise<Answer> {
    const { hostname, host, pathname, search } = new URL(address);
    const cookie = jar(hostname).header(pathname);
    const sent = request({
      host: 'localhost',
      port,
      path: pathname + search,
      method,
      headers: { host, ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const received = new Headers();
    for (let at = 0; at < answer.rawHeaders.length; at += 2)
      received.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
    jar(hostname).take({ headers: received } as Response, pathname);
    const location = received.get('location');
    return {
      status: answer.statusCode ?? 0,
      location: location === null ? null : new URL(location, address).href,
      body: await text(answer),
      headers: received,
    };
  }

  /** Follows redirects, until something is shown or an address fits. */
  async function go(address: string, until = /^$/): Promise<Answer & { address: string; hops: string[] }> {
    const hops: string[] = [];
    for (let here = address; ;) {
      hops.push(here);
      if (until.test(here))
        return { status: 0, location: here, body: '', headers: new Headers(), address: here, hops };
      const answer = await send(here);
      if (answer.location === null) return { ...answer, address: here, hops };
      if (hops.length > 20) throw new Error(`A loop: ${hops.join(' → ')}`);
      here = answer.location;
    }
  }

  /** The same, with the form of the sign-in where it is asked for. */
  async function signIn(address: string, email: string, until?: RegExp) {
    const form = await go(address);
    const uid = /\/idp\/sign-in\/([^/?]+)/.exec(form.address)?.[1] ?? '';
    const own = jar(new URL(app.config.publicUrl).hostname);
    const done = await app.call(
      submitSignIn,
      { params: { uid }, body: { email, password } },
      { cookies: own },
    );
    return go(new URL(done.body.next, app.config.origin).href, until);
  }

  return { jar, jars, send, go, signIn };
}

describe.each(engines)('GATE-6: an application with a host of its own on %s', (engine) => {
  const clock = movableClock(Date.parse('2026-03-01T12:00:00Z'));
  let app: TestApp;
  let application: Awaited<ReturnType<typeof startApplication>>;
  let mapServer: Awaited<ReturnType<typeof startMapServer>>;
  let [main, shop, wiki] = ['', '', ''];
  let people = 0;

  beforeAll(async () => {
    application = await startApplication();
    const { url } = application;
    const file = readUpstreams(
      JSON.stringify({
        upstreams: [
          { name: 'home', url },
          { name: 'shop', url, host: 'shop.localhost', rules: [{ path: '/api', access: 'token' }] },
          { name: 'wiki', url, host: 'wiki.localhost', rules: [{ path: '/api', access: 'token' }] },
        ],
      }),
    ) as UpstreamsFile;
    mapServer = await startMapServer();
    const geoserver = { url: mapServer.url, single: false };
    app = await startApp({ engine, clock, config: { basePath: '/portico', geoserver, ...file } });
    // Before there is an operator the way leads to the set-up.
    await addMia(['operator']);
    main = app.config.origin;
    [shop, wiki] = ['shop', 'wiki'].map((name) => main.replace('//localhost', `//${name}.localhost`)) as [
      string,
      string,
    ];
    return async () => {
      await endApp(app);
      application.stop();
      mapServer.stop();
    };
  });

  async function addMia(roles: PersonToAdd['roles'] = ['member']): Promise<string> {
    const email = `mia-${(people += 1)}@example.org`;
    await addPerson(app, { email, password, roles });
    return email;
  }
  /** The path of a picture that its person and operators may read. */
  async function avatarOf(person: SignedIn): Promise<string> {
    const [file] = await upload(app, person, [{ filename: 'me.png', bytes: pictureFile('png', 8, 8) }]);
    const params = { userId: 'current' };
    const { version } = (await person.call(getProfile, { params })).body;
    const texts = { firstName: '', lastName: '', phone: '', organisation: '', jobTitle: '' };
    const body = { ...texts, locale: null, timeZone: null, avatar: file?.id ?? null, version };
    expect((await person.call(updateProfile, { params, body })).status).toBe(200);
    return `/portico/v1/files/${file?.id}`;
  }

  const arriving = /\/auth\/arrive\?/;

  it('GATE-6, SES-1: leads through one sign-in to the same address, and without another one to the next host', async () => {
    const browser = openBrowser(app);
    const email = await addMia();
    const there = await browser.signIn(`${shop}/orders?page=2&x=%2F`, email);
    expect([there.status, there.address]).toEqual([200, `${shop}/orders?page=2&x=%2F`]);
    // The application gets no cookie of Portico's.
    expect(there.body).toBe(`shop.localhost ${email} undefined`);
    const next = await browser.go(`${wiki}/`);
    expect([next.body, next.hops.some((hop) => hop.includes('/idp/'))]).toEqual([
      `wiki.localhost ${email} undefined`,
      false,
    ]);

    // A code is in no line of the log.
    expect(JSON.stringify(app.log)).not.toContain('code=');
    const cookies = [main, shop, wiki].map((at) =>
      browser.jar(new URL(at).hostname).find(/^portico_session_/),
    );
    expect(new Set(cookies).size).toBe(3);
    expect(browser.jar('shop.localhost').find(/portico_hand_over_/)).toBeNull();

    // Scripts are refused, and led nowhere.
    const call = await openBrowser(app).send(`${shop}/x`, { 'sec-fetch-mode': 'cors' });
    expect([call.status, call.location]).toEqual([401, null]);
  });

  it('GATE-6, SES-2: a code is accepted once, in time, at its host, from the browser that asked', async () => {
    const mia = openBrowser(app);
    const email = await addMia();
    await mia.signIn(`${shop}/`, email);

    const asked = await mia.go(`${wiki}/a`, arriving);
    const { code, ...rest } = Object.fromEntries(new URL(asked.address).searchParams) as { code: string };
    expect(rest).toEqual({ returnTo: '/a' });
    const failed = /\/auth\/failed\?reason=/;
    // The code at another host, at that of PUBLIC_URL, and in a browser that has asked for another code.
    const other = openBrowser(app);
    await other.send((await other.send(`${wiki}/a`)).location ?? '');
    for (const [who, at] of [
      [mia, shop],
      [mia, main],
      [other, wiki],
      [openBrowser(app), wiki],
    ] as const) {
      const host = new URL(at).hostname;
      const before = who.jar(host).find(/^portico_session_/);
      const refused = await who.send(`${at}/portico/auth/arrive?code=${code}&returnTo=/a`);
      expect(refused.headers.getSetCookie()).toEqual([]);
      expect(who.jar(host).find(/^portico_session_/)).toBe(before);
    }
    const copy = new Map([...mia.jars].map(([host, jar]) => [host, jar.copy()]));
    const good = await mia.send(asked.address);
    expect([good.location, good.headers.get('referrer-policy')]).toEqual([`${wiki}/a`, 'no-referrer']);
    expect((await mia.go(`${wiki}/a`)).body).toContain(email);
    // The same browser, as it was before.
    const replayed = await openBrowser(app, copy).send(asked.address);
    expect(replayed.location).toMatch(failed);
    // Back in the history.
    expect((await mia.send(asked.address)).location).toBe(`${wiki}/a`);

    const late = openBrowser(app, new Map([['localhost', mia.jar('localhost').copy()]]));
    const waits = await late.go(`${wiki}/b`, arriving);
    clock.move(handOverCodeMs);
    const refused = await late.send(waits.address);
    expect(refused.location).toBe(`${wiki}/portico/auth/failed?reason=hand-over&returnTo=%2Fb`);
    expect((await late.go(refused.location ?? '')).status).toBe(200);
    expect((await late.go(`${wiki}/portico/auth/login?returnTo=%2Fb`)).body).toContain(email);
  });

  it('GATE-6: nobody plants a session of their own in the browser of another person', async () => {
    const eve = openBrowser(app);
    await eve.signIn(`${shop}/`, await addMia());
    const planted = (await eve.go(`${wiki}/`, arriving)).address;
    const mia = openBrowser(app);
    const email = await addMia();
    expect((await mia.send(planted)).location).toContain('reason=cookies');
    await mia.send(`${wiki}/`);
    await mia.send((await mia.send(`${wiki}/`)).location ?? '');
    expect((await mia.send(planted)).location).toContain('reason=hand-over');
    expect((await mia.signIn(`${wiki}/`, email)).body).toContain(email);
    // A person who is signed in there already stays signed in.
    await mia.go(planted);
    expect((await mia.go(`${wiki}/`)).body).toContain(email);
  });

  it('GATE-6: hosts that are not configured, and cookies of other hosts, lead nowhere', async () => {
    const browser = openBrowser(app);
    const email = await addMia();
    await browser.signIn(`${shop}/`, email);
    const challenge = 'A'.repeat(43);
    for (const host of [
      'evil.example.org',
      'localhost',
      'shop.localhost.evil.example.org',
      'SHOP.localhost',
      'shop.localhost:81',
      '',
    ]) {
      const query = new URLSearchParams({ host, challenge, returnTo: '/' }).toString();
      const refused = await browser.send(`${main}/portico/auth/hand-over?${query}`);
      expect(refused.location).toBe(`${main}/portico/auth/failed?reason=hand-over`);
    }
    for (const returnTo of [
      'https://evil.example.org/',
      '//evil.example.org/',
      `${main}/x`,
      '/\\evil.example.org',
    ]) {
      const begun = await openBrowser(app).send(
        `${shop}/portico/auth/login?returnTo=${encodeURIComponent(returnTo)}`,
      );
      expect(new URL(begun.location ?? '').searchParams.get('returnTo')).toBe('/');
    }

    const [mains, shops] = ['localhost', 'shop.localhost'].map((host) => browser.jar(host).header('/'));
    const bare = openBrowser(app);
    for (const [at, cookie] of [
      [main, shops],
      [shop, mains],
      [wiki, shops],
      [wiki, mains],
    ] as const) {
      const token = await bare.send(`${at}/portico/auth/token`, { ...script, cookie: cookie ?? '' }, 'POST');
      expect([token.status, token.body]).toEqual([401, expect.stringContaining('SESSION_ENDED')]);
      const call = await bare.send(`${at}/x`, { 'sec-fetch-mode': 'cors', cookie: cookie ?? '' });
      expect(call.status).toBe(401);
    }
  });

  it('GATE-6, GATE-3, SES-2: its pages have the person and a token without the rights of the console, and those of another host nothing', async () => {
    const browser = openBrowser(app);
    await browser.signIn(`${shop}/`, await addMia(['operator']));
    const headers = { ...script, origin: shop, 'sec-fetch-site': 'same-origin' };
    const embed = JSON.parse((await browser.send(`${shop}/portico${getEmbed.path}`, headers)).body) as {
      user: unknown;
      token: { accessToken: string };
    };
    expect(embed.user).not.toBeNull();
    const renewed = await browser.send(`${shop}/portico${renewToken.path}`, headers, 'POST');
    const { accessToken } = JSON.parse(renewed.body) as { accessToken: string };
    const picture = await avatarOf(await signIn(app));
    for (const given of [embed.token.accessToken, accessToken]) {
      for (const route of [listPeople, getOverview, endOtherSessions, retainedDraftsKey])
        expect((await app.call(route, {}, { accessToken: given })).problem).toMatchObject({
          code: 'RIGHT_MISSING',
          detail: expect.stringContaining('Portico’s own pages'),
        });
      // No way into another application.
      const authorization = `Bearer ${given}`;
      expect((await fetch(app.config.origin + picture, { headers: { authorization } })).status).toBe(403);
      const statusAt = async (at: string) => (await browser.send(`${at}/api/x`, { authorization })).status;
      expect([await statusAt(shop), await statusAt(wiki)]).toEqual([200, 401]);
    }
    const atMain = await browser.send(
      `${main}/portico${renewToken.path}`,
      { ...script, origin: main },
      'POST',
    );
    const own = JSON.parse(atMain.body) as { accessToken: string };
    const authorization = `Bearer ${own.accessToken}`;
    expect((await fetch(app.config.origin + picture, { headers: { authorization } })).status).toBe(200);
    expect((await browser.send(`${wiki}/api/x`, { authorization })).status).toBe(200);
    for (const origin of [main, wiki, 'https://evil.example.org'])
      for (const path of [renewToken.path, signOut.path]) {
        const refused = await browser.send(`${shop}/portico${path}`, { ...script, origin }, 'POST');
        expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('CROSS_SITE')]);
      }
    const changed = await browser.send(`${shop}/x`, { origin: main }, 'POST');
    expect([changed.status, changed.body]).toEqual([403, expect.stringContaining('CROSS_SITE')]);
    // The map is at Portico's own host alone: its layers take rights.
    const tile =
      '/portico/geoserver/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=town:streets&STYLES=&CRS=EPSG:3857&BBOX=0,0,1,1&WIDTH=256&HEIGHT=256&FORMAT=image/png';
    const setMap = async (at: string, accessToken: string) => {
      const bearer = { authorization: `Bearer ${accessToken}` };
      return (await browser.send(`${at}/portico${setMapCookie.path}`, bearer, 'POST')).status;
    };
    const tileAt = async (at: string) =>
      (await browser.send(`${at}${tile}`, { 'sec-fetch-site': 'same-origin' })).status;
    for (const at of [shop, main]) expect(await setMap(at, embed.token.accessToken)).toBe(403);
    expect([await tileAt(shop), await setMap(main, own.accessToken), await tileAt(main)]).toEqual([
      403, 204, 200,
    ]);
    // Nor is the map closed from there.
    const handles = () => app.database.read.selectFrom('map_cookie').select('session_id').execute();
    const before = await handles();
    for (const headers of [script, { ...script, authorization: `Bearer ${embed.token.accessToken}` }])
      await browser.send(`${shop}/portico${removeMapCookie.path}`, headers, 'DELETE');
    expect(await handles()).toEqual(before);
    // Portico's own screens are at its own host alone.
    for (const screen of ['people?page=2', 'set-up', 'idp/sign-in/x', 'invitation'])
      expect((await browser.send(`${shop}/portico/${screen}`)).location).toBe(`${main}/portico/${screen}`);
  });

  it('GATE-6, SES-7: a sign-out at one host is one at all of them, at once', async () => {
    const browser = openBrowser(app);
    const email = await addMia();
    await browser.signIn(`${shop}/`, email);
    await browser.go(`${wiki}/`);
    const asked = await browser.go(`${wiki}/portico/auth/login`, arriving);
    const events = browser.send(`${shop}/events`, { accept: 'text/event-stream' }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await expect.poll(() => application.streams.size).toBe(1);
    const headers = { ...script, origin: wiki };
    expect((await browser.send(`${wiki}/portico${signOut.path}`, headers, 'POST')).status).toBe(200);
    expect(await events).toBe('aborted');
    expect(browser.jar('wiki.localhost').find(/^portico_(?!hand_over)/)).toBeNull();
    for (const at of [main, shop, wiki]) {
      const call = await browser.send(`${at}/x`, { 'sec-fetch-mode': 'cors' });
      expect([at, call.status]).toEqual([at, 401]);
    }
    // Neither does a code from before bring it back, nor is a person told that it is their cookies.
    expect((await browser.send(asked.address)).location).toContain('reason=hand-over');
    expect((await browser.go(`${shop}/`)).address).toContain('/idp/sign-in/');
    const { n } = await app.database.read
      .selectFrom('host_session')
      .innerJoin('session', 'session.id', 'host_session.session_id')
      .select((query) => query.fn.countAll<string | number>().as('n'))
      .innerJoin('person', 'person.id', 'session.person_id')
      .where('person.email', '=', email)
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(0);
  });

  it('GATE-6, SES-1, SES-7: a block and the end of its time end it at every host, at once', async () => {
    const [sam, kim] = [openBrowser(app), openBrowser(app)];
    const email = await addMia();
    await sam.signIn(`${shop}/`, email);
    await kim.signIn(`${shop}/`, await addMia());
    const asked = await sam.go(`${wiki}/`, arriving);
    const accessToken = await addToken(app, { rights: ['PEOPLE_READ', 'PEOPLE_WRITE'] });
    const { body } = await app.call(listPeople, { query: { search: email } }, { accessToken });
    const { id: personId, version } = body.people[0] as { id: string; version: number };
    const params = { personId };
    await app.call(setBlocked, { params, body: { blocked: true, version } }, { accessToken });
    const call = { 'sec-fetch-mode': 'cors' };
    expect((await sam.send(`${shop}/x`, call)).status).toBeGreaterThan(400);
    expect((await sam.send(asked.address)).headers.getSetCookie().join()).not.toContain('portico_session_');
    expect((await sam.go(`${shop}/`)).address).not.toBe(`${shop}/`);

    expect((await kim.send(`${shop}/x`, call)).status).toBe(200);
    clock.move(app.config.sessionIdleMs + 1);
    expect((await kim.send(`${shop}/x`, call)).status).toBe(401);
    expect((await kim.go(`${shop}/`)).address).toContain('/idp/sign-in/');
  });

  it('GATE-6: without cookies it ends at a page that explains it', async () => {
    const browser = openBrowser(app);
    await browser.signIn(`${main}/`, await addMia());
    const asked = await browser.go(`${shop}/a`, arriving);
    browser.jars.set('shop.localhost', createCookieJar());
    const failed = await browser.go(asked.address);
    expect([failed.status, failed.address]).toEqual([
      200,
      `${shop}/portico/auth/failed?reason=cookies&returnTo=%2Fa`,
    ]);
    // The cookie of the session is lost on its way, as behind a proxy that removes it.
    const again = await browser.go(`${shop}/a`, arriving);
    const arrived = await browser.send(again.address);
    const jar = createCookieJar();
    const only = arrived.headers.getSetCookie().filter((line) => line.includes('_arrived_'));
    jar.take(
      { headers: new Headers(only.map((line): [string, string] => ['set-cookie', line])) } as Response,
      '/',
    );
    browser.jars.set('shop.localhost', jar);
    const lost = await browser.go(`${shop}/a`);
    expect(lost.address).toBe(`${shop}/portico/auth/failed?reason=cookies&returnTo=%2Fa`);
    expect((await browser.go(`${shop}/portico/auth/login?returnTo=%2Fa`)).status).toBe(200);
  });
});
