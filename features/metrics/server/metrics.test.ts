import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readMetrics } from '#features/metrics/contract/metrics.ts';
import { evaluateAllFlags } from '#features/flags/contract/ofrep.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { insertMail } from '#features/mail/server/mail.store.ts';
import { describe, expect, it, vi } from 'vitest';
import { readUpstreams, type UpstreamsFile } from '#server/config-upstreams.ts';
import { startApp, type StartOptions, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { errorEnvelope, newEventId, ownProjectKey, sendEnvelope } from '#server/testing/envelopes.ts';
import { afterThisTest, engines, oneEngine, provedOn } from '#server/testing/fresh-database.ts';
import { freePort } from '#server/testing/free-port.ts';
import { addToken } from '#server/testing/people.ts';
import { sendRaw } from '#server/testing/raw-request.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { readSeries, scrape, valueOf, type Series } from './testing/scrape.ts';

const token = 'a-token-for-the-metrics-0123456789abcdef';
const host = '127.0.0.1';
const byToken = { metrics: { port: null, host, token } };
const [engine = 'sqlite'] = oneEngine;

const start = (options: Partial<StartOptions> = {}): Promise<TestApp> =>
  startApp({ engine, config: byToken, ...options });

/** The answers of a route, by the digit of their status. */
const answersOf = (series: readonly Series[], route: string, status: string) =>
  valueOf(series, 'portico_http_requests_total', { route, status });

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(url, { headers, redirect: 'manual' })).status;
}

describe('who may read metrics', () => {
  it('RUN-6: answers 404 and measures nothing where neither port nor token is set', async () => {
    const app = await start({ config: { metrics: null } });
    const operator = await signIn(app, { roles: ['operator'] });
    const { problem } = await operator.call(readMetrics, {});
    const unknown = (await (await fetch(`${app.url}/metric`)).json()) as object;
    expect(problem).toEqual({ ...unknown, requestId: problem?.requestId });
    expect(await statusOf(`${app.url}/metrics`, { authorization: `Bearer ${token}` })).toBe(404);
  });

  it('RUN-6: answers the token alone: no other one, no member, no operator, no API token', async () => {
    const app = await start();
    const operator = await signIn(app, { roles: ['operator'] });
    const member = await signIn(app, { roles: ['member'] });
    const apiToken = await addToken(app, { rights: ['PEOPLE_READ'] });
    const url = `${app.url}/metrics`;
    const refused = [
      {},
      { authorization: '' },
      { authorization: token },
      { authorization: `Bearer ${token}x` },
      { authorization: `Bearer ${token.slice(1)}` },
      { authorization: `Basic ${token}` },
      { authorization: `Bearer ${operator.accessToken}` },
      { authorization: `Bearer ${member.accessToken}` },
      { authorization: `Bearer ${apiToken}` },
    ];
    for (const headers of refused) {
      const answer = await fetch(url, { headers: headers as Record<string, string> });
      expect([headers, answer.status, answer.headers.get('www-authenticate')]).toEqual([
        headers,
        401,
        'Bearer',
      ]);
      expect(await answer.text()).not.toContain('portico_');
    }
    expect(await statusOf(`${url}?token=${token}`)).toBe(401);
    expect((await operator.call(readMetrics, {})).status).toBe(401);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });

  it('RUN-6: has a port of its own, which answers nothing else, and asks for the token where there is one', async () => {
    const port = await freePort();
    const app = await start({ config: { metrics: { port, host, token: null } } });
    const own = `http://${host}:${port}`;
    expect(valueOf(await scrape(own), 'portico_database_up')).toBe(1);
    for (const path of ['/', '/healthz', '/metrics/', '/console', '/metrics2'])
      expect([path, await statusOf(own + path)]).toEqual([path, 404]);
    expect((await fetch(`${own}/metrics`, { method: 'POST', body: 'x' })).status).toBe(404);
    expect((await fetch(`${own}/metrics`, { method: 'HEAD' })).status).toBe(200);
    expect(await statusOf(`${app.url}/metrics`)).toBe(404);
    await app.stop();
    await expect(fetch(`${own}/metrics`)).rejects.toThrow('fetch failed');

    const other = await freePort();
    const both = await start({ config: { metrics: { port: other, host, token } } });
    expect(await statusOf(`http://${host}:${other}/metrics`)).toBe(401);
    expect(await scrape(`http://${host}:${other}`, token)).not.toEqual([]);
    expect(await scrape(both.url, token)).not.toEqual([]);
  });

  it('RUN-6: names the port that is taken', async () => {
    const taken = createServer();
    taken.listen(0, host);
    await once(taken, 'listening');
    afterThisTest(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    await expect(start({ config: { metrics: { port, host, token: null } } })).rejects.toThrow(
      `The port of METRICS_PORT, ${port} at ${host}, cannot be listened on`,
    );
  });

  it('RUN-6: is below the base path, and what is outside it goes to the application', async () => {
    const application = createServer((_request, response) => response.end('of the application'));
    application.listen(0, host);
    await once(application, 'listening');
    afterThisTest(() => void application.close());
    const url = `http://${host}:${(application.address() as AddressInfo).port}`;
    const file = readUpstreams(
      JSON.stringify({ upstreams: [{ name: 'pumps', url, rules: [{ path: '/', access: 'public' }] }] }),
    ) as UpstreamsFile;
    const app = await start({ config: { ...byToken, basePath: '/portico', ...file } });
    const { origin } = new URL(app.url);
    const through = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await through.text()).toBe('of the application');
    expect(await statusOf(`${app.url}/metrics`)).toBe(401);
    for (const path of ['/portico/../metrics', '/%70ortico/metrics', '/metrics/../portico/metrics'])
      expect(
        (
          await sendRaw(
            app.config.port,
            `GET ${path} HTTP/1.1\r\nHost: localhost:${app.config.port}\r\nConnection: close\r\n\r\n`,
          )
        ).body,
      ).not.toContain('portico_');
    const series = await scrape(app.url, token);
    expect(valueOf(series, 'portico_gateway_requests_total', { application: 'pumps' })).toBeGreaterThan(0);
    expect(valueOf(series, 'portico_gateway_failures_total', { application: 'pumps' })).toBe(0);
    application.close();
    application.closeAllConnections();
    expect(await statusOf(`${origin}/else`)).toBe(502);
    expect(
      valueOf(await scrape(app.url, token), 'portico_gateway_failures_total', { application: 'pumps' }),
    ).toBe(1);
  });
});

