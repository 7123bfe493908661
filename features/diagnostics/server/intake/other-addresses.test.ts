import { deflateSync, gzipSync } from 'node:zlib';
import type { ErrorEvent } from '#features/diagnostics/contract/diagnostics.ts';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { newEventId, ownProjectKey } from '#server/testing/envelopes.ts';
import { addToken } from '#server/testing/people.ts';

const groupsOf = (app: TestApp) =>
  app.database.read.selectFrom('error_group').selectAll().orderBy('first_seen_at').execute();
const reportsOf = (app: TestApp) =>
  app.database.read.selectFrom('report').selectAll().orderBy('number').execute();

async function send(app: TestApp, path: string, body: string | Buffer<ArrayBuffer>, headers = {}) {
  const answer = await fetch(app.url + path, { method: 'POST', body, headers });
  return [answer.status, await answer.json()] as const;
}

describe('clients that are older than envelopes', () => {
  it('DIAG-2: send JSON, packed or not, in base64 or not, and name no encoding', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const auth = `Sentry sentry_version=5, sentry_timestamp=1764000000, sentry_client=raven-node/2.6.4, sentry_key=${key}, sentry_secret=${'f'.repeat(32)}`;
    const json = () => {
      const id = newEventId();
      const exception = [
        {
          type: 'TypeError',
          value: 'late',
          stacktrace: { frames: [{ filename: '/srv/a.js', function: 'load' }] },
        },
      ];
      return { id, bytes: Buffer.from(JSON.stringify({ event_id: id, exception, platform: 'node' })) };
    };
    const base64 = (bytes: Buffer) => bytes.toString('base64');
    const packings: ((bytes: Buffer) => string | Buffer<ArrayBuffer>)[] = [
      (bytes) => base64(deflateSync(bytes)),
      (bytes) => base64(deflateSync(bytes)).replaceAll(/(.{60})/g, '$1\n'),
      (bytes) => base64(gzipSync(bytes)),
      (bytes) => base64(bytes),
      (bytes) => deflateSync(bytes),
      (bytes) => gzipSync(bytes),
      (bytes) => ` \n${bytes.toString()}`,
    ];
    for (const [index, pack] of packings.entries()) {
      const { id, bytes } = json();
      const sent = await send(app, '/api/1/store/', pack(bytes), {
        'x-sentry-auth': auth,
        'content-type': 'application/octet-stream',
      });
      expect([index, ...sent]).toEqual([index, 200, { id }]);
    }
    const { id, bytes } = json();
    const query = `?sentry_version=7&sentry_client=raven-js%2F3.27.2&sentry_key=${key}`;
    expect(await send(app, `/api/1/store${query}`, gzipSync(bytes), { 'content-encoding': 'gzip' })).toEqual([
      200,
      { id },
    ]);
    expect(await groupsOf(app)).toMatchObject([
      { kind: 'TypeError', message: 'late', place: 'srv/a.js · load', events: 8 },
    ]);

    const refused = async (body: string | Buffer<ArrayBuffer>) => {
      const [status, answer] = await send(app, `/api/1/store/${query}`, body);
      return [status, (answer as { code: string }).code];
    };
    const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024));
    expect(await refused(base64(bomb))).toEqual([413, 'TOO_LARGE']);
    expect(await refused(bomb)).toEqual([413, 'TOO_LARGE']);
    expect(await refused(base64(deflateSync(bytes)).slice(0, 60))).toEqual([400, 'BAD_ENCODING']);
    expect(await refused(base64(deflateSync(Buffer.from('[]'.repeat(50)))))).toEqual([400, 'BAD_ENVELOPE']);
    expect(await refused('no JSON at all')).toEqual([400, 'BAD_ENVELOPE']);
    // The data stands in addresses, and so in logs: raven-js before version 2.
    expect((await fetch(`${app.url}/api/1/store/${query}&sentry_data=%7B%7D`)).status).toBe(405);
  });
});

