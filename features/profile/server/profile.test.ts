import { describe, expect, it } from 'vitest';
import { listPeople } from '#features/people/contract/people.ts';
import type { Problem } from '#contract/problem.ts';
import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { dump } from '#server/testing/dump.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { upload } from '#server/testing/upload.ts';
import { personAttributes } from './person-attributes.ts';
import { setProfileNames } from './profile.store.ts';

const own = { params: { userId: 'current' } };
const blank = {
  firstName: '',
  lastName: '',
  phone: '',
  organisation: '',
  jobTitle: '',
  locale: null,
  timeZone: null,
  avatar: null,
};
const filled = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+49 (30) 123-456',
  organisation: 'Analytical Engines',
  jobTitle: 'Programmer',
  locale: 'fr',
  timeZone: 'Europe/Paris',
} as const;

const pointersIn = ({ problem }: { problem: Problem | null }) =>
  (problem?.errors ?? []).map(({ pointer }) => pointer).toSorted();

async function audited({ database }: TestApp) {
  const rows = await database.read
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'profile.update')
    .orderBy('at')
    .execute();
  return rows.map((row) => ({
    actor: `${row.actor_kind} ${row.actor_name}`,
    subject: row.subject,
    before: JSON.parse(row.before ?? 'null') as unknown,
    after: JSON.parse(row.after ?? 'null') as unknown,
  }));
}