describe.each(engines)('what is measured on %s', (engine) => {
  it('RUN-6: requests by pattern, sign-ins, reports, evaluations, envelopes, and what the database holds', async () => {
    const from = { name: null, address: 'portico@example.org' };
    const mail = { host, port: await freePort(), security: 'none', auth: null, from } as const;
    const app = await start({ engine, config: { ...byToken, mail } });
    const ada = await signIn(app, { roles: ['operator'] });
    const browser = openBrowser(app.url);
    await browser.signIn({ email: ada.email, password: 'a wrong password' });
    await ada.call(saveFeedback, { body: { message: 'It is broken.', source: 'a page with a secret' } });
    const key = await ownProjectKey(app);
    await sendEnvelope(app.url, key, errorEnvelope({}, newEventId()));
    await sendEnvelope(app.url, 'f'.repeat(32), errorEnvelope({}, newEventId()));
    const { key: clientKey } = await app.database.read
      .selectFrom('client_key')
      .select('key')
      .where('kind', '=', 'plain')
      .executeTakeFirstOrThrow();
    for (let turn = 0; turn < 3; turn += 1) await fetch(`${app.url}/api/features/${clientKey}`);
    await app.call(
      evaluateAllFlags,
      { body: { context: { targetingKey: 'mia' } } },
      { headers: { 'x-api-key': clientKey } },
    );
    for (let turn = 0; turn < 2; turn += 1) await ada.call(getPermissions, { params: { userId: 'current' } });
    await addToken(app, { rights: [] });
    const receiver = `http://${host}:${await freePort()}/hook`;
    await ada.call(addWebhook, { body: { url: receiver, description: '', enabled: true } });
    const about = { kind: 'report-reply', email: 'mia@example.org', language: 'en', about: '' };
    await app.database.transaction((tx) => insertMail(tx, about as never, Date.now() - 60_000));

    const until = performance.now() + 300;
    while (performance.now() < until);
    const series = await scrape(app.url, token);
    expect(valueOf(series, 'portico_mails_waiting')).toBe(1);
    expect(valueOf(series, 'portico_mails_oldest_waiting_seconds')).toBeGreaterThanOrEqual(60);
    expect(valueOf(series, 'portico_api_tokens_next_end_seconds')).toBeGreaterThan(60);
    expect(valueOf(series, 'portico_sign_ins_total', { outcome: 'signed-in' })).toBe(1);
    expect(valueOf(series, 'portico_sign_in_wrong_total', { proof: 'password' })).toBe(1);
    expect(valueOf(series, 'portico_reports_total', { source: 'other' })).toBe(1);
    expect(valueOf(series, 'portico_envelopes_total', { outcome: 'stored' })).toBe(1);
    expect(valueOf(series, 'portico_envelopes_total', { outcome: 'refused' })).toBe(1);
    expect(valueOf(series, 'portico_flag_evaluations_total')).toBeGreaterThanOrEqual(1);
    expect(answersOf(series, '/api/features/:clientKey', '2xx')).toBe(3);
    expect(answersOf(series, '/v1/feedback', '2xx')).toBe(1);
    // A scrape is counted once it is answered.
    expect(answersOf(series, '/metrics', '2xx')).toBeUndefined();
    await expect
      .poll(async () => answersOf(await scrape(app.url, token), '/metrics', '2xx'))
      .toBeGreaterThanOrEqual(1);
    expect(valueOf(series, 'portico_http_responses_total', { status: '200' })).toBeGreaterThan(3);
    expect(valueOf(series, 'portico_http_request_duration_seconds_count')).toBeGreaterThan(3);
    expect(valueOf(series, 'portico_database_up')).toBe(1);
    expect(valueOf(series, 'portico_database_waiting')).toBe(0);
    const used = valueOf(series, 'portico_database_connections', { state: 'used' });
    expect(used === undefined).toBe(engine === 'sqlite');
    for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'])
      expect(valueOf(series, name)).toBeGreaterThan(1e6);
    expect(valueOf(series, 'portico_event_loop_delay_seconds', { statistic: 'max' })).toBeGreaterThan(0.25);
  });

  it.each(provedOn(engine))('RUN-6: reads the database once for many scrapes', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    afterThisTest(() => now.mockRestore());
    const app = await start({ engine });
    const first = await scrape(app.url, token);
    expect(valueOf(first, 'portico_api_tokens_next_end_seconds')).toBeUndefined();
    await addToken(app, { rights: [] });
    // Within five seconds it is not read again.
    const again = await scrape(app.url, token);
    expect(valueOf(again, 'portico_api_tokens_next_end_seconds')).toBeUndefined();
  });

  it.each(provedOn(engine))('RUN-6: says so when the database does not answer (%s)', async () => {
    const silent = await start({ engine });
    const never: unknown = new Proxy(() => never, {
      get: (_all, name) =>
        String(name).startsWith('execute') ? () => new Promise(() => undefined) : () => never,
    });
    const reads = vi.spyOn(silent.database.longReads, 'selectFrom').mockReturnValue(never as never);
    const lost = await scrape(silent.url, token);
    reads.mockRestore();
    expect(valueOf(lost, 'portico_database_up')).toBe(0);
    expect(valueOf(lost, 'portico_webhook_deliveries_waiting')).toBeUndefined();
    expect(valueOf(lost, 'portico_reports_total', { source: 'other' })).toBe(0);

    const broken = await start({ engine });
    const failing = vi.spyOn(broken.database.longReads, 'selectFrom').mockImplementation(() => {
      throw new Error('the disk is gone');
    });
    expect(valueOf(await scrape(broken.url, token), 'portico_database_up')).toBe(0);
    failing.mockRestore();
    expect(broken.log.map(({ msg }) => msg)).toContain('the database could not be read for the metrics');
  });
});