describe('violations of a Content-Security-Policy', () => {
  const violation = {
    'document-uri': 'https://shop.example.org/cart?token=hunter2',
    referrer: '',
    'violated-directive': 'script-src-elem',
    'effective-directive': 'script-src-elem',
    'original-policy': "default-src 'self'",
    disposition: 'enforce',
    'blocked-uri': 'https://evil.example.net/x.js?a=1',
    'source-file': 'https://shop.example.org/assets/main-1a2b3c4d.js',
    'line-number': 7,
    'column-number': 9,
    'status-code': 200,
  };

  it('DIAG-2: arrive by report-uri and by the Reporting API, grouped by directive and origin', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const path = `/api/1/security/?sentry_key=${key}&sentry_environment=production&sentry_release=shop%401.0.0`;
    const older = await send(app, path, JSON.stringify({ 'csp-report': violation }), {
      'content-type': 'application/csp-report',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
    });
    expect(older).toEqual([200, { id: expect.any(String) }]);
    const newer = (body: Record<string, unknown>, type = 'csp-violation') => ({
      type,
      age: 5,
      url: 'https://shop.example.org/',
      user_agent: 'Mozilla/5.0',
      body,
    });
    const reports = [
      newer({
        documentURL: 'https://shop.example.org/cart',
        effectiveDirective: 'script-src-elem',
        blockedURL: 'https://evil.example.net/other.js',
        sourceFile: 'https://shop.example.org/assets/main-9f8e7d6c.js',
        lineNumber: 8,
        disposition: 'enforce',
      }),
      newer({ effectiveDirective: 'img-src', blockedURL: 'inline', disposition: 'report' }),
      newer({ effectiveDirective: 'script-src', blockedURL: 'moz-extension' }),
      newer({ id: 'x', message: 'old' }, 'deprecation'),
      newer({ effectiveDirective: { a: 1 }, blockedURL: [1] }),
    ];
    expect(
      await send(app, path, JSON.stringify(reports), { 'content-type': 'application/reports+json' }),
    ).toEqual([
      200,
      {
        id: expect.any(String),
        dropped: [
          { name: 'csp-violation', reason: 'comes from an extension of the browser' },
          { name: 'deprecation', reason: 'is not stored here' },
        ],
      },
    ]);
    const groups = await groupsOf(app);
    expect(
      groups.map(({ kind, message, place, level, events }) => [kind, message, place, level, events]),
    ).toEqual(
      expect.arrayContaining([
        [
          'Content-Security-Policy',
          'Blocked by script-src-elem: https://evil.example.net',
          'assets/main.js',
          'error',
          2,
        ],
        ['Content-Security-Policy', 'Blocked by img-src: inline', 'img-src', 'warning', 1],
        ['Content-Security-Policy', 'Blocked by {"a":1}: [1]', '{"a":1}', 'error', 1],
      ]),
    );
    expect(groups[0]).toMatchObject({ first_release: 'shop@1.0.0' });
    const authorization = `Bearer ${await addToken(app, { rights: ['DIAGNOSTICS_READ'] })}`;
    const shown = await fetch(`${app.url}/v1/diagnostics/errors/${groups[0]?.id}/events/oldest`, {
      headers: { authorization },
    });
    const { sample, browser, environment } = (await shown.json()) as ErrorEvent;
    expect([browser, environment]).toEqual(['Chrome 156', 'production']);
    expect(sample).toMatchObject({ request: { url: 'https://shop.example.org/cart?token=[Filtered]' } });
    expect(JSON.stringify(sample)).not.toContain('hunter2');
  });

  it('DIAG-2: are refused where they are none, and bounded where they are many', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const path = `/api/1/security/?sentry_key=${await ownProjectKey(app)}`;
    const code = async (body: string) => {
      const [status, answer] = await send(app, path, body);
      return [status, (answer as { code?: string }).code];
    };
    expect(await code('no JSON')).toEqual([400, 'BAD_ENVELOPE']);
    expect(await code('{}')).toEqual([200, undefined]);
    expect(await code(`[${'['.repeat(60_000)}${']'.repeat(60_000)}]`)).toEqual([200, undefined]);
    expect(await code('null')).toEqual([200, undefined]);
    const many = Array.from({ length: 500 }, (_each, at) => ({
      'csp-report': { ...violation, 'violated-directive': `d${at}` },
    }));
    expect(await code(JSON.stringify(many))).toEqual([200, undefined]);
    expect((await groupsOf(app)).reduce((sum, { events }) => sum + events, 0)).toBe(20);
  });
});

