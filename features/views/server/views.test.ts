import { join } from 'node:path';
import { listAudit } from '#features/audit/contract/audit.ts';
import { addView, changeView, listViews, removeView } from '#features/views/contract/views.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '#server/platform/database/sqlite.ts';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { freshDatabase } from '#server/testing/fresh-database.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { addLists } from './views.store.ts';

const outcome = (answer: { status: number; problem?: { code: string } | null | undefined }) =>
  `${answer.status} ${answer.problem?.code ?? ''}`.trim();

describe('CON-7: views of a list', () => {
  let app: TestApp;
  let operator: SignedIn;
  let grace: SignedIn;
  beforeAll(async () => {
    app = await startApp({ engine: 'sqlite' });
    operator = await signIn(app, { roles: ['operator'] });
    grace = await signIn(app, { roles: ['support'] });
  });
  afterAll(() => endApp(app));
  const list = async (who: SignedIn, of: 'reports' | 'people' = 'reports') =>
    (await who.call(listViews, { query: { list: of } })).body;

  it('are saved for oneself or for all, under a name each', async () => {
    const body = { list: 'reports', name: 'Unanswered', query: { last: 'reporter' }, shared: false } as const;
    const saved = (await grace.call(addView, { body })).body;
    expect(outcome(await grace.call(addView, { body: { ...body, name: 'UNANSWERED' } }))).toBe(
      '409 CONFLICT',
    );
    const all = (await operator.call(addView, { body: { ...body, name: 'Ours', shared: true } })).body;
    expect((await list(grace)).map(({ name }) => name)).toEqual(['Ours', 'Unanswered']);
    expect(await list(operator)).toEqual([all]);
    expect(await list(operator, 'people')).toEqual([]);
    const params = { viewId: saved.id };
    expect(outcome(await operator.call(removeView, { params }))).toBe('404 NOT_FOUND');
    const renamed = { name: 'Waiting', query: {}, version: 1 };
    const changed = await grace.call(changeView, { params, body: renamed });
    expect(changed.body).toEqual({ ...saved, name: 'Waiting', query: {}, version: 2 });
    expect(await list(grace)).toContainEqual(changed.body);
    expect(outcome(await grace.call(changeView, { params, body: renamed }))).toBe('409 VERSION_CONFLICT');
    expect((await grace.call(removeView, { params: { viewId: all.id } })).status).toBe(204);
    const { entries } = (await operator.call(listAudit, { query: { area: 'view' } })).body;
    expect(entries.map(({ action, subject }) => [action, subject.id])).toEqual([
      ['view.delete', all.id],
      ['view.create', all.id],
    ]);
  });

  it('take the right to read the list, and shared ones the right to change what it lists', async () => {
    const body = { list: 'people', name: 'Blocked', query: { state: 'blocked' }, shared: true } as const;
    const shared = (await operator.call(addView, { body })).body;
    const [member, reader] = [
      await signIn(app, { roles: ['member'] }),
      await signIn(app, { roles: ['support'] }),
    ];
    const params = { viewId: shared.id };
    const refused = [
      await member.call(listViews, { query: { list: 'people' } }),
      await member.call(addView, { body: { ...body, shared: false } }),
      await grace.call(addView, { body }),
      await grace.call(changeView, { params, body: { name: 'Mine', query: {}, version: 1 } }),
      await member.call(removeView, { params }),
      await reader.call(addView, { body }),
    ];
    expect(refused.map(outcome)).toEqual(refused.map(() => '403 RIGHT_MISSING'));
    expect(await list(operator, 'people')).toEqual([shared]);
  });

  it('are at most fifty, of at most twenty texts', async () => {
    const body = { list: 'audit', name: 'x', query: {}, shared: false } as const;
    for (const query of [
      Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${'b'.repeat(at)}`, 'x'])),
      { a: 'x'.repeat(301) },
      { 'no name': 'x' },
      { constructor: [] as never },
    ])
      expect(outcome(await operator.call(addView, { body: { ...body, query } }))).toBe('422 INVALID_BODY');
    const answers: string[] = [];
    for (let at = 0; at < 51; at += 1)
      answers.push(outcome(await operator.call(addView, { body: { ...body, name: `View ${at}` } })));
    expect(answers).toEqual([...Array<string>(50).fill('201'), '409 CONFLICT']);
  });

  it('of earlier releases hold days instead of times', async () => {
    const place = await freshDatabase('sqlite', 'nothing');
    const { kysely } = openSqlite(join(place.dataDir, 'older.sqlite'), 'write');
    const [from, until] = [Date.parse('2026-06-30T22:00Z'), Date.parse('2026-07-02T21:59:59.999Z')];
    const filter = JSON.stringify({ from, lastWord: 'reporter', tab: 'open', until });
    await sql`create table report_filter (id text, filter text)`.execute(kysely);
    await sql`insert into report_filter values ('a', ${filter})`.execute(kysely);
    await addLists(kysely as never);
    const { rows } = await sql<{ filter: string; list: string }>`select * from report_filter`.execute(kysely);
    await kysely.destroy();
    expect(rows.map((row) => [row.list, JSON.parse(row.filter) as object])).toEqual([
      ['reports', { from: '2026-07-01', last: 'reporter', tab: 'open', until: '2026-07-02' }],
    ]);
  });
});
