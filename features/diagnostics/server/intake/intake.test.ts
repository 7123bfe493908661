import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import {
  envelopeOf,
  errorEnvelope,
  errorEvent,
  newEventId,
  ownProjectKey,
  sendEnvelope,
} from '#server/testing/envelopes.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { unpackSample } from './packed-sample.ts';

const groupsOf = (app: TestApp) =>
  app.database.read.selectFrom('error_group').selectAll().orderBy('first_seen_at').execute();

describe.each(engines)('errors of SDKs on %s', (engine) => {
  it('DIAG-2: are grouped, counted, and stored with their facts', async () => {
    const app = await startApp({ engine });
    const key = await ownProjectKey(app);
    const send = async (event: Record<string, unknown>, id = newEventId()) => {
      const answer = await sendEnvelope(app.url, key, errorEnvelope(event, id));
      expect([answer.status, await answer.json()]).toEqual([200, { id }]);
      return id;
    };
    const first = await send({ user: { id: 7, email: 'Mia@example.org' } });
    await send({ release: 'shop@1.1.0', user: { email: 'mia@example.org' } });
    const again = await send({ user: { id: 8 } });
    await send({ user: { id: 8 } }, again);
    await send({ message: 'Order 4711 is late', exception: undefined, level: 'warning', user: undefined });
    await send({ message: 'Order 4712 is late', exception: undefined, level: 'warning', user: undefined });

    const groups = await groupsOf(app);
    expect(groups).toMatchObject([
      {
        project_id: 1,
        kind: 'TypeError',
        message: 'Cannot read properties of undefined',
        place: 'assets/main.js · renderCart',
        level: 'error',
        status: 'open',
        first_release: 'shop@1.0.0',
        last_release: 'shop@1.0.0',
        events: 3,
        people: 2,
        version: 1,
      },
      { kind: 'Message', message: 'Order 4711 is late', level: 'warning', events: 2, people: 0 },
    ]);
    const { read } = app.database;
    const events = await read.selectFrom('error_event').selectAll().orderBy('n').execute();
    expect(events).toHaveLength(5);
    expect(events[0]).toMatchObject({
      event_id: first,
      group_id: groups[0]?.id,
      release: 'shop@1.0.0',
      environment: 'production',
      browser: 'Chrome 156',
      system: 'Linux',
    });
    // The address counts, whatever its case and whatever else names the person.
    expect(events[0]?.person_hash).toBe(events[1]?.person_hash);
    const facets = await read
      .selectFrom('error_facet')
      .select(['facet', 'value', 'events'])
      .where('group_id', '=', groups[0]?.id ?? '')
      .orderBy('facet')
      .orderBy('value')
      .execute();
    expect(facets).toEqual([
      { facet: 'browser', value: 'Chrome 156', events: 3 },
      { facet: 'environment', value: 'production', events: 3 },
      { facet: 'release', value: 'shop@1.0.0', events: 2 },
      { facet: 'release', value: 'shop@1.1.0', events: 1 },
      { facet: 'system', value: 'Linux', events: 3 },
    ]);
    const counts = await read.selectFrom('error_count').select(['group_id', 'events']).execute();
    expect(new Map(counts.map((count) => [count.group_id, count.events]))).toEqual(
      new Map([
        [groups[0]?.id, 3],
        [groups[1]?.id, 2],
      ]),
    );
    expect(await read.selectFrom('project_count').select(['events', 'refused']).execute()).toEqual([
      { events: 5, refused: 0 },
    ]);
    const sample = await read.selectFrom('error_sample').selectAll().orderBy('n').executeTakeFirstOrThrow();
    expect(sample).toMatchObject({ n: events[0]?.n, group_id: groups[0]?.id, size: sample.payload.length });
    const stored = JSON.stringify(await unpackSample(sample.payload));
    expect(JSON.parse(stored)).toMatchObject({
      event_id: first,
      exception: { values: [{ type: 'TypeError', stacktrace: { frames: [{}, { lineno: 12, colno: 34 }] } }] },
    });
    expect(stored).not.toMatch(/mia@example/i);
  });

  it('DIAG-2: many at once make each group, person and count once', async () => {
    const app = await startApp({ engine });
    const other = engine === 'postgres' ? await startApp({ replicaOf: app }) : app;
    const key = await ownProjectKey(app);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_each, index) =>
        sendEnvelope(
          index % 2 === 0 ? app.url : other.url,
          key,
          errorEnvelope({
            release: `shop@1.0.${index % 60}`,
            user: { id: index % 5 },
            exception: { values: [{ type: `Kind${index % 4}`, value: `Number ${index}` }] },
          }),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const groups = await groupsOf(app);
    expect(new Map(groups.map(({ kind, events, people }) => [kind, [events, people]]))).toEqual(
      new Map([0, 1, 2, 3].map((kind) => [`Kind${kind}`, [50, 5]])),
    );
    const hours = await app.database.read.selectFrom('project_count').select('events').execute();
    expect(hours.reduce((sum, { events }) => sum + events, 0)).toBe(200);
  });

  it('DIAG-2: of a resolved error open it again only where their release is a later one', async () => {
    const app = await startApp({ engine });
    const key = await ownProjectKey(app);
    const send = (release: string | undefined) => sendEnvelope(app.url, key, errorEnvelope({ release }));
    const resolve = (resolvedIn: string | null) =>
      app.database.transaction(async (tx) => {
        const resolved = { status: 'resolved', resolved_at: 1, resolved_in: resolvedIn };
        await tx.updateTable('error_group').set(resolved).execute();
      });
    const status = async () =>
      (await groupsOf(app)).map((group) => [group.status, group.returned_at !== null]);

    await send('shop@1.9.0');
    await resolve('shop@1.10.0');
    await send('shop@1.10.0');
    await send('shop@1.2.0');
    expect(await status()).toEqual([['resolved', false]]);
    await send('shop@1.11.0-beta.1');
    expect(await status()).toEqual([['open', true]]);
    expect((await groupsOf(app))[0]).toMatchObject({ version: 2, resolved_at: null, resolved_in: null });

    // Releases that are no versions are compared by when each was first seen.
    await send('build-a');
    await send('build-b');
    await resolve('build-a');
    await send('build-a');
    expect((await status())[0]?.[0]).toBe('resolved');
    await send('build-b');
    expect((await status())[0]?.[0]).toBe('open');
    await resolve(null);
    await send('build-a');
    expect((await status())[0]?.[0]).toBe('open');
  });

  it('DIAG-2: beyond the bounds of a group are counted, and no more', async () => {
    const app = await startApp({ engine });
    const key = await ownProjectKey(app);
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        Array.from({ length: 40 }, (_each, index) =>
          sendEnvelope(app.url, key, errorEnvelope({ release: `shop@1.${round}.${index}` })),
        ),
      );
    }
    expect((await groupsOf(app)).map(({ events }) => events)).toEqual([80]);
    const releases = await app.database.read
      .selectFrom('error_facet')
      .select('value')
      .where('facet', '=', 'release')
      .execute();
    expect(releases).toHaveLength(50);
  });
});

