import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { proofEndedPage } from '#contract/pages.ts';
import { setRoles } from '#features/people/contract/people.ts';
import { beginProof } from '#features/session/contract/session.ts';
import { client, cutClient, startLemonLdap, type LemonLdap } from './lemonldap.ts';
import { runPortico, startPortico, type Installation, type Portico } from './portico.ts';
import { eventually, fourFreePorts } from './programs.ts';
import { nginxServers, proxyReady, startNginx, type Certificate } from './proxies.ts';
import { ask, bearerOf, send, tokenOf } from './requests.ts';
import { must, type Table } from './table.ts';

const area = 'LemonLDAP::NG';

/** Checks the sign-in at the portal, behind nginx, from the first check of the configuration to signing out. */
export async function checkLemonLdap(
  table: Table,
  browser: Browser,
  folder: string,
  certificate: Certificate,
): Promise<void> {
  const [portalPort, https, http, port] = await fourFreePorts();
  const url = `https://localhost:${https}`;
  const issuer = `https://localhost:${portalPort}/`;
  const tls = `ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};`;
  const portal = startLemonLdap(folder, { portalPort, porticoUrl: url, tls });
  const nginx = startNginx(folder, [
    nginxServers({ https, http, portico: port }, certificate),
    portal.nginxServer,
  ]);
  const settings = {
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    // The header is the harder way; by default Portico would use the body, which the portal lists first.
    OIDC_CLIENT_AUTH: 'basic',
    OPERATOR_EMAIL: 'dwho@badwolf.org',
    NODE_EXTRA_CA_CERTS: certificate.cert,
  };
  const installation = { folder: join(folder, 'oidc'), port, settings };
  try {
    await portal.ready();
    await checkConfiguration(table, installation);
    await checkWrongSecret(table, browser, url, installation);
    const portico = await startPortico(installation);
    try {
      await proxyReady(nginx, url);
      await checkPeople(table, browser, { portal, portico, url, issuer });
    } finally {
      await portico.program.stop();
    }
  } finally {
    await nginx.stop();
    await portal.program.stop();
  }
}

const changed = (installation: Installation, settings: Installation['settings']): Installation => ({
  ...installation,
  settings: { ...installation.settings, ...settings },
});

async function checkConfiguration(table: Table, installation: Installation): Promise<void> {
  const check = (settings: Installation['settings']) =>
    runPortico(changed(installation, settings), ['oidc', 'check']);
  for (const way of ['auto', 'basic', 'post'])
    await table.check(area, `portico oidc check, OIDC_CLIENT_AUTH=${way}`, () => {
      const { code, output } = check({ OIDC_CLIENT_AUTH: way });
      must(code === 0 && !output.includes('FAILED'), `It answered ${code}: ${output}`);
      return /^warning .*$/m.exec(output)?.[0] ?? '';
    });
  await table.check(area, 'portico oidc check, a client whose header the portal cuts', () => {
    const cut = { OIDC_CLIENT_ID: cutClient.id, OIDC_CLIENT_SECRET: cutClient.secret };
    const [auto, basic] = ['auto', 'basic'].map((way) => check({ ...cut, OIDC_CLIENT_AUTH: way }));
    must(auto?.code === 0, `It answered ${auto?.code}: ${auto?.output}`);
    must(basic?.output.includes('set OIDC_CLIENT_AUTH=post') === true, `By header: ${basic?.output}`);
  });
  await table.check(area, 'portico oidc check names a wrong secret', () => {
    const { code, output } = check({ OIDC_CLIENT_SECRET: 'another' });
    must(code === 1 && /FAILED\s+Client .*OIDC_CLIENT_SECRET/.test(output), `It answered ${code}: ${output}`);
  });
}

async function typeAccount(browser: Browser, url: string, account: string): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('input[name=user]').fill(account);
  await page.locator('input[name=password]').fill(account);
  await page.locator('input[name=password]').press('Enter');
  return page;
}

/** Signs in, and waits until the application is there. */
async function signIn(browser: Browser, url: string, account: string): Promise<Page> {
  const page = await typeAccount(browser, url, account);
  await page.getByRole('navigation').first().waitFor();
  return page;
}

async function checkWrongSecret(
  table: Table,
  browser: Browser,
  url: string,
  installation: Installation,
): Promise<void> {
  const portico = await startPortico(changed(installation, { OIDC_CLIENT_SECRET: 'another' }));
  await table.check(area, 'a sign-in with a wrong secret says so, on the page and in the log', async () => {
    const page = await typeAccount(browser, url, 'dwho');
    await page.getByRole('heading', { name: 'Signing in is not set up correctly' }).waitFor();
    await page.context().close();
    const line = /^.*client-refused.*$/m.exec(portico.program.output())?.[0] ?? '';
    must(line.includes('compare OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'), `The log said: ${line}`);
    must(line.includes(client.id), `The log does not name the client: ${line}`);
  });
  await portico.program.stop();
}

type Parts = { portal: LemonLdap; portico: Portico; url: string; issuer: string };