describe.each(engines)('profiles on %s', (engine) => {
  const once = provedOn(engine);
  it.each(once)('PRO-1: a profile has every field, and what is not known is empty', async () => {
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

  it.each(once)(
    'PRO-1: every person reads their own, as current and by id, and no other without a right',
    async () => {
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
    },
  );

  it.each(once)("PRO-1: another person's needs PEOPLE_READ, and one who is not there is 404", async () => {
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

  it.each(once)('PRO-1: other names are answered with a new version', async () => {
    const app = await startApp({ engine });
    const userId = await addPerson(app, { firstName: 'Ada', lastName: 'Byron' });
    const reader = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
    await app.database.change((change) =>
      setProfileNames(change, userId, { firstName: 'Ada', lastName: 'King' }),
    );
    const { body } = await app.call(getProfile, { params: { userId } }, reader);
    expect(body).toMatchObject({ firstName: 'Ada', lastName: 'King', version: 2 });
  });

  describe('that is changed', () => {
    it('PRO-1: has what was sent, trimmed, with a new version, and the change is published', async () => {
      const app = await startApp({ engine });
      const ada = await signIn(app, { firstName: 'Ada' });
      const operator = await signIn(app, { roles: ['operator'] });
      const published: string[] = [];
      app.database.onChange((changes) =>
        published.push(...changes.map(({ topic, key }) => `${topic} ${key}`)),
      );
      const before = (await ada.call(getProfile, own)).body;
      const changed = await ada.call(updateProfile, {
        ...own,
        body: { ...blank, ...filled, lastName: '  Lovelace ', version: 1 },
      });
      expect([changed.status, changed.body]).toEqual([
        200,
        { ...before, ...filled, lastName: 'Lovelace', version: 2 },
      ]);
      expect((await ada.call(getProfile, own)).body).toEqual(changed.body);
      expect(published).toEqual([`person ${ada.id}`]);
      expect(await personAttributes(app.database.read, ada.id)).toMatchObject({
        locale: 'fr',
        timeZone: 'Europe/Paris',
      });
      const found = await operator.call(listPeople, { query: { search: 'lovelace' } });
      expect(found.body.people.map(({ id }) => id)).toEqual([ada.id]);

      const emptied = await ada.call(updateProfile, { ...own, body: { ...blank, version: 2 } });
      expect(emptied.body).toEqual({ ...before, ...blank, version: 3 });
    });

    it.each(once)('PRO-1: is unchanged where nothing is new, also when sent as it was read', async () => {
      const app = await startApp({ engine });
      const ada = await signIn(app);
      await ada.call(updateProfile, { ...own, body: { ...blank, ...filled, version: 1 } });
      const read = (await ada.call(getProfile, own)).body;
      const before = await dump(app.database);
      const again = await ada.call(updateProfile, { ...own, body: { ...read, ...filled } });
      expect([again.status, again.body]).toEqual([200, read]);
      const { revision: _n, ...rest } = await dump(app.database);
      expect(before).toMatchObject(rest);
    });

    it.each(once)(
      'PRO-1: a time zone under an older name is shown and saved under the present one, and is no change',
      async () => {
        const app = await startApp({ engine });
        const ada = await signIn(app);
        const operator = await signIn(app, { roles: ['operator'] });
        await app.database.transaction((tx) =>
          tx
            .updateTable('profile')
            .set({ time_zone: 'Europe/Kiev' })
            .where('person_id', '=', ada.id)
            .execute(),
        );
        const read = (await ada.call(getProfile, own)).body;
        expect(read.timeZone).toBe('Europe/Kyiv');
        expect(await personAttributes(app.database.read, ada.id)).toMatchObject({ timeZone: 'Europe/Kyiv' });
        for (const timeZone of ['Europe/Kyiv', 'Europe/Kiev']) {
          const same = await ada.call(updateProfile, { ...own, body: { ...read, ...blank, timeZone } });
          expect([same.status, same.body.version]).toEqual([200, read.version]);
        }
        const params = { userId: ada.id };
        const renamed = { ...read, ...blank, jobTitle: 'Pilot', timeZone: 'Europe/Kyiv' };
        const saved = await operator.call(updateProfile, { params, body: renamed });
        expect(saved.body).toMatchObject({ jobTitle: 'Pilot', timeZone: 'Europe/Kyiv' });
        const [entry] = await audited(app);
        expect(entry?.before).toMatchObject({ timeZone: 'Europe/Kyiv' });
        const stored = await app.database.read
          .selectFrom('profile')
          .select('time_zone')
          .where('person_id', '=', ada.id)
          .executeTakeFirst();
        expect(stored?.time_zone).toBe('Europe/Kyiv');
      },
    );

    it.each(once)('PRO-1: is not, where another was faster or where it is wrong', async () => {
      const app = await startApp({ engine });
      const ada = await signIn(app);
      const change = (body: object) =>
        ada.call(updateProfile, {
          ...own,
          body: { ...blank, version: 2, ...body },
        });
      const both = await Promise.all(
        ['Ada', 'Augusta'].map((firstName) => change({ firstName, version: 1 })),
      );
      expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
      expect(both.flatMap(({ problem }) => problem?.code ?? [])).toEqual(['VERSION_CONFLICT']);
      const stored = (await ada.call(getProfile, own)).body;

      for (const version of [1, 3])
        expect((await change({ version })).problem?.code).toBe('VERSION_CONFLICT');
      const wrong = await change({
        firstName: 'a\nb',
        lastName: 'x'.repeat(101),
        phone: 'call me',
        locale: 'it',
        timeZone: '+02:00',
        avatar: '',
        roles: ['operator'],
      });
      expect([wrong.status, pointersIn(wrong)]).toEqual([
        422,
        ['/avatar', '/firstName', '/lastName', '/locale', '/phone', '/roles', '/timeZone'],
      ]);
      const { email, createdAt } = stored;
      const readOnly = await change({ id: 'other', email: 'other@example.org', createdAt: createdAt + 1 });
      expect([readOnly.problem?.code, readOnly.problem?.errors?.map(({ code }) => code)]).toEqual([
        'INVALID_BODY',
        ['read_only', 'read_only', 'read_only'],
      ]);
      expect(pointersIn(readOnly)).toEqual(['/createdAt', '/email', '/id']);
      expect((await ada.call(getProfile, own)).body).toEqual(stored);
      expect((await change({ id: ada.id, email, createdAt, jobTitle: 'Analyst' })).status).toBe(200);
    });

    it('PRO-1: for another person needs PEOPLE_WRITE, and stands in the audit with before and after', async () => {
      const app = await startApp({ engine });
      const [ada, operator] = [
        await signIn(app, { firstName: 'Ada' }),
        await signIn(app, { roles: ['operator'] }),
      ];
      const script = { accessToken: await addToken(app, { name: 'payroll', rights: ['PEOPLE_WRITE'] }) };
      const params = { userId: ada.id };
      const other = await signIn(app, { roles: ['member'] });
      const call = { params, body: { ...blank, firstName: 'Augusta', version: 1 } };
      expect((await other.call(updateProfile, call)).problem?.code).toBe('RIGHT_MISSING');
      expect(
        (await ada.call(updateProfile, { ...own, body: { ...call.body, jobTitle: 'Analyst' } })).status,
      ).toBe(200);
      expect(await audited(app)).toEqual([]);

      expect(
        (await operator.call(updateProfile, { params, body: { ...blank, version: 2 } })).body.version,
      ).toBe(3);
      const scripted = await app.call(
        updateProfile,
        { params, body: { ...blank, organisation: 'Guild', version: 3 } },
        script,
      );
      expect(scripted.body).toMatchObject({ id: ada.id, organisation: 'Guild', version: 4 });
      expect(await audited(app)).toEqual([
        {
          actor: `person ${operator.email}`,
          subject: ada.id,
          before: { ...blank, firstName: 'Augusta', jobTitle: 'Analyst' },
          after: blank,
        },
        {
          actor: 'token payroll',
          subject: ada.id,
          before: blank,
          after: { ...blank, organisation: 'Guild' },
        },
      ]);
      const unknown = await operator.call(updateProfile, { params: { userId: 'nobody' }, body: call.body });
      expect(unknown.problem?.code).toBe('NOT_FOUND');
    });

    it.each(once)('PRO-1: takes as a picture what is one, small, and theirs or of who gives it', async () => {
      const app = await startApp({ engine });
      const [ada, operator] = [await signIn(app), await signIn(app, { roles: ['operator'] })];
      const mebibytes = (bytes: Buffer<ArrayBuffer>, count: number) =>
        Buffer.concat([bytes, Buffer.alloc(count * 1024 * 1024 - bytes.length)]);
      const picture = pictureFile('png', 20, 20);
      const wrong = await upload(app, ada, [
        { filename: 'a.png', bytes: 'a text' },
        { filename: 'a.png', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
        { filename: 'a.avif', bytes: pictureFile('avif', 20, 20) },
        { filename: 'a.png', bytes: Buffer.concat([mebibytes(picture, 2), Buffer.alloc(1)]) },
        { filename: 'a.png', bytes: pictureFile('png', 4_097, 20) },
        { filename: 'a.png', bytes: pictureFile('png', 20, 4_097) },
      ]);
      const [others] = await upload(app, operator, [{ filename: 'a.png', bytes: picture }]);
      const set = (by: SignedIn, avatar: string | null, version: number) =>
        by.call(updateProfile, { params: { userId: ada.id }, body: { ...blank, avatar, version } });
      const codes: unknown[] = [];
      for (const id of [...wrong.map((file) => file.id), others?.id ?? '', 'no-file']) {
        const { problem } = await set(ada, id, 1);
        codes.push(problem?.errors?.map(({ pointer, code }) => `${pointer} ${code}`).join());
      }
      expect(codes).toEqual([
        '/avatar type',
        '/avatar type',
        '/avatar type',
        '/avatar too_big',
        '/avatar too_big',
        '/avatar too_big',
        '/avatar invalid',
        '/avatar invalid',
      ]);
      const good = await upload(app, ada, [
        { filename: 'a.png', bytes: mebibytes(picture, 2) },
        { filename: 'a.jpg', bytes: pictureFile('jpeg', 4_096, 4_096) },
        { filename: 'a.webp', bytes: pictureFile('webp', 20, 20) },
        { filename: 'a.gif', bytes: pictureFile('gif', 20, 20) },
      ]);
      for (const [index, { id }] of good.entries())
        expect((await set(ada, id, index + 1)).body.avatar).toBe(id);
      expect((await set(operator, others?.id ?? '', 5)).body.avatar).toBe(others?.id);
      // It stays where it is when they change something else, although it is not theirs.
      const saved = await ada.call(updateProfile, {
        ...own,
        body: { ...blank, avatar: others?.id ?? '', jobTitle: 'Analyst', version: 6 },
      });
      expect(saved.body).toMatchObject({ avatar: others?.id, version: 7 });
    });

    it('PRO-1: lets go of the picture that it showed, unless something else shows it', async () => {
      const app = await startApp({ engine });
      const [ada, bob] = [await signIn(app), await signIn(app)];
      const operator = await signIn(app, { roles: ['operator'] });
      const picture = { filename: 'a.png', bytes: pictureFile('png', 20, 20) };
      const [first, second] = await upload(app, ada, [picture, picture]);
      const [shared] = await upload(app, operator, [picture]);
      const set = async (by: SignedIn, of: SignedIn, avatar: string | null, version: number) => {
        const call = { params: { userId: of.id }, body: { ...blank, avatar, version } };
        expect((await by.call(updateProfile, call)).status).toBe(200);
        const rows = await app.database.read.selectFrom('file').select('id').execute();
        return rows.map(({ id }) => id).toSorted();
      };
      const ids = (...files: ({ id: string } | undefined)[]) =>
        files.map((file) => file?.id ?? '').toSorted();
      expect(await set(ada, ada, first?.id ?? '', 1)).toEqual(ids(first, second, shared));
      expect(await set(ada, ada, second?.id ?? '', 2)).toEqual(ids(second, shared));
      expect(await set(operator, ada, shared?.id ?? '', 3)).toEqual(ids(shared));
      expect(await set(operator, bob, shared?.id ?? '', 1)).toEqual(ids(shared));
      expect(await set(operator, bob, null, 2)).toEqual(ids(shared));
      expect(await set(operator, ada, null, 4)).toEqual([]);
    });
  });

  it.each(once)('FLAG-3: a person has the attributes that rules may ask about', async () => {
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
