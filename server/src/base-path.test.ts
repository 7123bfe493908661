import { createServer, request as httpRequest } from 'node:http';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createFlag, listClientKeys } from '#features/flags/contract/flags.ts';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { invitePerson } from '#features/people/contract/people.ts';
import { listProjects } from '#features/diagnostics/contract/projects.ts';
import { setMapCookie, signOut } from '#features/session/contract/session.ts';
import { expect, it } from 'vitest';
import { startApp, type TestApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { startProcess } from './testing/child-process.ts';
import { contractRoutes } from './testing/contract-routes.ts';
import { flagClient } from './testing/flag-client.ts';
import { afterThisTest } from './testing/fresh-database.ts';
import { startMailServer } from './testing/mail-server.ts';
import { addPerson } from './testing/people.ts';
import { pngFile } from './testing/png.ts';
import { bodyFor, request } from './testing/route-request.ts';
import { signIn } from './testing/signed-in.ts';

const basePath = '/portico/deep';
const page = { accept: 'text/html' };

it('GATE-1: everything answers below the base path, makes its addresses there, and nothing is outside it', async () => {
  const mail = await startMailServer();
  const app = await startApp({ engine: 'sqlite', config: { basePath, mail: mail.settings } });
  const { origin } = app.config;
  const ada = await signIn(app, { roles: ['operator'] });

  const wrong: unknown[] = [];
  for (const [name, route] of await contractRoutes()) {
    const ask = async (at: string, headers: Record<string, string> = {}) => {
      const { status, code } = await request(`${origin}${at}`, route, { body: bodyFor(route), headers });
      return `${status} ${code ?? ''}`;
    };
    const below = await ask(basePath, page);
    // What is not there is not there without the base path either.
    if (below.startsWith('404') && !(await ask('', page)).startsWith('404')) wrong.push([name, below]);
    // No other path has it: one that only begins the same, in another case, or encoded.
    for (const outside of ['/portico/deeper', '/portico', '/Portico/deep', '/portico/%64eep'])
      if ((await ask(outside)).startsWith('200')) wrong.push([name, outside]);
  }
  expect(wrong).toEqual([]);
  const paths = app.log.map(({ req }) => (req as { path?: string } | undefined)?.path);
  // As the client sent it.
  expect(paths).toContain(`${basePath}/v1/maintenance/status`);
  await goesThroughSignIn(app, app.url);

  const names = { firstName: 'Ina', lastName: '', roles: [] };
  const invited = await ada.call(invitePerson, { body: { email: 'ina@example.org', ...names } });
  expect(invited.body.invitation?.link.startsWith(`${app.url}/invitation#`)).toBe(true);
  expect((await mail.arrived(1)).link.startsWith(`${app.url}/invitation#`)).toBe(true);

  await changeMaintenance(ada, { mode: 'full', severity: 'HIGH' });
  const refused = await fetch(`${app.url}/reports?a=1`, { headers: page, redirect: 'manual' });
  const notice = refused.headers.get('location');
  expect(notice).toBe(`${basePath}/system-maintenance?from=${encodeURIComponent(`${basePath}/reports?a=1`)}`);
  expect(await (await fetch(`${origin}${notice}`)).text()).not.toMatch(/(?:href|src)="\/(?!portico\/deep\/)/);

  const openapi = (await (await fetch(`${app.url}/openapi.json`)).json()) as { servers: unknown };
  expect(openapi.servers).toEqual([{ url: app.url }]);
  const discovery = (await (await fetch(`${app.url}/idp/.well-known/openid-configuration`)).json()) as Record<
    string,
    unknown
  >;
  expect(discovery['issuer']).toBe(`${app.url}/idp`);
  const addresses = Object.entries(discovery).filter(([name]) => /_endpoint$|_uri$/.test(name));
  expect(addresses.length).toBeGreaterThan(2);
  expect(addresses.filter(([, address]) => !String(address).startsWith(`${app.url}/idp/`))).toEqual([]);
});

it('GATE-1: SDKs of GrowthBook and Sentry work with an address that has a path', async () => {
  const app = await startApp({ engine: 'sqlite', config: { basePath } });
  const ada = await signIn(app, { roles: ['operator'] });
  const { apiHost, clientKeys } = (await ada.call(listClientKeys, {})).body;
  expect(apiHost).toBe(app.url);
  const client = await flagClient(apiHost, clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '');
  const flag = { type: 'boolean', enabled: true, description: '', defaultValue: true } as const;
  await ada.call(createFlag, { body: { ...flag, key: 'late', rules: [], tags: [] } });
  await expect.poll(() => client.isOn('late')).toBe(true);

  const { projects } = (await ada.call(listProjects, {})).body;
  const dsn = projects[0]?.keys[0]?.dsn ?? '';
  expect(dsn).toMatch(new RegExp(`^http://[0-9a-f]+@localhost:\\d+${basePath}/1$`));
  const picture = join(app.place.dataDir, 'screenshot-to-send.png');
  writeFileSync(picture, pngFile({ width: 4, height: 4, pixels: Buffer.alloc(64, 7) }));
  const child = startProcess('testing/sentry-sdk-process.ts', ['@sentry/node', dsn, 'usual', picture, 'x']);
  await child.line(/^\{/);
  await child.ended;
  const groups = await app.database.read.selectFrom('error_group').select('message').execute();
  expect(groups).toContainEqual({ message: 'cannot load' });
});

it('GATE-1: works the same behind a proxy that takes the base path off', async () => {
  const proxy = createServer((incoming, answer) => {
    const { method, url = '', headers } = incoming;
    const path = url.slice(basePath.length) || '/';
    const onward = httpRequest({ host: '127.0.0.1', port: app.config.port, method, path, headers });
    onward.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  afterThisTest(() => new Promise<void>((closed) => proxy.close(() => closed())));
  const publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}${basePath}`;
  const app: TestApp = await startApp({ engine: 'sqlite', config: { publicUrl } });
  await goesThroughSignIn(app, publicUrl);
  expect(app.log.map(({ req }) => (req as { path?: string } | undefined)?.path)).toContain('/auth/login');
});

/** From a page to the sign-in and back to it, and out again; with the cookies and addresses of all that. */
async function goesThroughSignIn(app: TestApp, url: string): Promise<void> {
  const account = { email: 'mia@example.org', password: 'seven green lanterns' };
  await addPerson(app, { ...account, roles: ['operator'] });
  const browser = openBrowser(url);
  const first = await fetch(`${url}/profile?tab=1`, { headers: page, redirect: 'manual' });
  const returnTo = `${basePath}/profile?tab=1`;
  expect(first.headers.get('location')).toBe(
    `${basePath}/auth/login?returnTo=${encodeURIComponent(returnTo)}`,
  );
  const { hops } = await browser.go(`${basePath}/auth/login`);
  expect(hops.every((hop) => hop.startsWith(`${basePath}/`))).toBe(true);
  expect(await browser.signIn(account, returnTo)).toEqual({ path: returnTo, problem: null });
  // Only the session's cookie is shown to other applications of the host.
  expect(browser.cookies.header('/orders')).toMatch(/^portico_session_\w+=[\w-]+$/);
  expect(browser.cookies.header('/auth/callback')).not.toMatch(/sign_in/);

  const html = await (
    await fetch(`${url}/`, { headers: { ...page, cookie: browser.cookies.header(`${basePath}/`) } })
  ).text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(loaded.length).toBeGreaterThan(1);
  expect(loaded.filter((address) => !address.startsWith(`${basePath}/`))).toEqual([]);
  expect(html).toContain(`data-portico-base="${basePath}"`);

  const { accessToken } = (await browser.renew({ origin: app.config.origin })).body;
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as object;
  expect(claims).toMatchObject({ iss: url });
  const map = await request(url, setMapCookie, { accessToken });
  expect(map.headers.get('set-cookie')).toContain(`Path=${basePath}/geoserver;`);
  const out = await request(url, signOut, { cookies: browser.cookies });
  expect(String(out.json?.['next']).startsWith(`${url}/idp/session/end?`)).toBe(true);
  expect(browser.cookies.header(`${basePath}/`)).not.toMatch(/portico_session/);
}