describe('the intake', () => {
  it('DIAG-2: knows a key by query, header or DSN, and refuses every other with 403', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    await app.database.change(async (change) => {
      const made = { created_at: change.at, created_by: null };
      const project = { ...made, id: 2, name: 'Shop', forward_to: null, removed_at: null, version: 1 };
      await change.tx.insertInto('diagnostic_project').values(project).execute();
      const row = { ...made, project_id: 2, revoked_by: null };
      await change.tx
        .insertInto('diagnostic_key')
        .values([
          { ...row, key: 'a'.repeat(32), revoked_at: null },
          { ...row, key: 'b'.repeat(32), revoked_at: change.at },
        ])
        .execute();
      change.publish('diagnostics');
    });
    const post = async (path: string, headers: Record<string, string> = {}, header: object = {}) => {
      const body = envelopeOf({ ...header }, [{ header: { type: 'event' }, payload: errorEvent() }]);
      const answer = await fetch(app.url + path, { method: 'POST', body, headers });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toContain('x-sentry-rate-limits');
      return answer.status === 200 ? 200 : [answer.status, ((await answer.json()) as { code: string }).code];
    };
    const host = new URL(app.url).host;
    const sentry = `Sentry sentry_version=7, sentry_client=x/1, sentry_key=${key}`;
    expect(await post(`/api/1/envelope/?sentry_key=${key}`)).toBe(200);
    expect(await post(`/api/1/envelope?sentry_key=${key}`)).toBe(200);
    expect(await post('/api/1/envelope/', { 'x-sentry-auth': sentry })).toBe(200);
    expect(await post('/api/1/envelope/', { authorization: sentry })).toBe(200);
    expect(await post('/api/1/envelope/', {}, { dsn: `http://${key}@${host}/1` })).toBe(200);
    expect(await post('/v1/faults', {}, { dsn: `http://${key}@${host}/1` })).toBe(200);
    await expect.poll(() => post(`/api/2/envelope/?sentry_key=${'a'.repeat(32)}`)).toBe(200);

    const refused = [403, 'KEY_REFUSED'];
    expect(await post('/api/1/envelope/')).toEqual(refused);
    expect(await post('/api/1/envelope/?sentry_key=x')).toEqual(refused);
    expect(await post(`/api/1/envelope/?sentry_key=${'c'.repeat(32)}`)).toEqual(refused);
    expect(await post(`/api/2/envelope/?sentry_key=${key}`)).toEqual(refused);
    expect(await post(`/api/2/envelope/?sentry_key=${'b'.repeat(32)}`)).toEqual(refused);
    expect(await post('/api/2/envelope/', {}, { dsn: `http://${key}@${host}/1` })).toEqual(refused);
    expect(await post('/v1/faults', {}, { dsn: `http://${key}@${host}/2` })).toEqual(refused);
    expect(await post('/v1/faults', { 'x-sentry-auth': sentry })).toBe(200);
  });

  it('DIAG-2: takes older events, every encoding, and leaves out what it has no use for', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const store = await fetch(`${app.url}/api/1/store/?sentry_key=${key}`, {
      method: 'POST',
      body: JSON.stringify(errorEvent({ event_id: 'A'.repeat(32) })),
      headers: { 'content-type': 'application/json' },
    });
    expect([store.status, await store.json()]).toEqual([200, { id: 'a'.repeat(32) }]);
    const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
    for (const [encoding, pack] of Object.entries(packers)) {
      const headers = { 'content-encoding': encoding };
      expect((await sendEnvelope(app.url, key, pack(errorEnvelope()), { headers })).status).toBe(200);
    }
    const raw = await sendEnvelope(app.url, key, deflateRawSync(errorEnvelope()), {
      headers: { 'content-encoding': 'deflate' },
    });
    expect(raw.status).toBe(200);
    const unused = [
      'session',
      'sessions',
      'transaction',
      'client_report',
      'replay_event',
      'check_in',
      'new_kind',
    ];
    const others = envelopeOf(
      {},
      unused.map((type) => ({ header: { type }, payload: { a: 1 } })),
    );
    expect((await sendEnvelope(app.url, key, others)).status).toBe(200);
    expect((await sendEnvelope(app.url, key, envelopeOf({ event_id: 'b'.repeat(32) }, []))).status).toBe(200);
    expect((await groupsOf(app)).map(({ events }) => events)).toEqual([6]);
  });

  it('DIAG-2: refuses what is no envelope, too large, or packed to burst', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const key = await ownProjectKey(app);
    const refusal = async (body: Buffer<ArrayBuffer> | string, headers: Record<string, string> = {}) => {
      const answer = await sendEnvelope(app.url, key, body, { headers });
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      expect(answer.headers.get('x-sentry-error')).toBe(detail);
      return [answer.status, code];
    };
    const bad = [400, 'BAD_ENVELOPE'];
    const item = (payload: string, header = '{"type":"event"}') => `{}\n${header}\n${payload}\n`;
    expect(await refusal('')).toEqual(bad);
    expect(await refusal('no envelope')).toEqual(bad);
    expect(await refusal(item('{"a":'))).toEqual(bad);
    expect(await refusal(item('[]'))).toEqual(bad);
    expect(await refusal(item('['.repeat(60_000)))).toEqual(bad);
    expect(await refusal(item('{}', '{"type":"event","length":99}'))).toEqual(bad);
    expect(await refusal(item('{}', '{"type":"event","length":1}'))).toEqual(bad);
    expect(await refusal(item('{}', '{"type":"event","length":-1}'))).toEqual(bad);
    expect(await refusal(item('{}', '{}'))).toEqual(bad);
    expect(await refusal(item('{}', `{"type":"event","x":"${'x'.repeat(9_000)}"}`))).toEqual(bad);
    expect(await refusal(item(JSON.stringify({ a: 'x'.repeat(3_200_000) })))).toEqual([413, 'TOO_LARGE']);
    expect(await refusal(`{}\n${'{"type":"session"}\n{}\n'.repeat(101)}`)).toEqual([413, 'TOO_LARGE']);
    expect(await refusal(Buffer.alloc(15 * 1024 * 1024, 'x'))).toEqual([413, 'TOO_LARGE']);
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    expect(await refusal(bomb, { 'content-encoding': 'gzip' })).toEqual([413, 'TOO_LARGE']);
    expect(await refusal(gzipSync(errorEnvelope()).subarray(0, 60), { 'content-encoding': 'gzip' })).toEqual([
      400,
      'BAD_ENCODING',
    ]);
    expect(await refusal('x', { 'content-encoding': 'compress' })).toEqual([400, 'BAD_ENCODING']);
    expect(await groupsOf(app)).toEqual([]);
    expect(app.log.filter(({ level }) => level >= 50)).toEqual([]);
  });
});
