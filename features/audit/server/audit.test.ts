import { exportAudit, getAuditEntry, listAudit } from '#features/audit/contract/audit.ts';
import { createFlag } from '#features/flags/contract/flags.ts';
import { getPerson, setRoles } from '#features/people/contract/people.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { erasePersonFromAudit, recordAudit, type Actor } from './audit.store.ts';

const commandLine: Actor = { kind: 'command-line', id: null, name: 'root' };
type Query = Record<string, string | number>;

describe.each(engines)('the audit on %s', (engine) => {
  let app: TestApp;
  let ada: SignedIn;
  let miaId: string;
  beforeAll(async () => {
    app = await startApp({ engine });
    ada = await signIn(app, {
      email: 'ada@example.org',
      firstName: 'Ada',
      lastName: 'Ångström',
      roles: ['operator'],
    });
    miaId = await addPerson(app, { email: 'mia@example.org', firstName: 'Mia', lastName: 'Zürich' });
    return () => endApp(app);
  });

  const list = async (query: Query = {}) => (await ada.call(listAudit, { query })).body;
  const note = (actor: Actor, entry: Parameters<typeof recordAudit>[2]) =>
    app.database.change((change) => recordAudit(change, actor, entry));

  it('AUD-1: lists who, when, through what, to what, before and after, with what they are called now', async () => {
    const { version } = (await ada.call(getPerson, { params: { personId: miaId } })).body;
    const from = (userAgent: string) => ({ headers: { 'user-agent': userAgent } });
    await app.call(
      setRoles,
      { params: { personId: miaId }, body: { roles: ['support'], version } },
      { accessToken: ada.accessToken, ...from('Mozilla/5.0 (Windows NT 10.0; rv:150.0) Firefox/150.0') },
    );
    const token = await addToken(app, { rights: ['FLAGS_WRITE'], name: 'ci' });
    const flag = { key: 'NEW_MAP', type: 'boolean', description: 'A map', defaultValue: true } as const;
    await app.call(
      createFlag,
      { body: { ...flag, enabled: true, rules: [], tags: [] } },
      { accessToken: token, ...from('curl/8.5.0') },
    );
    await note(commandLine, { action: 'operator.reset', subject: miaId, after: { roles: ['operator'] } });

    const { entries, next, lookedBackTo } = await list();
    expect([next, lookedBackTo]).toEqual([null, null]);
    expect(entries.slice(0, 3)).toEqual([
      {
        id: expect.any(String),
        at: expect.any(Number),
        through: 'command-line',
        client: null,
        actor: { id: null, name: 'root', nameNow: null },
        action: 'operator.reset',
        subject: { kind: 'person', id: miaId, nameNow: 'Mia Zürich', there: true },
        before: null,
        after: { roles: ['operator'] },
        cut: false,
      },
      expect.objectContaining({
        through: 'token',
        client: { program: 'curl 8.5', system: null },
        actor: { id: expect.any(String), name: 'ci', nameNow: null },
        action: 'flag.create',
        subject: { kind: 'flag', id: 'NEW_MAP', nameNow: 'NEW_MAP', there: true },
        after: expect.objectContaining(flag),
      }),
      expect.objectContaining({
        through: 'person',
        client: { program: 'Firefox 150', system: 'Windows' },
        actor: { id: ada.id, name: 'ada@example.org', nameNow: 'Ada Ångström' },
        action: 'person.set-roles',
        before: { roles: [] },
        after: { roles: ['support'] },
      }),
    ]);
    const [first] = entries;
    expect((await ada.call(getAuditEntry, { params: { entryId: first?.id ?? '' } })).body).toEqual(first);
    expect((await ada.call(getAuditEntry, { params: { entryId: 'nothing' } })).status).toBe(404);
  });

  it('AUD-1: is read page by page, also through entries of the same time; what comes in between shifts nothing', async () => {
    await app.database.change(async (change) => {
      for (let index = 0; index < 7; index += 1)
        await recordAudit(change, commandLine, { action: 'flag.update', subject: `SAME_${index}` });
    });
    const expected = (await list({ limit: 200 })).entries.map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({
        limit: 3,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.next;
      if (seen.length < 10) await note(commandLine, { action: 'flag.update', subject: 'MEANWHILE' });
    } while (cursor !== null);
    expect(seen).toEqual(expected);
  });

  it('API-1: what is wrong in a query is named', async () => {
    const problemOf = async (query: Query) => (await ada.call(listAudit, { query })).problem;
    expect(await problemOf({ search: 'x'.repeat(10_000) })).toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [expect.objectContaining({ pointer: '/search' })],
    });
    for (const cursor of ['x', '1', '1.', '.x', '99999999999999999.x', '1.a b', "1.'"])
      expect([cursor, (await problemOf({ cursor }))?.errors?.[0]?.pointer]).toEqual([cursor, '/cursor']);
    for (const from of ['yesterday', '-1', '1.5', '1e30'])
      expect([from, (await problemOf({ from }))?.errors?.[0]?.pointer]).toEqual([from, '/from']);
    expect((await problemOf({ action: 'DROP' }))?.status).toBe(400);
    expect((await problemOf({ through: 'magic' }))?.status).toBe(400);
    const headers = { 'x-time-offset': 'noon' };
    const { problem } = await app.call(exportAudit, {}, { accessToken: ada.accessToken, headers });
    expect(problem?.code).toBe('INVALID_REQUEST');
  });

  it('AUD-1: no statement changes or removes a row, from any sender', async () => {
    const before = await app.database.read.selectFrom('audit').selectAll().orderBy('id').execute();
    const tries = [
      sql`update audit set actor_name = 'nobody'`,
      sql`update audit set at = at + 1`,
      sql`delete from audit`,
      ...(engine === 'sqlite'
        ? [sql`insert or replace into audit select * from audit limit 1`]
        : [
            sql`truncate audit`,
            sql`insert into audit select * from audit limit 1 on conflict (id) do update set actor_name = 'nobody'`,
          ]),
      // Not even in the one way in which texts may change does anything else.
      sql`update audit set action = 'flag.create'`,
    ];
    for (const [index, statement] of tries.entries()) {
      const guarded = index === tries.length - 1;
      await expect(
        app.database.transaction(async (tx) => {
          if (guarded) await tx.insertInto('setting').values({ name: 'audit-erasure', value: '' }).execute();
          await statement.execute(tx);
        }),
      ).rejects.toThrow('append-only');
    }
    expect(await app.database.read.selectFrom('audit').selectAll().orderBy('id').execute()).toEqual(before);
  });

  it('BUG-10 AUD-1: a person who is erased leaves what was done, and none of their texts', async () => {
    const email = 'erna.erased@example.org';
    const erna = await addPerson(app, { email, firstName: 'Erna', lastName: 'Erased' });
    await note(commandLine, {
      action: 'person.invite',
      subject: erna,
      after: { email, firstName: 'Erna', lastName: 'Erased', roles: ['support'] },
    });
    await note(
      { kind: 'person', id: erna, name: email, sessionId: null },
      { action: 'maintenance-window.plan', subject: 'w1', after: { title: 'Spring', createdBy: email } },
    );
    await app.database.change((change) =>
      erasePersonFromAudit(
        change,
        { personId: erna, emails: [email], pseudonym: 'erased-1' },
        { after: '', most: 1_000 },
      ),
    );
    const rows = await app.database.read.selectFrom('audit').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/erna/i);
    const [planned, invited] = (await list({ search: 'erased-1' })).entries;
    expect(planned).toMatchObject({
      actor: { id: erna, name: 'erased-1' },
      after: { title: 'Spring', createdBy: 'erased-1' },
    });
    expect(invited).toMatchObject({
      actor: { name: 'root' },
      after: { email: 'erased-1', firstName: 'erased-1', lastName: 'erased-1', roles: ['support'] },
    });
    // The way is closed again.
    expect(
      await app.database.read.selectFrom('setting').selectAll().where('name', '=', 'audit-erasure').execute(),
    ).toEqual([]);
  });

  it('BUG-10 AUD-1: an erased person is called by their pseudonym in every entry, whatever the entry holds', async () => {
    const subject = 'gone-person';
    await note(commandLine, { action: 'person.export', subject });
    expect((await list({ subject })).entries.map((entry) => entry.subject.nameNow)).toEqual([null]);
    const name = 'erased person 78a371';
    await note(commandLine, { action: 'person.erase', subject, after: { name } });
    const theirs: Actor = { kind: 'person', id: subject, name, sessionId: null };
    await note(theirs, { action: 'person.export', subject });
    const { entries } = await list({ subject });
    expect(entries.map((entry) => entry.subject.nameNow)).toEqual([name, name, name]);
    expect(entries[0]?.actor).toEqual({ id: subject, name, nameNow: name });
  });

  it('AUD-1: is stored without secrets, should a feature ever hand one over', async () => {
    await note(commandLine, {
      action: 'api-token.create',
      subject: 'S',
      after: {
        name: 'ci',
        token: 'pt_1',
        passwordHash: 'h',
        secret: 's',
        tokens: 2,
        rules: { token: 'harmless' },
      },
    });
    expect((await list({ subject: 'S' })).entries[0]?.after).toEqual({
      name: 'ci',
      token: '[removed]',
      passwordHash: '[removed]',
      secret: '[removed]',
      tokens: 2,
      rules: { token: 'harmless' },
    });
  });

  it('AUD-1: is exported as CSV that no spreadsheet runs, and as JSON lines, with local times', async () => {
    await note(
      { ...commandLine, name: '=cmd|"/c calc"!A1' },
      { action: 'flag.update', subject: '@SUM(1)', after: { text: 'a, "b"\nc' } },
    );
    const get = (query: Query, headers: Record<string, string> = {}) =>
      app.call(exportAudit, { query }, { accessToken: ada.accessToken, headers });
    const csv = await get({ subject: '@SUM(1)' }, { 'x-time-offset': '-210' });
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="portico-audit-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head, line, ...rest] = csv.text.split('\r\n');
    expect(rest).toEqual(['']);
    expect(head).toBe(
      'id,time,local_time,through,actor,actor_id,action,subject,subject_name,before,after,client,client_system',
    );
    expect(line).toMatch(/^[\w-]+,\d{4}[\dT:.-]+Z,\d{4}[\dT:.-]+-03:30,command-line,/);
    expect(line).toContain(
      `,"'=cmd|""/c calc""!A1",,flag.update,"'@SUM(1)",,,"{""text"":""a, \\""b\\""\\nc""}",,`,
    );

    const lines = (await get({ format: 'jsonl', limit: 1 }, { 'x-time-offset': '60' })).text
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as Record<string, unknown>);
    const all = (await list({ limit: 200 })).entries;
    expect(lines.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(lines[0]).toMatchObject({
      type: 'audit',
      actor: '=cmd|"/c calc"!A1',
      localTime: expect.stringMatching(/\+01:00$/),
      after: { text: 'a, "b"\nc' },
    });
  });
});
