import type { Browser, Page } from '@playwright/test';
import { proofEndedPage } from '#contract/pages.ts';
import { setRoles } from '#features/people/contract/people.ts';
import { beginProof } from '#features/session/contract/session.ts';
import { ask, call } from '../call.ts';
import { client, cutClient, startLemonLdap, type LemonLdap } from './lemonldap.ts';
import { bearerOf, type Installation, query, runPortico, startPortico, tokenOf } from './portico.ts';
import { eventually, fourFreePorts } from './programs.ts';
import { nginxServers, proxyReady, startNginx } from './proxies.ts';
import { checksOf, must } from './table.ts';

const check = checksOf('LemonLDAP::NG');

/** Checks the sign-in at the portal, behind nginx, from the first check of the configuration to signing out. */
export async function checkLemonLdap(folder: string, browser: Browser): Promise<void> {
  const [portalPort, https, http, port] = await fourFreePorts();
  const url = `https://localhost:${https}`;
  const issuer = `https://localhost:${portalPort}/`;
  const portal = startLemonLdap(folder, portalPort, url);
  startNginx(folder, nginxServers(folder, { https, http, portico: port }), portal.nginxServer);
  const settings = {
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    // The header is the harder way; by default Portico would use the body, which the portal lists first.
    OIDC_CLIENT_AUTH: 'basic',
    OPERATOR_EMAIL: 'dwho@badwolf.org',
    NODE_EXTRA_CA_CERTS: `${folder}/cert.pem`,
  };
  const installation = { folder, port, settings };
  await portal.ready();
  await checkConfiguration(installation);
  await checkWrongSecret(browser, url, installation);
  await startPortico(installation);
  await proxyReady(url);
  await checkPeople(browser, { portal, installation, url, issuer });
}

const changed = (installation: Installation, settings: Installation['settings']): Installation => ({
  ...installation,
  settings: { ...installation.settings, ...settings },
});

async function checkConfiguration(installation: Installation): Promise<void> {
  const checkWith = (settings: Installation['settings']) =>
    runPortico(changed(installation, settings), ['oidc', 'check']);
  for (const way of ['auto', 'basic', 'post'])
    await check(`portico oidc check, OIDC_CLIENT_AUTH=${way}`, () => {
      const { code, output } = checkWith({ OIDC_CLIENT_AUTH: way });
      must(code === 0 && !output.includes('FAILED'), `It answered ${code}: ${output}`);
      return /^warning .*$/m.exec(output)?.[0] ?? '';
    });
  await check('portico oidc check, a client whose header the portal cuts', () => {
    const cut = { OIDC_CLIENT_ID: cutClient.id, OIDC_CLIENT_SECRET: cutClient.secret };
    const [auto, basic] = ['auto', 'basic'].map((way) => checkWith({ ...cut, OIDC_CLIENT_AUTH: way }));
    must(auto?.code === 0, `It answered ${auto?.code}: ${auto?.output}`);
    must(basic?.output.includes('set OIDC_CLIENT_AUTH=post') === true, `By header: ${basic?.output}`);
  });
  await check('portico oidc check names a wrong secret', () => {
    const { code, output } = checkWith({ OIDC_CLIENT_SECRET: 'another' });
    must(code === 1 && /FAILED\s+Client .*OIDC_CLIENT_SECRET/.test(output), `It answered ${code}: ${output}`);
  });
}

async function typeAccount(browser: Browser, url: string, account: string): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('input[name=user]').fill(account);
  await typePassword(page, account);
  return page;
}

async function typePassword(page: Page, account: string): Promise<void> {
  await page.locator('input[name=password]').fill(account);
  await page.locator('input[name=password]').press('Enter');
}

/** Signs in, and waits until the application is there. */
async function signIn(browser: Browser, url: string, account: string): Promise<Page> {
  const page = await typeAccount(browser, url, account);
  await page.getByRole('navigation').first().waitFor();
  return page;
}

async function checkWrongSecret(browser: Browser, url: string, installation: Installation): Promise<void> {
  const portico = await startPortico(changed(installation, { OIDC_CLIENT_SECRET: 'another' }));
  await check('a sign-in with a wrong secret says so, on the page and in the log', async () => {
    const page = await typeAccount(browser, url, 'dwho');
    await page.getByRole('heading', { name: 'Signing in is not set up correctly' }).waitFor();
    await page.close();
    const line = /^.*client-refused.*$/m.exec(portico.output())?.[0] ?? '';
    must(line.includes('compare OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'), `The log said: ${line}`);
    must(line.includes(client.id), `The log does not name the client: ${line}`);
  });
  await portico.stop();
}

type Parts = { portal: LemonLdap; installation: Installation; url: string; issuer: string };

