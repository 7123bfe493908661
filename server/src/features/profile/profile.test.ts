import { describe, expect, it } from 'vitest';
import { getProfile } from '@portico/contract/profile';
import { startApp } from '../../testing/app.ts';
import { engines } from '../../testing/fresh-database.ts';
import { openBrowser } from '../../testing/browser.ts';
import { addPerson, addToken } from '../../testing/people.ts';
import { personAttributes } from './person-attributes.ts';
import { setProfileNames } from './profile.store.ts';

describe.each(engines)('profiles on %s', (engine) => {
  it('PRO-1: a profile has every field, and what is not known is empty', async () => {
    const app = await startApp({ engine });
    const reader = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
    const userId = await addPerson(app, { email: 'ada@example.org', firstName: 'Ada', lastName: 'King' });
    const { body } = await app.call(getProfile, { params: { userId } }, reader);
    expect(body).toEqual({
      id: userId,
      email: 'ada@example.org',
      firstName: 'Ada',
      lastName: 'King',
      phone: '',
      organisation: '',
      jobTitle: '',
      locale: null,
      timeZone: null,
      avatar: null,
      createdAt: expect.any(Number),
      version: 1,
    });
  });

  it('PRO-1: everybody reads their own, as current and by id, and nobody else without a right', async () => {
    const app = await startApp({ engine });
    const account = { email: 'ada@example.org', password: 'seven green lanterns' };
    const id = await addPerson(app, { ...account, firstName: 'Ada' });
    const other = await addPerson(app);
    const browser = openBrowser(app.url);
    await browser.signIn(account);
    const ada = { accessToken: (await browser.renew()).body.accessToken };
    for (const userId of ['current', id]) {
      expect((await app.call(getProfile, { params: { userId } }, ada)).body).toMatchObject({
        id,
        firstName: 'Ada',
      });
    }
    for (const userId of [other, 'nobody']) {
      expect((await app.call(getProfile, { params: { userId } }, ada)).problem?.code).toBe('RIGHT_MISSING');
    }
  });

  it("PRO-1: another person's needs PEOPLE_READ, and one who is not there is 404", async () => {
    const app = await startApp({ engine });
    const userId = await addPerson(app);
    const reader = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
    const other = { accessToken: await addToken(app, { rights: ['FLAGS_READ'] }) };
    const refused = await app.call(getProfile, { params: { userId } }, other);
    expect([refused.status, refused.problem?.code]).toEqual([403, 'RIGHT_MISSING']);
    expect((await app.call(getProfile, { params: { userId } })).status).toBe(401);
    for (const unknown of ['nobody', 'current']) {
      expect((await app.call(getProfile, { params: { userId: unknown } }, reader)).problem?.code).toBe(
        'NOT_FOUND',
      );
    }
  });

  it('PRO-1: other names are answered with a new version', async () => {
    const app = await startApp({ engine });
    const userId = await addPerson(app, { firstName: 'Ada', lastName: 'Byron' });
    const reader = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
    await app.database.change((change) =>
      setProfileNames(change, userId, { firstName: 'Ada', lastName: 'King' }),
    );
    const { body } = await app.call(getProfile, { params: { userId } }, reader);
    expect(body).toMatchObject({ firstName: 'Ada', lastName: 'King', version: 2 });
  });

  it('FLAG-3: a person has the attributes that rules may ask about', async () => {
    const app = await startApp({ engine });
    const id = await addPerson(app, { email: 'ada@example.org', roles: ['operator', 'member'] });
    expect(await personAttributes(app.database.read, id)).toEqual({
      id,
      email: 'ada@example.org',
      emailDomain: 'example.org',
      roles: ['member', 'operator'],
      groups: [],
      locale: null,
      timeZone: null,
      createdAt: expect.any(Number),
    });
    expect(await personAttributes(app.database.read, 'nobody')).toBeNull();
  });
});
