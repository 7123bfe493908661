import { describe, expect, it } from 'vitest';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { getPermissions } from '#features/permissions/contract/of-person.ts';
import { listRoles } from '#features/permissions/contract/administration.ts';
import { openChangeFeed } from '#server/platform/database/change-feed.ts';
import { systemClock } from '#server/platform/time/clock.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';
import { createEffectiveRights } from './effective-rights.ts';
import { setRolesOf } from './permissions.store.ts';

describe.each(engines)('rights on %s', (engine) => {
  const once = provedOn(engine);
  async function start(): Promise<{ app: TestApp; reader: { accessToken: string } }> {
    const app = await startApp({ engine });
    return { app, reader: { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) } };
  }

  it('RIGHT-1: answers the rights of a person, sorted, without repeats, with an ETag', async () => {
    const { app, reader } = await start();
    const userId = await addPerson(app, { roles: ['member', 'support'] });
    const answer = await app.call(getPermissions, { params: { userId } }, reader);
    expect(answer.body).toEqual(builtInRoles.support.toSorted());
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  it.each(once)('RIGHT-1: answers 304 without a body while the list is the same', async () => {
    const { app, reader } = await start();
    const userId = await addPerson(app, { roles: ['member'] });
    const ask = (etag: string) =>
      app.call(getPermissions, { params: { userId } }, { ...reader, headers: { 'if-none-match': etag } });
    const first = await app.call(getPermissions, { params: { userId } }, reader);
    const etag = first.headers.get('etag') ?? '';

    const same = await ask(`"other", ${etag}`);
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    expect(same.headers.get('cache-control')).toBe('private, no-cache');
    expect((await ask('"other"')).body).toEqual(['MAP_VIEW']);

    await app.database.change((change) => setRolesOf(change, userId, ['support']));
    const changed = await ask(etag);
    expect(changed.body).toEqual(builtInRoles.support.toSorted());
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it.each(once)('RIGHT-1: a person without roles has the empty list, an unknown one is 404', async () => {
    const { app, reader } = await start();
    const userId = await addPerson(app);
    expect((await app.call(getPermissions, { params: { userId } }, reader)).body).toEqual([]);
    const unknown = await app.call(getPermissions, { params: { userId: 'nobody' } }, reader);
    expect([unknown.status, unknown.problem?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(once)('RIGHT-1: every person reads their own, as current and by id', async () => {
    const app = await startApp({ engine });
    const account = { email: 'ada@example.org', password: 'seven green lanterns' };
    const userId = await addPerson(app, { ...account, roles: ['member'] });
    const other = await addPerson(app, { roles: ['member'] });
    const browser = openBrowser(app.url);
    await browser.signIn(account);
    const ada = { accessToken: (await browser.renew()).body.accessToken };
    for (const own of ['current', userId]) {
      expect((await app.call(getPermissions, { params: { userId: own } }, ada)).body).toEqual(['MAP_VIEW']);
    }
    for (const foreign of [other, 'nobody']) {
      expect((await app.call(getPermissions, { params: { userId: foreign } }, ada)).problem?.code).toBe(
        'RIGHT_MISSING',
      );
    }
  });

  it.each(once)("RIGHT-1: another person's needs PEOPLE_READ", async () => {
    const { app } = await start();
    const userId = await addPerson(app, { roles: ['operator'] });
    const other = { accessToken: await addToken(app, { rights: ['FLAGS_WRITE'] }) };
    const refused = await app.call(getPermissions, { params: { userId } }, other);
    expect([refused.status, refused.problem?.code]).toEqual([403, 'RIGHT_MISSING']);
    expect((await app.call(getPermissions, { params: { userId } })).status).toBe(401);
  });

  it.each(once)('SES-8: a blocked person has no right, until they are unblocked', async () => {
    const { app, reader } = await start();
    const userId = await addPerson(app, { roles: ['member'] });
    const rights = async () => (await app.call(getPermissions, { params: { userId } }, reader)).body;
    expect(await rights()).toEqual(['MAP_VIEW']);
    await app.database.change((change) => writeBlocked(change, userId, change.at));
    expect(await rights()).toEqual([]);
    await app.database.change((change) => writeBlocked(change, userId, null));
    expect(await rights()).toEqual(['MAP_VIEW']);
  });

  it.each(once)('RIGHT-3: the roles and their rights are shown to those who may see people', async () => {
    const { app, reader } = await start();
    const { roles } = (await app.call(listRoles, {}, reader)).body;
    expect(Object.fromEntries(roles.map(({ role, rights }) => [role, rights]))).toEqual(builtInRoles);
    const other = { accessToken: await addToken(app, { rights: ['FLAGS_READ'] }) };
    expect((await app.call(listRoles, {}, other)).status).toBe(403);
  });

  it.each(once)('RIGHT-3: no request asks the database, until something changes', async () => {
    const { app } = await start();
    const id = await addPerson(app, { roles: ['member'] });
    let reads = 0;
    const database: Database = {
      ...app.database,
      get read() {
        reads += 1;
        return app.database.read;
      },
    };
    const feed = await openChangeFeed(app.database, createLogger('silent'));
    const permissions = createEffectiveRights({
      database,
      feed,
      clock: systemClock,
      tokenGrant: () => Promise.resolve(null),
    });
    const ada = { kind: 'person', id, name: 'ada@example.org', sessionId: null } as const;
    expect([...(await permissions.rightsOf(ada))]).toEqual(['MAP_VIEW']);
    expect(reads).toBeGreaterThan(0);
    reads = 0;
    // At once, without even a promise.
    for (let request = 0; request < 1_000; request += 1)
      expect(permissions.rightsOf(ada)).toEqual(new Set(['MAP_VIEW']));
    expect(reads).toBe(0);
    await app.database.change((change) => setRolesOf(change, id, []));
    expect([...(await permissions.rightsOf(ada))]).toEqual([]);
    await feed.close();
  });
});

it('RUN-1: a right taken on one replica is gone on the other without a restart', async () => {
  const app = await startApp({ engine: 'postgres' });
  const replica = await startApp({ replicaOf: app });
  const reader = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
  const userId = await addPerson(app, { roles: ['member'] });
  const rights = async () => (await replica.call(getPermissions, { params: { userId } }, reader)).body;
  expect(await rights()).toEqual(['MAP_VIEW']);
  await app.database.change((change) => setRolesOf(change, userId, []));
  await expect.poll(rights).toEqual([]);
});
