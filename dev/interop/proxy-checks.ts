import { randomBytes } from 'node:crypto';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { freePort } from '#server/testing/free-port.ts';
import { pngFile } from '#server/testing/png.ts';
import { runPortico, startPortico } from './portico.ts';
import { eventually, type Program } from './programs.ts';
import { proxyReady, type Certificate, type Place } from './proxies.ts';
import { ask, bearerOf, listen, send } from './requests.ts';
import { must, type Table } from './table.ts';

const account = { email: 'ada@example.org', password: 'quartz-lantern-orbit-41' };
/** Longer than the time after which proxies end a silent connection. */
const openForMs = 65_000;

/** Checks Portico with the embedded provider behind one proxy, which is set up as in docs/proxy.md. */
export async function checkProxy(
  table: Table,
  browser: Browser,
  folder: string,
  certificate: Certificate,
  proxy: { area: string; start(place: Place): Program; redirects: boolean },
): Promise<void> {
  const { area } = proxy;
  const place = { https: await freePort(), http: await freePort(), portico: await freePort() };
  const url = `https://localhost:${place.https}`;
  const running = proxy.start(place);
  const settings = {
    PUBLIC_URL: url,
    TRUST_PROXY: '1',
    OPERATOR_EMAIL: account.email,
    OPERATOR_PASSWORD: account.password,
    NODE_EXTRA_CA_CERTS: certificate.cert,
  };
  const installation = { folder: join(folder, area), port: place.portico, settings };
  const portico = await startPortico(installation);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  try {
    await proxyReady(running, url);
    await checkAnswers(table, area, url, proxy.redirects ? place : null);
    await table.check(area, 'a sign-in at the embedded provider', async () => {
      await page.goto(url);
      await page.getByLabel('Email').fill(account.email);
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('navigation').first().waitFor();
    });
    await table.check(area, 'portico doctor finds nothing wrong', async () => {
      const { code, output } = runPortico(installation, ['doctor']);
      must(code === 0, output);
    });
    await checkUploads(table, area, url, page);
    await checkStreams(table, area, url, page);
    await checkAddresses(table, area, url);
  } finally {
    await context.close();
    await portico.program.stop();
    await running.stop();
  }
}

async function checkAnswers(table: Table, area: string, url: string, place: Place | null): Promise<void> {
  await table.check(area, 'HSTS, health and a page', async () => {
    const ready = await ask(`${url}/readyz`);
    must(ready.status === 200, `/readyz answered ${ready.status}.`);
    const hsts = ready.headers['strict-transport-security'] ?? '';
    must(/^max-age=\d{7,}/.test(hsts), `HSTS is "${hsts}".`);
    const page = await ask(`${url}/`, { headers: { accept: 'text/html' } });
    const to = page.headers.location ?? '';
    must(page.status === 303 && to.startsWith('/auth/login'), `The page answered ${page.status} ${to}.`);
    return hsts;
  });
  if (place === null) return;
  await table.check(area, 'port 80 leads to https', async () => {
    const answer = await fetch(`http://localhost:${place.http}/people?x=1`, { redirect: 'manual' });
    const to = answer.headers.get('location');
    must(answer.status === 308 && to === `${url}/people?x=1`, `It answered ${answer.status} ${to}.`);
  });
}

