import { createServer, request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Step } from '#features/outside-provider/server/check-provider.ts';
import { sqliteFile } from '../platform/database/database.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { environmentOf, runInside } from '../testing/command-line.ts';
import { afterThisTest, engines, freshDatabase } from '../testing/fresh-database.ts';
import { freePort } from '../testing/free-port.ts';
import { listening } from '../testing/gateway.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { startObjectStore } from '../testing/object-store-server.ts';
import { createObjectStore } from '../platform/object-store/object-store.ts';

async function examine(app: TestApp, environment: Record<string, string> = {}) {
  const all = { PUBLIC_URL: app.config.publicUrl, ...environmentOf(app.place), ...environment };
  const { code, out } = await runInside(['doctor', '--json'], all);
  const { ok, steps } = JSON.parse(out) as { ok: boolean; steps: Step[] };
  const said = (outcome: Step['outcome']) =>
    Object.fromEntries(
      steps.filter((step) => step.outcome === outcome).map((step) => [step.name, step.message]),
    );
  return {
    code,
    ok,
    out,
    names: steps.map(({ name }) => name),
    failed: said('failed'),
    warned: said('warning'),
  };
}

/** A proxy as one is often set up: small bodies, answers whole, its own headers, another Host. */
async function startProxy(
  to: () => number,
  { host, most = 1_048_576 }: { host?: string; most?: number } = {},
): Promise<string> {
  const proxy = createServer((incoming, answer) => {
    if (Number(incoming.headers['content-length'] ?? 0) > most) {
      answer.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>');
      return;
    }
    const { method, url: path, headers } = incoming;
    const onward = request({ port: to(), method, path, headers: { ...headers, ...(host && { host }) } });
    onward.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('end', () => {
        const { 'content-security-policy': _removed, ...kept } = response.headers;
        answer.writeHead(response.statusCode ?? 502, kept).end(Buffer.concat(parts));
      });
    });
    onward.once('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  const port = await listening(proxy);
  afterThisTest(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `http://localhost:${port}`;
}

describe.each(engines)('RUN-8: portico doctor on %s', (engine) => {
  it('finds nothing wrong with an installation that works, and shows no secret', async () => {
    const mail = await startMailServer({ account: { user: 'portico', password: 'not to be shown' } });
    const { host, port } = mail.settings;
    const app = await startApp({ engine });
    const environment = {
      SMTP_URL: `smtp://portico:not%20to%20be%20shown@${host}:${port}`,
      SMTP_SECURITY: 'none',
      MAIL_FROM: 'portico@example.org',
    };
    const { code, ok, out, names, failed, warned } = await examine(app, environment);
    expect({ failed, warned: Object.keys(warned) }).toEqual({
      failed: {},
      warned: engine === 'sqlite' ? ['Backup'] : [],
    });
    expect([code, ok]).toEqual([0, true]);
    expect(names).toEqual([
      'Configuration',
      'Disk',
      'Database',
      ...(engine === 'postgres' ? ['Notifications'] : []),
      'Clock',
      'Mail',
      'Webhooks',
      'Backup',
      'Server',
      'Headers',
      'Large bodies',
      'Streams',
      'Sign-in',
    ]);
    expect(out).not.toMatch(/not to be shown|not%20to/);
    expect(mail.received).toEqual([]);

    const refused = await examine(app, {
      ...environment,
      SMTP_URL: `smtp://portico:another@${host}:${port}`,
    });
    expect([refused.code, refused.failed]).toEqual([
      1,
      { Mail: `The mail server ${host}:${port} refuses the user or the password of SMTP_URL.` },
    ]);
  });
});

describe.runIf(engines.includes('postgres'))('RUN-10: portico doctor behind a pooler', () => {
  it('warns where a long read has no end, and fails where notifications do not arrive', async () => {
    const app = await startApp({ engine: 'postgres' });
    const [same, other] = [app.place.location, (await freshDatabase('postgres')).location].map((location) =>
      location.engine === 'postgres' ? location.url : '',
    );
    const pooled = await examine(app, { DATABASE_DIRECT_URL: same ?? '' });
    expect(pooled.warned).toMatchObject({ Notifications: expect.stringContaining('alter role') });
    const elsewhere = await examine(app, { DATABASE_DIRECT_URL: other ?? '' });
    expect(elsewhere.failed).toEqual({
      Notifications: expect.stringMatching(/do not reach DATABASE_DIRECT_URL/),
    });
  });
});

describe('RUN-8: portico doctor', () => {
  it('writes, reads and removes an object where FILES_URL is set, and says what to do where that fails', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const server = await startObjectStore();
    afterThisTest(() => server.stop());
    const environment = (bucket: string) => ({
      FILES_URL: `s3://${bucket}/a?endpoint=${server.location.endpoint}`,
      S3_ACCESS_KEY_ID: server.location.accessKey,
      S3_SECRET_ACCESS_KEY: server.location.secretKey,
    });
    const good = await examine(app, environment('portico'));
    expect([good.names.includes('Object store'), good.failed]).toEqual([true, {}]);
    for await (const { name } of createObjectStore(server.location).list()) expect(name).toBe('none is left');
    const { failed, code } = await examine(app, environment('missing'));
    expect([code, failed]).toEqual([
      1,
      {
        'Object store': `missing at ${server.location.endpoint}: The bucket does not exist. Create the bucket, or name another one in FILES_URL.`,
      },
    ]);
  });

  it('names what a proxy does to bodies, streams, headers and the Host, and what to do', async () => {
    let port = 0;
    const publicUrl = await startProxy(() => port);
    const app = await startApp({ engine: 'sqlite', config: { publicUrl } });
    port = app.config.port;
    const { code, failed } = await examine(app);
    expect(code).toBe(1);
    expect(failed).toEqual({
      Headers: expect.stringMatching(/removes content-security-policy/),
      'Large bodies': expect.stringMatching(/refuses a body of 12\.\d MB \(413\).*docs\/proxy\.md/),
      Streams: expect.stringMatching(/holds streams back.*buffering off/),
    });

    const renamed = await startProxy(() => port, { host: 'inside.example', most: 20_000_000 });
    const { failed: other, warned } = await examine(app, { PUBLIC_URL: renamed });
    expect(other['Headers']).toMatch(/sends another Host/);
    expect(warned['Large bodies']).toMatch(
      /refuses a body of 33\.6 MB \(413\), as of the largest source map/,
    );
  });

  it('without a server, with another program in its place, or on a database of another release says what to start', async () => {
    const app = await startApp({ engine: 'sqlite' });
    await app.stop();
    const alone = await examine(app);
    expect(alone.failed).toEqual({ Server: expect.stringMatching(/does not answer: .*ECONNREFUSED/) });

    const other = createServer((_request, answer) => answer.end('<h1>Welcome</h1>'));
    const taken = `http://localhost:${await listening(other)}`;
    afterThisTest(() => void other.close());
    expect((await examine(app, { PUBLIC_URL: taken })).failed['Server']).toMatch(/Something else answers/);

    const file = new DatabaseSync(sqliteFile(app.place.dataDir));
    file.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
    const later = await examine(app, { PORT: String(await freePort()) });
    expect(later.failed).toEqual({ Database: expect.stringMatching(/newer release \(9999-later/) });
    file.exec("delete from kysely_migration where name > '0040'");
    const before = file.prepare('select count(*) from kysely_migration').get();
    expect((await examine(app)).failed).toEqual({
      Database: expect.stringMatching(/older release .*Make a backup/),
    });
    expect(file.prepare('select count(*) from kysely_migration').get()).toEqual(before);
    file.close();
  });
});