describe('series', () => {
  it('RUN-6: are no more after ten thousand invented paths, keys, methods and hosts, and hold nothing that was sent', async () => {
    const app = await start();
    const ada = await signIn(app, { roles: ['operator'] });
    const before = (await scrape(app.url, token)).length;
    const mark = 'zq7x';
    const shapes = [
      (n: number) => `/${mark}-${n}`,
      (n: number) => `/v1/users/${mark}${n}/profile`,
      (n: number) => `/api/features/${mark}-${n}`,
      (n: number) => `/assets/${mark}-${n}.js`,
      (n: number) => `/api/${n}/envelope/?sentry_key=${mark}${n}`,
      (n: number) => `/idp/auth/${mark}${n}`,
      (n: number) => `/%zz/${mark}${n}`,
    ];
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS'];
    const request = (n: number, more = '') =>
      [
        `${methods[Math.trunc(n / 7) % methods.length]} ${shapes[n % shapes.length]?.(n)} HTTP/1.1`,
        `Host: ${new URL(app.url).host}`,
        `X-API-Key: ${mark}-${n}`,
        `Authorization: Bearer ${mark}${n}`,
        `User-Agent: ${mark}`,
        'Content-Length: 0',
        `${more}\r\n\r\n`,
      ].join('\r\n');
    // A hundred on one connection, one after the other: ten thousand by `fetch` take a minute on a busy machine.
    for (let from = 0; from < 10_000; from += 100) {
      const some = Array.from({ length: 99 }, (_, at) => request(from + at, 'Connection: keep-alive'));
      await sendRaw(app.config.port, [...some, request(from + 99, 'Connection: close')].join(''));
      for (const one of ['a', 'b'])
        await sendRaw(
          app.config.port,
          `GET /healthz HTTP/1.1\r\nHost: ${mark}-${from}-${one}.example\r\nConnection: close\r\n\r\n`,
        );
    }

    const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    const series = readSeries(text);
    expect(
      series.reduce((sum, { name, value }) => sum + (name === 'portico_http_requests_total' ? value : 0), 0),
    ).toBeGreaterThan(8_000);
    expect(answersOf(series, '(no route)', '4xx')).toBeGreaterThan(1_000);
    expect(series.length).toBeLessThan(before + 150);
    expect(series.length).toBeLessThanOrEqual(2_000);
    for (const secret of [mark, token, ada.email, ada.id, ada.accessToken, app.config.dataDir, 'localhost'])
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
  });

  it('RUN-6: are at most 2,000 if every route answers every status and a hundred applications are behind it', async () => {
    const upstreams = Array.from({ length: 100 }, (_, n) => ({
      name: `app-${n}`,
      url: `http://${host}:1`,
      path: `/app-${n}`,
    }));
    const file = readUpstreams(JSON.stringify({ upstreams })) as UpstreamsFile;
    const app = await start({ config: { ...byToken, basePath: '/portico', ...file } });
    const fixed = (await scrape(app.url, token)).filter(
      ({ name }) => !name.startsWith('portico_http_request'),
    ).length;
    const patterns = new Set(app.declared.map(({ method, path }) => `${method} ${path}`)).size + 12;
    // For each pattern four digits of a status and the seconds; 63 statuses; the histogram has fourteen series.
    expect(patterns * 5 + 63 + 14 + fixed).toBeLessThanOrEqual(2_000);
  });

  it('RUN-6: say whose value they are, and keep to the names and units of Prometheus', async () => {
    const app = await start();
    const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    const helps = text.split('\n').filter((line) => line.startsWith('# HELP'));
    expect(helps.length).toBeGreaterThan(20);
    for (const help of helps)
      expect(help).toMatch(
        /\. (?:Of this process alone|Read from the database: the same on all replicas)\.$/,
      );
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
  });
});