async function checkUploads(table: Table, area: string, url: string, page: Page): Promise<void> {
  const side = 1_410;
  const picture = pngFile({ width: side, height: side, pixels: randomBytes(side * side * 4), level: 0 });
  await table.check(area, 'a bug report with a picture of 8 MB', async () => {
    const attachment = { data: picture.toString('base64'), filename: 'noise.png', contentType: 'image/png' };
    const body = JSON.stringify({ message: 'Through the proxy.', attachments: [attachment] });
    const answer = await send(page, 'POST', `${url}/v1/feedback`, body);
    must(answer.status === 200 || answer.status === 201, `It answered ${answer.status}: ${answer.body}`);
    return `${(picture.length / 1e6).toFixed(1)} MB, ${(body.length / 1e6).toFixed(1)} MB as it is sent`;
  });
  await table.check(area, 'an upload of three files of 8 MB', async () => {
    const answer = await page.evaluate(
      async ({ authorization, bytes }) => {
        const form = new FormData();
        for (const name of ['a', 'b', 'c'])
          form.append(
            'files',
            new Blob([crypto.getRandomValues(new Uint8Array(65_536)), new Uint8Array(bytes)]),
            name,
          );
        const answer = await fetch('/v1/files', { method: 'POST', headers: { authorization }, body: form });
        return { status: answer.status, text: await answer.text() };
      },
      { ...(await bearerOf(page)), bytes: 8_000_000 },
    );
    must(answer.status === 201, `It answered ${answer.status}: ${answer.text}`);
  });
}

async function checkStreams(table: Table, area: string, url: string, page: Page): Promise<void> {
  await table.check(area, 'event streams: at once, and open for more than a minute', async () => {
    const bearer = await bearerOf(page);
    const { clientKeys } = JSON.parse((await ask(`${url}/v1/client-keys`, { headers: bearer })).body) as {
      clientKeys: { key: string; kind: string }[];
    };
    const key = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
    const began = Date.now();
    const streams = [await listen(`${url}/v1/events`, bearer), await listen(`${url}/sub/${key}`, {})];
    const [events, flags] = streams;
    if (events === undefined || flags === undefined) throw new Error('There is no stream.');
    await eventually(
      () => 'Nothing came on the stream of events.',
      () => events.pieces.some(({ text }) => text.includes('hello')),
      10,
    );
    const first = Math.max(0, (events.pieces[0]?.at ?? 0) - began);
    must(first < 5_000, `The first event took ${first} ms.`);
    await pause(Math.max(0, began + openForMs - Date.now()));
    for (const [name, stream] of [['events', events] as const, ['flags', flags] as const]) {
      must(!stream.ended(), `The stream of ${name} was ended.`);
      must(stream.pieces.length >= 2, `The stream of ${name} brought ${stream.pieces.length} pieces.`);
    }
    const before = flags.pieces.length;
    const draft = { type: 'boolean', description: '', defaultValue: false, rules: [], tags: [] };
    const flag = { ...draft, key: `interop-${Date.now()}`, enabled: true };
    const made = await send(page, 'POST', `${url}/v1/flags`, JSON.stringify(flag));
    must(made.status === 201, `The flag answered ${made.status}: ${made.body}`);
    const at = Date.now();
    await eventually(
      () => 'The change of a flag did not come.',
      () => flags.pieces.length > before,
      10,
    );
    const took = Date.now() - at;
    for (const stream of streams) stream.close();
    return `hello after ${first} ms, a flag ${took} ms after its answer, open for ${Math.round((at - began) / 1000)} s`;
  });
}

/** More requests than the embedded provider accepts from one address at once (600, and 30 a second). */
const flood = 1_000;

async function checkAddresses(table: Table, area: string, url: string): Promise<void> {
  await table.check(area, 'rate limits count by the client’s own address', async () => {
    // The client sends addresses of its own choice in the header, which must not count.
    const flooding = new Agent({ localAddress: '127.0.0.2', keepAlive: true, maxSockets: 20 });
    const answers = await Promise.all(
      Array.from({ length: flood }, (_, index) =>
        ask(`${url}/idp/jwks`, {
          agent: flooding,
          headers: { 'x-forwarded-for': `203.0.113.${index % 250}` },
        }),
      ),
    );
    flooding.destroy();
    const refused = answers.filter(({ status }) => status === 429).length;
    must(refused > 0, 'Nothing was refused: the address of the header counted, or none.');
    const other = await ask(`${url}/idp/jwks`, { agent: new Agent({ localAddress: '127.0.0.3' }) });
    must(other.status === 200, `Another address got ${other.status}.`);
    return `${refused} of ${flood} refused, and none from another address`;
  });
}