describe('the dialog of a Sentry SDK about an error', () => {
  it('DIAG-2: is a script that holds nothing of its address, and stores a report about the error', async () => {
    const app = await startApp({ engine: 'sqlite', config: { feedbackWithoutSignIn: true } });
    const key = await ownProjectKey(app);
    const dsn = `http://${key}@${new URL(app.url).host}/1`;
    const eventId = newEventId();
    const hostile = '</script><script>alert(1)</script>\u2028`${alert(2)}`"\'';
    const query = new URLSearchParams({
      dsn,
      eventId,
      name: hostile,
      title: hostile,
      lang: hostile,
      [hostile]: hostile,
    }).toString();
    const script = await fetch(`${app.url}/api/embed/error-page/?${query}`);
    const text = await script.text();
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('access-control-allow-origin')).toBe('*');
    expect(text).not.toContain('alert(');
    expect(text).toBe(
      await (await fetch(`${app.url}/api/embed/error-page/?dsn=${encodeURIComponent(dsn)}`)).text(),
    );
    for (const address of [
      '',
      '?dsn=x',
      `?dsn=${encodeURIComponent(dsn.replace(key, '0'.repeat(32)))}`,
      `?dsn=${encodeURIComponent(dsn.replace(/1$/, '2'))}`,
    ])
      expect((await fetch(`${app.url}/api/embed/error-page/${address}`)).status).toBe(403);

    const form = (fields: Record<string, string>) =>
      send(app, `/api/embed/error-page/?${query}`, new URLSearchParams(fields).toString());
    const sent = await form({ name: 'Mia', email: 'mia@example.org', comments: 'It broke.\r\n<b>x</b>' });
    expect(sent).toEqual([200, { id: expect.any(String) }]);
    expect(
      await form({ name: 'Mia', email: 'mia@example.org', comments: 'It broke.\r\n<b>x</b>' }),
    ).toMatchObject([200, {}]);
    expect((await form({ comments: ' ' }))[0]).toBe(400);
    expect((await form({ comments: 'x'.repeat(5_000), name: 'x'.repeat(999), email: 'none' }))[0]).toBe(200);
    expect((await form({ comments: 'x'.repeat(4_000_000) }))[0]).toBe(413);
    expect(await reportsOf(app)).toMatchObject([
      {
        message: 'It broke.\n<b>x</b>',
        name: 'Mia',
        email: 'mia@example.org',
        associated_event_id: eventId,
        source: 'sentry',
      },
      { message: expect.stringMatching(/x…$/), tags: expect.stringContaining('none') },
    ]);
    expect((await send(app, '/api/embed/error-page/?dsn=x', 'comments=x'))[0]).toBe(403);
  });

  it('BUG-6: takes no report about Portico itself from strangers', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const dsn = encodeURIComponent(`http://${await ownProjectKey(app)}@portico.example.org/1`);
    const sent = await send(app, `/api/embed/error-page/?dsn=${dsn}`, 'comments=It+broke.');
    expect(sent).toMatchObject([403, { code: 'SIGN_IN_NEEDED' }]);
    expect(await reportsOf(app)).toEqual([]);
  });
});

it('DIAG-2: addresses of what is not stored are refused with 404', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const key = await ownProjectKey(app);
  const paths = [
    'minidump/',
    'nel/',
    `unreal/${key}/`,
    'playstation/',
    'cron/backup/',
    `cron/backup/${key}/`,
    'integration/otlp/v1/traces',
    'integration/otlp/v1/logs/',
  ];
  const answers = await Promise.all(
    paths.map(async (path) => {
      const url = `${app.url}/api/1/${path}?sentry_key=${key}`;
      const { status, headers } = await fetch(url, { method: 'POST', body: Buffer.alloc(100_000) });
      return [path, status, headers.get('content-type')];
    }),
  );
  expect(answers).toEqual(paths.map((path) => [path, 404, 'application/problem+json; charset=utf-8']));
});
