import { describe, expect, it } from 'vitest';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { listRoles } from '#features/permissions/contract/administration.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { oneEngine } from '#server/testing/fresh-database.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { addPerson, addToken } from '#server/testing/people.ts';

describe.each(oneEngine)('rights on %s', (engine) => {
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

  it('RIGHT-1: a person without roles has the empty list, an unknown one is 404', async () => {
    const { app, reader } = await start();
    const userId = await addPerson(app);
    expect((await app.call(getPermissions, { params: { userId } }, reader)).body).toEqual([]);
    const unknown = await app.call(getPermissions, { params: { userId: 'nobody' } }, reader);
    expect([unknown.status, unknown.problem?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('RIGHT-1: every person reads their own, as current and by id', async () => {
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

  it('RIGHT-3: the roles and their rights are shown to those who may see people', async () => {
    const { app, reader } = await start();
    const { roles } = (await app.call(listRoles, {}, reader)).body;
    expect(Object.fromEntries(roles.map(({ role, rights }) => [role, rights]))).toEqual(builtInRoles);
    const other = { accessToken: await addToken(app, { rights: ['FLAGS_READ'] }) };
    expect((await app.call(listRoles, {}, other)).status).toBe(403);
  });
});