async function checkPeople(table: Table, browser: Browser, parts: Parts): Promise<void> {
  const { portal, portico, url, issuer } = parts;
  const check = (what: string, run: () => Promise<string | void>) => table.check(area, what, run);
  let page: Page | null = null;
  const signedIn = (): Page => {
    if (page === null) throw new Error('The sign-in failed.');
    return page;
  };

  await check('a sign-in by header, with a secret of - _ . ~ * !', async () => {
    page = await signIn(browser, url, 'dwho');
  });
  await check('name, verified address and groups arrive', async () => {
    const answer = await ask(`${url}/v1/users/current/profile`, { headers: await bearerOf(signedIn()) });
    must(answer.status === 200, `The profile answered ${answer.status}: ${answer.body}`);
    const { firstName, lastName, email } = JSON.parse(answer.body) as Record<string, string>;
    must(`${firstName} ${lastName} ${email}` === 'Doctor Who dwho@badwolf.org', `It is ${answer.body}`);
    const groups = portico.rows('select name from person_group order by name').map(({ name }) => name);
    must(groups.join() === 'timelords,users', `The groups are ${groups.join()}.`);
    return groups.join(', ');
  });
  await check('OPERATOR_EMAIL, verified by a macro, makes the first operator', async () => {
    await signedIn().getByRole('link', { name: 'People', exact: true }).waitFor({ timeout: 15_000 });
  });
  await check('a refresh in the background', async () => {
    await refreshed(portico);
    must((await tokenOf(signedIn())).accessToken !== undefined, 'The session has ended.');
  });
  await check(
    'a dangerous step asks for a sign-in there (prompt, max_age), whose auth_time proves it',
    async () => {
      const here = signedIn();
      portico.forgetProofs();
      must((await giveRoles(here, url)) === 'PROOF_NEEDED', 'A sign-in of long ago was enough.');
      const before = Math.floor(Date.now() / 1000) * 1000;
      const at = await prove(here, url, 'dwho');
      must(at === 'proved', `The proof ended as ${at}.`);
      const [row] = portico.rows('select max(proved_at) as at from session');
      must(Number(row?.['at']) >= before, `auth_time is that of the earlier sign-in: ${String(row?.['at'])}`);
      must((await giveRoles(here, url)) === 'NOT_FOUND', 'The proof does not count.');
    },
  );
  await check('an old auth_time proves nothing, although there was a sign-in', async () => {
    const here = await signIn(browser, url, 'rtyler');
    portico.forgetProofs();
    const at = await prove(here, url, 'rtyler');
    must(at === 'old', `The proof ended as ${at}.`);
    const proved = portico.rows('select 1 from session where proved_at > 0');
    must(proved.length === 0, 'It counts as a proof.');
    await here.context().close();
    portal.endSessions('rtyler', 'all');
  });
  await check('its session ended in the portal (as for a disabled account): ended here', async () => {
    const ended = portal.endSessions('dwho', 'single sign-on');
    must(ended > 0, 'There was no session to end.');
    await endsHere(portico, signedIn());
    await signedIn().context().close();
  });
  await check('its refresh token unknown there (invalid_request): ended here', async () => {
    const here = await signIn(browser, url, 'rtyler');
    must(portal.endSessions('rtyler', 'all') > 1, 'There was no refresh token to end.');
    await endsHere(portico, here);
    await here.context().close();
  });
  await check('signing out of Portico signs out of the portal', async () => {
    const here = await signIn(browser, url, 'msmith');
    await here.getByRole('button', { name: /account/i }).click();
    await here.getByRole('menuitem', { name: 'Sign out' }).click();
    await here.locator('input[name=password]').waitFor();
    await here.goto(issuer);
    await here.locator('input[name=password]').waitFor();
    await here.context().close();
  });
  await check('signing out of the portal is noticed here, by the next check', async () => {
    const here = await signIn(browser, url, 'msmith');
    const other = await here.context().newPage();
    await other.goto(`${issuer}?logout=1`);
    await endsHere(portico, here);
    await here.context().close();
  });
}

/** Tries a step that asks for a proof; returns the code of the answer. No person has this id. */
async function giveRoles(page: Page, url: string): Promise<string | undefined> {
  const path = setRoles.path.replace(':personId', 'nobody');
  const answer = await send(page, 'PUT', url + path, JSON.stringify({ roles: [], version: 1 }));
  return (JSON.parse(answer.body) as { code?: string }).code;
}

/** Signs in again at the portal, which has to ask for it; returns how the proof ended. */
async function prove(page: Page, url: string, account: string): Promise<string | null> {
  const window = await page.context().newPage();
  await window.goto(`${url}${beginProof.path}`);
  await window.getByRole('button', { name: 'Renew session' }).click();
  await window.locator('input[name=password]').fill(account);
  await window.locator('input[name=password]').press('Enter');
  await window.waitForURL(({ pathname }) => pathname === proofEndedPage.path);
  const ended = new URL(window.url()).searchParams.get('outcome');
  await window.close();
  return ended;
}

/** Has the session checked by its refresh token now, and waits until the check has succeeded. */
async function refreshed(portico: Portico): Promise<void> {
  portico.checkSessionsNow();
  const log = (): string => portico.program.output().slice(-1_000);
  await eventually(
    () => `The refresh token was not used: ${log()}`,
    () => {
      const [row] = portico.rows('select next_check_at, failures, unsure_since from provider_session');
      return (
        Number(row?.['next_check_at']) > Date.now() && row?.['failures'] === 0 && row['unsure_since'] === null
      );
    },
  );
}

async function endsHere(portico: Portico, page: Page): Promise<void> {
  portico.checkSessionsNow();
  await eventually(
    () => `The session goes on: ${portico.program.output().slice(-1_500)}`,
    async () => (await tokenOf(page)).code === 'SESSION_ENDED',
  );
}
