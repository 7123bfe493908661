import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { pngFile } from '#server/testing/png.ts';
import { call, clientKey } from '../call.ts';
import { flag } from '../faults/load.ts';
import { bearerOf, listen, runPortico, startPortico } from './portico.ts';
import { eventually, fourFreePorts } from './programs.ts';
import { nginxServers, proxyReady, startCaddy, startNginx } from './proxies.ts';
import { checksOf, must, type Check } from './table.ts';

const account = { email: 'ada@example.org', password: 'quartz-lantern-orbit-41' };
/** Longer than the time after which proxies end a silent connection. */
const openForMs = 65_000;

/** Checks Portico with the embedded provider behind one proxy, which is set up as in docs/proxy.md. */
export async function checkProxy(folder: string, browser: Browser, proxy: 'nginx' | 'Caddy'): Promise<void> {
  const check = checksOf(proxy);
  const [https, http, portico] = await fourFreePorts();
  const place = { https, http, portico };
  const url = `https://localhost:${https}`;
  if (proxy === 'nginx') startNginx(folder, nginxServers(folder, place));
  else startCaddy(folder, place);
  const settings = {
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    OPERATOR_EMAIL: account.email,
    OPERATOR_PASSWORD: account.password,
    NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
  };
  const installation = { folder, port: portico, settings };
  await startPortico(installation);
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  await proxyReady(url);
  await check('HSTS, health and a page', async () => {
    const ready = await fetch(`${url}/readyz`);
    must(ready.status === 200, `/readyz answered ${ready.status}.`);
    const hsts = ready.headers.get('strict-transport-security') ?? '';
    must(/^max-age=\d{7,}/.test(hsts), `HSTS is "${hsts}".`);
    const { status, headers } = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const to = headers.get('location') ?? '';
    must(status === 303 && to.startsWith('/auth/login'), `The page answered ${status} ${to}.`);
    return hsts;
  });
  // Caddy leads to https without being told, and from port 80 alone.
  if (proxy === 'nginx')
    await check('port 80 leads to https', async () => {
      const answer = await fetch(`http://localhost:${http}/people?x=1`, { redirect: 'manual' });
      const to = answer.headers.get('location');
      must(answer.status === 308 && to === `${url}/people?x=1`, `It answered ${answer.status} ${to}.`);
    });
  await check('a sign-in at the embedded provider', async () => {
    await page.goto(url);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation').first().waitFor();
  });
  await check('portico doctor finds nothing wrong', () => {
    const { code, output } = runPortico(installation, ['doctor']);
    must(code === 0, output);
  });
  await checkUploads(check, url, page);
  await checkStreams(check, url, page);
  await checkAddresses(check, url);
  await page.close();
}

async function checkUploads(check: Check, url: string, page: Page): Promise<void> {
  const side = 1_410;
  const picture = pngFile({ width: side, height: side, pixels: randomBytes(side * side * 4), level: 0 });
  await check('a bug report with a picture of 8 MB', async () => {
    const data = picture.toString('base64');
    const attachments = [{ data, filename: 'noise.png', contentType: 'image/png' }];
    const report = { message: 'Through the proxy.', attachments };
    await call(url, await bearerOf(page), 'POST', '/v1/feedback', report);
    return `${(picture.length / 1e6).toFixed(1)} MB, ${(data.length / 1e6).toFixed(1)} MB as it is sent`;
  });
  await check('an upload of three files of 8 MB', async () => {
    const answer = await page.evaluate(
      async ({ bearer, bytes }) => {
        const body = new FormData();
        for (const name of ['a', 'b', 'c']) {
          const parts = [crypto.getRandomValues(new Uint8Array(65_536)), new Uint8Array(bytes)];
          body.append('files', new Blob(parts), name);
        }
        const headers = { authorization: `Bearer ${bearer}` };
        const answer = await fetch('/v1/files', { method: 'POST', headers, body });
        return { status: answer.status, text: await answer.text() };
      },
      { bearer: await bearerOf(page), bytes: 8_000_000 },
    );
    must(answer.status === 201, `It answered ${answer.status}: ${answer.text}`);
  });
}

async function checkStreams(check: Check, url: string, page: Page): Promise<void> {
  await check('event streams: at once, and open for more than a minute', async () => {
    const bearer = await bearerOf(page);
    const key = await clientKey(url, bearer, 'plain');
    const began = Date.now();
    const events = await listen(`${url}/v1/events`, bearer);
    const flags = await listen(`${url}/sub/${key}`);
    const greeted = () => events.pieces.some(({ text }) => text.includes('hello'));
    await eventually('Nothing came on the stream of events.', greeted, 10);
    const first = Math.max(0, (events.pieces[0]?.at ?? 0) - began);
    must(first < 5_000, `The first event took ${first} ms.`);
    await pause(Math.max(0, began + openForMs - Date.now()));
    for (const [name, { ended, pieces }] of Object.entries({ events, flags })) {
      must(!ended, `The stream of ${name} was ended.`);
      must(pieces.length >= 2, `The stream of ${name} brought ${pieces.length} pieces.`);
    }
    const before = flags.pieces.length;
    await call(url, await bearerOf(page), 'POST', '/v1/flags', { ...flag, key: `interop-${Date.now()}` });
    const at = Date.now();
    await eventually('The change of a flag did not come.', () => flags.pieces.length > before, 10);
    const took = Date.now() - at;
    for (const stream of [events, flags]) stream.close();
    return `hello after ${first} ms, a flag ${took} ms after its answer, open for ${Math.round((at - began) / 1000)} s`;
  });
}

/** More requests than the embedded provider accepts from one address at once (600, and 30 a second). */
const flood = 1_000;

async function checkAddresses(check: Check, url: string): Promise<void> {
  await check('rate limits count by the client’s own address', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const statusFrom = async (localAddress: string, headers = {}) => {
      const asking = get(`${url}/idp/jwks`, { agent, localAddress, headers });
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    // The client sends addresses of its own choice in the header, which must not count.
    const answers = await Promise.all(
      Array.from({ length: flood }, (_, index) =>
        statusFrom('127.0.0.2', { 'x-forwarded-for': `203.0.113.${index % 250}` }),
      ),
    );
    const refused = answers.filter((status) => status === 429).length;
    must(refused > 0, 'Nothing was refused: the address of the header counted, or none.');
    const other = await statusFrom('127.0.0.3');
    must(other === 200, `Another address got ${other}.`);
    agent.destroy();
    return `${refused} of ${flood} refused, and none from another address`;
  });
}