async function checkPeople(browser: Browser, parts: Parts): Promise<void> {
  const { portal, installation, url, issuer } = parts;
  const forgetProofs = () => query(installation, 'update session set proved_at = 0');
  let page: Page | null = null;
  const signedIn = (): Page => {
    if (page === null) throw new Error('The sign-in failed.');
    return page;
  };

  await check('a sign-in by header, with a secret of - _ . ~ * !', async () => {
    page = await signIn(browser, url, 'dwho');
  });
  await check('name, verified address and groups arrive', async () => {
    const bearer = await bearerOf(signedIn());
    const profile = await call<Record<string, string>>(url, bearer, 'GET', '/v1/users/current/profile');
    const name = `${profile['firstName']} ${profile['lastName']} ${profile['email']}`;
    must(name === 'Doctor Who dwho@badwolf.org', `It is ${name}`);
    const rows = query(installation, 'select name from person_group order by name');
    const groups = rows.map(({ name }) => name).join(', ');
    must(groups === 'timelords, users', `The groups are ${groups}.`);
    return groups;
  });
  await check('OPERATOR_EMAIL, verified by a macro, makes the first operator', async () => {
    await signedIn().getByRole('link', { name: 'People', exact: true }).waitFor({ timeout: 15_000 });
  });
  await check('a refresh in the background', async () => {
    checkSessionsNow(installation);
    const checked = `next_check_at > ${Date.now()} and failures = 0 and unsure_since is null`;
    const sql = `select 1 from provider_session where ${checked}`;
    await eventually('The refresh token was not used.', () => query(installation, sql).length > 0);
    must((await tokenOf(signedIn())).accessToken !== undefined, 'The session has ended.');
  });
  await check(
    'a dangerous step asks for a sign-in there (prompt, max_age), whose auth_time proves it',
    async () => {
      const here = signedIn();
      forgetProofs();
      must((await giveRoles(here, url)) === 'PROOF_NEEDED', 'A sign-in of long ago was enough.');
      const before = Math.floor(Date.now() / 1000) * 1000;
      const at = await prove(here, url, 'dwho');
      must(at === 'proved', `The proof ended as ${at}.`);
      const [row] = query(installation, 'select max(proved_at) as at from session');
      must(Number(row?.['at']) >= before, `auth_time is that of the earlier sign-in: ${String(row?.['at'])}`);
      must((await giveRoles(here, url)) === 'NOT_FOUND', 'The proof does not count.');
    },
  );
  await check('an old auth_time proves nothing, although there was a sign-in', async () => {
    const here = await signIn(browser, url, 'rtyler');
    forgetProofs();
    const at = await prove(here, url, 'rtyler');
    must(at === 'old', `The proof ended as ${at}.`);
    const proved = query(installation, 'select 1 from session where proved_at > 0');
    must(proved.length === 0, 'It counts as a proof.');
    await here.close();
    portal.endSessions('rtyler', 'all');
  });
  await check('its session ended in the portal (as for a disabled account): ended here', async () => {
    const ended = portal.endSessions('dwho', 'single sign-on');
    must(ended > 0, 'There was no session to end.');
    await endsHere(installation, signedIn());
    await signedIn().close();
  });
  await check('its refresh token unknown there (invalid_request): ended here', async () => {
    const here = await signIn(browser, url, 'rtyler');
    must(portal.endSessions('rtyler', 'all') > 1, 'There was no refresh token to end.');
    await endsHere(installation, here);
    await here.close();
  });
  await check('signing out of Portico signs out of the portal', async () => {
    const here = await signIn(browser, url, 'msmith');
    await here.getByRole('button', { name: /account/i }).click();
    await here.getByRole('menuitem', { name: 'Sign out' }).click();
    await here.locator('input[name=password]').waitFor();
    await here.goto(issuer);
    await here.locator('input[name=password]').waitFor();
    await here.close();
  });
  await check('signing out of the portal is noticed here, by the next check', async () => {
    const here = await signIn(browser, url, 'msmith');
    const other = await here.context().newPage();
    await other.goto(`${issuer}?logout=1`);
    await endsHere(installation, here);
    await here.close();
  });
}

/** Tries a step that asks for a proof; returns the code of the answer. No person has this id. */
async function giveRoles(page: Page, url: string): Promise<unknown> {
  const path = setRoles.path.replace(':personId', 'nobody');
  const { body } = await ask(url, await bearerOf(page), 'PUT', path, { roles: [], version: 1 });
  return body['code'];
}

/** Signs in again at the portal, which has to ask for it; returns how the proof ended. */
async function prove(page: Page, url: string, account: string): Promise<string | null> {
  const window = await page.context().newPage();
  await window.goto(`${url}${beginProof.path}`);
  await window.getByRole('button', { name: 'Renew session' }).click();
  await typePassword(window, account);
  await window.waitForURL(({ pathname }) => pathname === proofEndedPage.path);
  const ended = new URL(window.url()).searchParams.get('outcome');
  await window.close();
  return ended;
}

/** Has the server check all sessions by their refresh tokens now, instead of in ten minutes. */
function checkSessionsNow(installation: Installation): void {
  query(installation, 'update provider_session set next_check_at = 1 where refresh_token is not null');
}

async function endsHere(installation: Installation, page: Page): Promise<void> {
  checkSessionsNow(installation);
  await eventually('The session goes on.', async () => (await tokenOf(page)).code === 'SESSION_ENDED');
}
