import { describe, expect, it } from 'vitest';
import { getPerson, listPeople } from '#features/people/contract/people.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { addPerson, addToken, aTest, giveRight } from '#server/testing/people.ts';
import { insertMapping } from '#features/permissions/server/rules.store.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';

type Query = {
  search?: string;
  state?: 'invited' | 'active' | 'blocked';
  role?: string;
  right?: string;
  group?: string;
  cursor?: string;
  limit?: number;
};

describe.each(engines)('the list of people on %s', (engine) => {
  const once = provedOn(engine);
  async function start(): Promise<{
    app: TestApp;
    list(query?: Query): Promise<string[]>;
    reader: { accessToken: string };
  }> {
    const app = await startApp({ engine });
    const reader = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
    return {
      app,
      reader,
      list: async (query = {}) => {
        const { people, total } = (await app.call(listPeople, { query }, reader)).body;
        expect(total).toBe(people.length);
        return people.map(({ email }) => email.replace('@example.org', ''));
      },
    };
  }

  async function addPeople(app: TestApp): Promise<void> {
    await addPerson(app, {
      email: 'zoe@example.org',
      firstName: 'Zoë',
      lastName: 'Ångström',
      roles: ['operator', 'member'],
    });
    await addPerson(app, {
      email: 'anne@example.org',
      firstName: 'Änne',
      lastName: 'Groß',
      roles: ['member'],
    });
    await addPerson(app, {
      email: 'bert@example.org',
      firstName: 'bert',
      lastName: '100%_sure',
      password: null,
    });
    await addPerson(app, {
      email: 'nobody@example.org',
      roles: ['support'],
      password: 'seven green lanterns',
    });
  }

  it('CON-1: stands in order of name, without case and accents; who has no name goes by the address', async () => {
    const { app, list } = await start();
    await addPeople(app);
    expect(await list()).toEqual(['anne', 'bert', 'nobody', 'zoe']);
  });

  it('CON-1: is searched by name and address, word by word, and by signs that SQL would take for its own', async () => {
    const { app, list } = await start();
    await addPeople(app);
    expect(await list({ search: 'GROSS' })).toEqual(['anne']);
    expect(await list({ search: ' groß  änne ' })).toEqual(['anne']);
    expect(await list({ search: 'angstrom ZOE@' })).toEqual(['zoe']);
    expect(await list({ search: 'Example.org' })).toHaveLength(4);
    expect(await list({ search: '%' })).toEqual(['bert']);
    expect(await list({ search: '_' })).toEqual(['bert']);
    expect(await list({ search: '\\' })).toEqual([]);
    expect(await list({ search: "'" })).toEqual([]);
    expect(await list({ search: 'a '.repeat(100) })).toHaveLength(4);
  });

  it('CON-1: is filtered by state and role, both with the search', async () => {
    const { app, list } = await start();
    await addPeople(app);
    const blocked = await addPerson(app, { email: 'gone@example.org', roles: ['member'], password: null });
    await app.database.change((change) => writeBlocked(change, blocked, change.at));
    expect(await list({ state: 'invited' })).toEqual(['bert']);
    expect(await list({ state: 'blocked' })).toEqual(['gone']);
    expect(await list({ state: 'active' })).toEqual(['anne', 'nobody', 'zoe']);
    expect(await list({ role: 'member' })).toEqual(['anne', 'gone', 'zoe']);
    expect(await list({ role: 'member', state: 'active', search: 'zoë' })).toEqual(['zoe']);
  });

  it('CON-1 RIGHT-3: is filtered by right, by whatever way it is held, and by role and group', async () => {
    const { app, list } = await start();
    await addPeople(app);
    const grouped = await addPerson(app, { email: 'gil@example.org' });
    const blocked = await addPerson(app, { email: 'gone@example.org', roles: ['operator'] });
    const denied = await addPerson(app, { email: 'dan@example.org', roles: ['operator'] });
    await addPerson(app, { email: 'gus@example.org', rights: ['PEOPLE_READ'] });
    await app.database.change(async (change) => {
      await writeBlocked(change, blocked, change.at);
      await giveRight(change, denied, 'PEOPLE_READ', 'denial');
      const groups = ['/staff/a', 'Éditeurs, 50 %'].map((name) => ({
        person_id: grouped,
        kind: 'group',
        name,
      }));
      await change.tx.insertInto('person_group').values(groups).execute();
      await insertMapping(
        change,
        { kind: 'group', match: 'prefix', name: '/staff/', roles: ['support'] },
        aTest,
      );
    });
    expect(await list({ right: 'PEOPLE_READ' })).toEqual(['gil', 'gus', 'nobody', 'zoe']);
    expect(await list({ right: 'NOT_THERE' })).toEqual([]);
    expect(await list({ role: 'support' })).toEqual(['gil', 'nobody']);
    expect(await list({ role: 'emperor' })).toEqual([]);
    expect(await list({ group: 'Éditeurs, 50 %' })).toEqual(['gil']);
    expect(await list({ group: 'éditeurs, 50 %' })).toEqual([]);
    expect(await list({ search: 'éditeurs' })).toEqual(['gil']);
    expect(await list({ search: '50 STAFF' })).toEqual(['gil']);
  });

  it.each(once)('RIGHT-3: warns of addresses that look like those of others, or mix scripts', async () => {
    const { app, reader } = await start();
    const paula = await addPerson(app, { email: 'paula@example.org' });
    const other = await addPerson(app, { email: 'р\u0430ula@example.org' });
    await addPerson(app, { email: 'ivan@example.org' });
    const { people } = (await app.call(listPeople, {}, reader)).body;
    expect(Object.fromEntries(people.map(({ email, emailDoubt }) => [email, emailDoubt]))).toEqual({
      'paula@example.org': {
        mixedScripts: false,
        lookAlikes: [{ id: other, email: 'р\u0430ula@example.org' }],
      },
      'р\u0430ula@example.org': {
        mixedScripts: true,
        lookAlikes: [{ id: paula, email: 'paula@example.org' }],
      },
      'ivan@example.org': null,
    });
  });

  it('SES-4 RIGHT-3: people without an address are not taken for each other', async () => {
    const { app, reader } = await start();
    for (const firstName of ['Ada', 'Bert', '']) await addPerson(app, { email: '', firstName });
    const { people } = (await app.call(listPeople, {}, reader)).body;
    expect(people.map(({ email, emailDoubt }) => [email, emailDoubt])).toEqual([
      ['', null],
      ['', null],
      ['', null],
    ]);
  });

  it('CON-1 RIGHT-3: lists the roles that come by groups next to those that were given', async () => {
    const { app, reader } = await start();
    const grouped = await addPerson(app, { roles: ['member'] });
    const given = await addPerson(app, { roles: ['operator'] });
    await app.database.change(async (change) => {
      const members = [
        { person_id: grouped, kind: 'group', name: '/staff/a' },
        { person_id: grouped, kind: 'group', name: '/staff/b' },
        { person_id: grouped, kind: 'role', name: 'helpers' },
        { person_id: given, kind: 'group', name: '/Staff/a' },
        { person_id: given, kind: 'role', name: 'helpers, old' },
      ];
      await change.tx.insertInto('person_group').values(members).execute();
      const mappings = [
        { kind: 'group', match: 'prefix', name: '/staff/', roles: ['operator', 'member'] },
        { kind: 'role', match: 'exact', name: 'helpers', roles: ['support', 'gone'] },
      ] as const;
      for (const mapping of mappings)
        await insertMapping(change, { ...mapping, roles: [...mapping.roles] }, aTest);
    });
    const { people } = (await app.call(listPeople, {}, reader)).body;
    const rolesOf = (wanted: string) =>
      people.filter(({ id }) => id === wanted).map(({ roles, groupRoles }) => ({ roles, groupRoles }));
    expect(rolesOf(grouped)).toEqual([{ roles: ['member'], groupRoles: ['operator', 'support'] }]);
    expect(rolesOf(given)).toEqual([{ roles: ['operator'], groupRoles: [] }]);
    expect((await app.call(getPerson, { params: { personId: grouped } }, reader)).body).toMatchObject({
      groupRoles: ['operator', 'support'],
    });
  });

  it('CON-1: is read page by page; who comes or goes in between shifts nothing', async () => {
    const { app, reader } = await start();
    // Names that are alike, so that the id has to distinguish them, and one that JSON has to escape.
    const names = ['Ada', 'Ada', 'Ada', '"\\', 'Émile', 'emile', 'Zoë'];
    for (const firstName of names) await addPerson(app, { firstName });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const { people, total, next } = (await app.call(listPeople, { query }, reader)).body;
      expect(total).toBe(names.length + pages);
      seen.push(...people.map(({ id }) => id));
      cursor = next ?? undefined;
      pages += 1;
      // This name sorts before all people who were not listed yet.
      await addPerson(app, { firstName: '!' });
    } while (cursor !== undefined);
    expect(pages).toBe(4);
    expect(seen).toHaveLength(names.length);
    expect(new Set(seen).size).toBe(names.length);
  });

  it.each(once)('CON-1: a cursor that was not made here is refused, whatever it holds', async () => {
    const { app, reader } = await start();
    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const cursors = [
      'nonsense',
      '%00',
      encoded(null),
      encoded({}),
      encoded(['ada']),
      encoded(['ada', 'id', 'more']),
      encoded([1, 'id']),
      encoded(['ada', "' or 1=1"]),
      encoded(['ad\u0000a', 'id']),
      encoded(['a'.repeat(300), 'id']),
      'a'.repeat(1001),
    ];
    for (const cursor of cursors) {
      const answer = await app.call(listPeople, { query: { cursor } }, reader);
      expect([cursor, answer.status, answer.problem?.code]).toEqual([cursor, 400, 'INVALID_REQUEST']);
      expect(answer.problem?.errors?.[0]?.pointer).toBe('/cursor');
    }
    // A cursor that names no one is valid all the same.
    expect(
      (await app.call(listPeople, { query: { cursor: encoded(['ada', 'id']) } }, reader)).body.people,
    ).toEqual([]);
  });

  it('CON-1: shows of a person what operators need, and nothing else', async () => {
    const { app, reader } = await start();
    const id = await addPerson(app, {
      email: 'ada@example.org',
      firstName: 'Ada',
      lastName: 'King',
      roles: ['member', 'operator'],
      password: 'seven green lanterns',
    });
    const person = (await app.call(getPerson, { params: { personId: id } }, reader)).body;
    expect(person).toEqual({
      id,
      avatar: null,
      email: 'ada@example.org',
      emailDoubt: null,
      firstName: 'Ada',
      lastName: 'King',
      state: 'active',
      roles: ['operator', 'member'],
      groupRoles: [],
      createdAt: expect.any(Number),
      lastSeenAt: null,
      version: 1,
    });
    expect((await app.call(listPeople, {}, reader)).body.people).toEqual([person]);
    const unknown = await app.call(getPerson, { params: { personId: 'nobody' } }, reader);
    expect([unknown.status, unknown.problem?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(once)('RIGHT-8: needs PEOPLE_READ, and writing needs more', async () => {
    const { app, reader } = await start();
    const without = { accessToken: await addToken(app, { rights: ['FLAGS_WRITE', 'PEOPLE_WRITE'] }) };
    const refused = await app.call(listPeople, {}, without);
    expect([refused.status, refused.problem?.code]).toEqual([403, 'RIGHT_MISSING']);
    expect((await app.call(getPerson, { params: { personId: 'a' } }, without)).status).toBe(403);
    expect((await app.call(listPeople, {})).status).toBe(401);
    expect((await app.call(listPeople, {}, reader)).status).toBe(200);
  });
});
