import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { getPerson, setBlocked, setRoles } from '#features/people/contract/people.ts';
import { signOut } from '#features/session/contract/session.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { onlyUpstream } from '#server/config-upstreams.ts';
import { plainGuard } from '#server/platform/http/paths.ts';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

/** Heads of answers that go on without an end, by path; under any other path nothing is answered. */
const heads: Record<string, [number, Record<string, string>]> = {
  '/events': [200, { 'content-type': 'text/event-stream' }],
  '/text': [200, { 'content-type': 'text/plain' }],
  '/bytes': [200, { 'content-type': 'application/octet-stream' }],
  '/json': [200, { 'content-type': 'application/json-seq' }],
  '/no-type': [200, {}],
  '/download': [200, { 'content-length': '9000000000' }],
  '/range': [206, { 'content-length': '9000000', 'content-range': 'bytes 0-8999999/9000000000' }],
  '/guarded/text': [200, { 'content-type': 'text/plain' }],
  '/public/text': [200, { 'content-type': 'text/plain' }],
};

describe('what goes on for long at an application', () => {
  let app: TestApp;
  let origin: string;
  let operator: SignedIn;
  /** Requests that the application has received and not finished, by path. */
  const arrived = new Map<string, ServerResponse[]>();

  beforeAll(async () => {
    const server = createServer((asked, response) => {
      const path = asked.url ?? '';
      asked.resume();
      arrived.set(path, [...(arrived.get(path) ?? []), response]);
      const head = heads[path];
      if (head !== undefined) response.writeHead(...head).write('part');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const rules = [
      { ...plainGuard, path: '/guarded', right: 'SETTINGS_WRITE' },
      { ...plainGuard, path: '/public', access: 'public' as const },
    ];
    app = await startApp({
      engine: 'sqlite',
      config: { basePath: '/portico', upstreams: [{ ...onlyUpstream(url), timeoutMs: 600_000, rules }] },
    });
    ({ origin } = new URL(app.url));
    operator = await signIn(app, { roles: ['operator'] });
    return async () => {
      await endApp(app);
      server.closeAllConnections();
      server.close();
    };
  });

  /** Once the application has the request: its end, as the client sees it. */
  async function begin(path: string, person: SignedIn | null, method = 'GET') {
    const cookie = person?.browser.cookies.header('/') ?? '';
    const headers = { cookie, ...(method === 'GET' ? {} : { 'content-length': '9000000000' }) };
    const before = arrived.get(path)?.length ?? 0;
    const sent = request(new URL(path, origin), { method, headers, agent: false });
    const socket = once(sent, 'socket') as Promise<[Socket]>;
    sent
      .on('error', () => undefined)
      .on('response', (answer) => answer.on('error', () => undefined).resume());
    if (method === 'GET') sent.end();
    else sent.write('part of what is uploaded');
    const [connection] = await socket;
    await expect.poll(() => arrived.get(path)?.length).toBe(before + 1);
    const ended = connection.destroyed ? Promise.resolve() : once(connection, 'close').then(() => undefined);
    return { ended, isOpen: () => !connection.destroyed, leave: () => sent.destroy() };
  }

  async function change(person: SignedIn, { roles }: { roles?: string[] }): Promise<void> {
    const params = { personId: person.id };
    const { version } = (await operator.call(getPerson, { params })).body;
    const { status } =
      roles === undefined
        ? await operator.call(setBlocked, { params, body: { blocked: true, version } })
        : await operator.call(setRoles, { params, body: { roles, version } });
    expect(status).toBe(200);
  }

  const maintenance = (mode: 'off' | 'full') => changeMaintenance(operator, { mode });

  it('GATE-1: ends with the session, whatever its type, its length, and how far it has come', async () => {
    const [person, other] = [await signIn(app), await signIn(app)];
    const paths = ['/events', '/text', '/bytes', '/json', '/no-type', '/download', '/range', '/poll'];
    const running = await Promise.all(paths.map((path) => begin(path, person)));
    const upload = await begin('/upload', person, 'POST');
    const [others, open] = [await begin('/text', other), await begin('/public/text', person)];
    await app.call(signOut, {}, { cookies: person.browser.cookies });
    await Promise.all([...running, upload].map(({ ended }) => ended));
    // The application learns of it as well.
    await expect.poll(() => arrived.get('/poll')?.every(({ destroyed }) => destroyed)).toBe(true);
    expect([others.isOpen(), open.isOpen()]).toEqual([true, true]);
    for (const each of [others, open]) each.leave();
  });

  it('GATE-1, GATE-2: ends with a block, with the right to its path, and with full maintenance', async () => {
    const others = await begin('/text', await signIn(app));
    const guardedBy = await signIn(app, { roles: ['operator'] });
    const [guarded, free] = [await begin('/guarded/text', guardedBy), await begin('/text', guardedBy)];
    const person = await signIn(app);
    const text = await begin('/text', person);
    await change(person, {});
    await text.ended;
    await change(guardedBy, { roles: ['member'] });
    await guarded.ended;
    expect([others.isOpen(), free.isOpen()]).toEqual([true, true]);
    const open = await begin('/public/text', null);
    await maintenance('full');
    try {
      await Promise.all([others, free, open].map(({ ended }) => ended));
    } finally {
      await maintenance('off');
    }
  });
});
