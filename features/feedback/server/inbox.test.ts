import { saveFeedback, type SentReport } from '#features/feedback/contract/feedback.ts';
import { listOwnReports, reportStatus, type ReportStatus } from '#features/feedback/contract/own-reports.ts';
import {
  getReport,
  listReports,
  setReportStatus,
  type FullReport,
} from '#features/feedback/contract/inbox.ts';
import { changeReports } from '#features/feedback/contract/change-reports.ts';
import { replyToOwnReport } from '#features/feedback/contract/conversation.ts';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { dump } from '#server/testing/dump.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { addToken } from '#server/testing/people.ts';
import { pngFile } from '#server/testing/png.ts';
import { wakeReports } from './feedback.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { reportRow } from '#server/testing/report-row.ts';

const none = Object.fromEntries(reportStatus.options.map((status) => [status, 0]));
const noTabs = { open: 0, mine: 0, snoozed: 0, done: 0, spam: 0 };
const pictures = [
  { data: pngFile({ width: 2, height: 2 }).toString('base64'), filename: 'a.png', contentType: 'image/png' },
];

describe.each(engines)('reports on %s', (engine) => {
  let app: TestApp;
  let operator: SignedIn;
  let ada: SignedIn;
  beforeAll(async () => {
    app = await startApp({ engine });
    operator = await signIn(app, { email: 'operator@example.org', roles: ['operator'] });
    ada = await signIn(app, { email: 'ada@example.org', roles: ['member'] });
    return () => endApp(app);
  });

  /** An empty installation, without the reports of other tests. */
  async function emptied(): Promise<void> {
    await app.database.transaction(async (tx) => {
      for (const table of ['report_message', 'report_picture', 'report_history', 'report'] as const)
        await tx.deleteFrom(table).execute();
    });
  }

  const send = async (report: SentReport, as: SignedIn = ada) =>
    (await as.call(saveFeedback, { body: report })).body;
  const read = async (reportId: string) => (await operator.call(getReport, { params: { reportId } })).body;
  const set = (reportId: string, status: ReportStatus, version: number, as = operator) =>
    as.call(setReportStatus, { params: { reportId }, body: { status, version } });
  const list = async (query: Parameters<typeof operator.call<typeof listReports>>[1]['query'] = {}) =>
    (await operator.call(listReports, { query })).body;
  const numbers = async (query: Parameters<typeof list>[0]) =>
    (await list(query)).reports.map(({ number }) => number);

  /** One after the other through the statuses; answers the report as it is then. */
  async function through(reportId: string, statuses: readonly ReportStatus[]): Promise<FullReport> {
    let report = await read(reportId);
    for (const status of statuses) report = (await set(reportId, status, report.version)).body;
    return report;
  }

  it('BUG-8: stand in the inbox with what an operator needs to choose', async () => {
    await emptied();
    expect(await list()).toEqual({ reports: [], counts: none, tabs: noTabs, total: 0, next: null });
    const { id } = await send({
      name: 'Ada King',
      email: 'ada@example.org',
      message: `First line\n\n${'and more '.repeat(50)}`,
      attachments: pictures,
    });
    const { reports, counts, tabs, total } = await list();
    expect(reports).toEqual([
      {
        id,
        number: 1,
        excerpt: expect.stringMatching(/^First line and more .*…$/),
        name: 'Ada King',
        email: 'ada@example.org',
        status: 'new',
        assignee: null,
        labels: [],
        pictures: 1,
        picture: expect.objectContaining({ url: expect.stringMatching(/^\/v1\/files\//) }),
        replies: 0,
        notes: 0,
        lastWord: 'reporter',
        snoozedUntil: null,
        createdAt: expect.any(Number),
        changedAt: expect.any(Number),
        version: 1,
      },
    ]);
    expect([counts, tabs, total]).toEqual([{ ...none, new: 1 }, { ...noTabs, open: 1 }, 1]);
  });

  it('BUG-8: are found by words in message, name, email and address, and by their number', async () => {
    await emptied();
    await send({ message: 'The map of Zürich is white', name: 'Zoë Ångström' });
    await send({ message: 'Export takes 12 minutes', email: 'bert@example.org' });
    await send({ message: '100%_sure it is \\ broken', url: 'https://portico.example.org/maps?z=3' });
    for (let number = 4; number <= 12; number += 1) await send({ message: 'nothing' });
    expect(await numbers({ search: 'zurich' })).toEqual([1]);
    expect(await numbers({ search: '  MAP   angstrom ' })).toEqual([1]);
    expect(await numbers({ search: 'map' })).toEqual([3, 1]);
    expect(await numbers({ search: 'bert@' })).toEqual([2]);
    expect(await numbers({ search: '%' })).toEqual([3]);
    expect(await numbers({ search: '_' })).toEqual([3]);
    expect(await numbers({ search: '\\' })).toEqual([3]);
    expect(await numbers({ search: "'; drop table report; --" })).toEqual([]);
    expect(await numbers({ search: '#12' })).toEqual([12]);
    expect(await numbers({ search: '12' })).toEqual([12, 2]);
    expect(await numbers({ search: '#2' })).toEqual([2]);
    expect(await numbers({ search: '2 export' })).toEqual([2]);
    expect(await numbers({ search: '#99' })).toEqual([]);
    expect(await numbers({ search: '9'.repeat(200) })).toEqual([]);
    expect(await numbers({ search: '\u0301' })).toHaveLength(12);
  });

  it('BUG-8: are filtered and counted by status, the counts of what the words find', async () => {
    await emptied();
    const ids = [];
    for (const message of ['map a', 'map b', 'map c', 'other']) ids.push((await send({ message })).id);
    await through(ids[0] ?? '', ['triaged']);
    await through(ids[1] ?? '', ['triaged', 'spam']);
    await through(ids[3] ?? '', ['triaged']);
    expect(await numbers({ status: 'triaged' })).toEqual([4, 1]);
    expect(await numbers({ status: 'triaged', order: 'oldest' })).toEqual([1, 4]);
    const found = await list({ status: 'triaged', search: 'map' });
    expect(found.reports.map(({ number }) => number)).toEqual([1]);
    expect([found.total, found.counts]).toEqual([1, { ...none, new: 1, triaged: 1, spam: 1 }]);
    expect((await list({ search: 'map' })).total).toBe(3);
    expect((await list({ status: 'duplicate' })).reports).toEqual([]);
  });

  it('CON-4 BUG-8: are filtered by who sent them, also together with words; of no one there are none', async () => {
    await emptied();
    await send({ message: 'map a' });
    await send({ message: 'map b' }, operator);
    await send({ message: 'other' });
    expect(await numbers({ reporter: ada.id })).toEqual([3, 1]);
    expect(await numbers({ reporter: ada.id, search: 'map' })).toEqual([1]);
    expect(await numbers({ reporter: 'no-one' })).toEqual([]);
    expect(await list({ reporter: operator.id })).toMatchObject({ total: 1, counts: { ...none, new: 1 } });
  });

  it('BUG-8: are read page by page in both orders; what comes in between shifts nothing', async () => {
    await emptied();
    for (let number = 1; number <= 7; number += 1) await send({ message: `Report ${number}` });
    for (const [order, expected] of [
      ['newest', [7, 6, 5, 4, 3, 2, 1]],
      ['oldest', [1, 2, 3, 4, 5, 6, 7]],
    ] as const) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({
          order,
          limit: 3,
          ...(cursor === null ? {} : { cursor }),
        });
        seen.push(...page.reports.map(({ number }) => number));
        cursor = page.next;
        if (order === 'newest') await send({ message: 'Meanwhile' });
      } while (cursor !== null);
      expect(seen.slice(0, 7)).toEqual(expected);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  it('BUG-8: a cursor that was not made here is refused, whatever it holds', async () => {
    for (const cursor of [
      '',
      '0',
      '-1',
      '1.5',
      '1e3',
      'NaN',
      "1' or 1=1",
      '9'.repeat(16),
      '\u0000',
      'x'.repeat(1001),
    ]) {
      for (const answer of [
        await operator.call(listReports, { query: { cursor } }),
        await ada.call(listOwnReports, { params: { userId: 'current' }, query: { cursor } }),
      ]) {
        expect([cursor, answer.status, answer.problem?.errors?.[0]?.pointer]).toEqual([
          cursor,
          400,
          '/cursor',
        ]);
      }
    }
    const first = Buffer.from('[0,1]').toString('base64url');
    expect((await list({ cursor: first })).reports).toEqual([]);
  });

  it('BUG-8: get another status, which stands in their history and in the audit', async () => {
    const { id } = await send({ message: 'x' });
    const before = await read(id);
    const { body: after } = await set(id, 'in-progress', 1);
    expect(after).toEqual({
      ...before,
      status: 'in-progress',
      version: 2,
      changedAt: expect.any(Number),
      history: [
        ...before.history,
        {
          what: 'status',
          at: after.changedAt,
          before: 'new',
          after: 'in-progress',
          by: 'operator@example.org',
        },
      ],
    });
    expect(after.changedAt).toBeGreaterThan(before.changedAt);
    expect(await read(id)).toEqual(after);
    const audit = await app.database.read.selectFrom('audit').selectAll().where('subject', '=', id).execute();
    expect(audit).toEqual([
      expect.objectContaining({
        action: 'report.status',
        at: after.changedAt,
        actor_kind: 'person',
        actor_id: operator.id,
        actor_name: 'operator@example.org',
        before: '{"status":"new"}',
        after: '{"status":"in-progress"}',
      }),
    ]);
  });

  it('BUG-8: the status that it has changes nothing; a stale look is refused; one of two at once wins', async () => {
    const { id } = await send({ message: 'x' });
    await set(id, 'triaged', 1);
    const stored = await dump(app.database);
    const rows = ({ revision: _counted, ...tables }: typeof stored) => tables;
    expect((await set(id, 'triaged', 2)).body.version).toBe(2);
    const stale = await set(id, 'closed', 1);
    expect([stale.status, stale.problem?.code]).toEqual([409, 'VERSION_CONFLICT']);
    const unknown = await set('nothing', 'closed', 1);
    expect([unknown.status, unknown.problem?.code]).toEqual([404, 'NOT_FOUND']);
    expect(rows(await dump(app.database))).toEqual(rows(stored));

    const race = await Promise.all([set(id, 'closed', 2), set(id, 'resolved', 2), set(id, 'spam', 2)]);
    expect(race.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
    expect((await read(id)).history).toHaveLength(3);
  });

  it('BUG-8: are snoozed, found in their own tab, and come back in time or with a reply of their reporter', async () => {
    await emptied();
    const [first, second] = [await send({ message: 'one' }), await send({ message: 'two' })];
    const until = Date.now() + 3_600_000;
    const changes = [first, second].map(({ id }) => ({ reportId: id, snoozedUntil: until, version: 1 }));
    const { changed } = (await operator.call(changeReports, { body: { changes } })).body;
    expect(changed.map(({ before }) => before.snoozedUntil)).toEqual([null, null]);
    expect((await list({ tab: 'open' })).total).toBe(0);
    expect((await list({ tab: 'snoozed', status: 'new' })).total).toBe(2);
    expect((await list({ tab: 'snoozed' })).tabs).toEqual({ ...noTabs, snoozed: 2 });
    expect((await list({ tab: 'snoozed' })).counts.new).toBe(2);
    expect((await list({ tab: 'open' })).counts.new).toBe(0);
    expect((await read(first.id)).history.at(-1)).toMatchObject({ what: 'snoozed', after: until });

    const reply = { text: 'Still broken', eventId: randomUUID().replaceAll('-', '') };
    expect(
      (await ada.call(replyToOwnReport, { params: { reportId: first.id }, body: reply })).status,
    ).toBeLessThan(300);
    expect(await numbers({ tab: 'open' })).toEqual([1]);

    const clock = { now: () => until - 1 };
    await wakeReports({ database: app.database, clock });
    expect(await numbers({ tab: 'open' })).toEqual([1]);
    await wakeReports({ database: app.database, clock: { now: () => until } });
    expect(await numbers({ tab: 'open' })).toEqual([2, 1]);
    expect(await read(second.id)).toMatchObject({ snoozedUntil: null, status: 'new' });

    const { version } = await read(first.id);
    const past = { reportId: first.id, snoozedUntil: Date.now() - 1, version };
    await operator.call(changeReports, { body: { changes: [past] } });
    expect((await list({ tab: 'open' })).total).toBe(2);
    const [again] = (
      await operator.call(changeReports, { body: { changes: [{ ...past, snoozedUntil: until }] } })
    ).body.changed;
    expect((await set(first.id, 'resolved', again?.version ?? 0)).body).toMatchObject({ snoozedUntil: null });
  });

  it('RIGHT-8: are read with REPORTS_READ and changed with REPORTS_WRITE', async () => {
    const { id } = await send({ message: 'x' });
    const reading = { accessToken: await addToken(app, { rights: ['REPORTS_READ'] }) };
    const writing = { accessToken: await addToken(app, { rights: ['REPORTS_WRITE'] }) };
    const body = { status: 'closed', version: 1 } as const;
    const at = { params: { reportId: id } };
    expect((await app.call(listReports, {}, reading)).status).toBe(200);
    expect((await app.call(getReport, at, reading)).status).toBe(200);
    expect((await app.call(listReports, {}, writing)).status).toBe(403);
    expect((await app.call(setReportStatus, { ...at, body }, reading)).status).toBe(403);
    expect((await app.call(setReportStatus, { ...at, body }, writing)).status).toBe(200);
    expect((await ada.call(getReport, at)).status).toBe(403);
  });

  describe('of a person', () => {
    const own = async (as: SignedIn, query: { cursor?: string; limit?: number } = {}) =>
      (await as.call(listOwnReports, { params: { userId: 'current' }, query })).body;

    it('BUG-9: are theirs alone, the newest first, with pictures and what became of them', async () => {
      await emptied();
      const { id } = await send({
        message: 'Broken\nmap',
        url: 'https://portico.example.org/',
        attachments: pictures,
      });
      await send({ message: 'Of the operator' }, operator);
      await send({ message: 'Another' });
      await through(id, ['triaged', 'resolved']);
      const { reports, total, next } = await own(ada);
      expect([reports.map(({ number }) => number), total, next]).toEqual([[3, 1], 2, null]);
      const full = await read(id);
      expect(reports[1]).toEqual({
        id,
        number: 1,
        excerpt: 'Broken map',
        message: 'Broken\nmap',
        status: 'resolved',
        url: 'https://portico.example.org/',
        createdAt: full.createdAt,
        changedAt: full.changedAt,
        attachments: full.attachments,
        history: full.history.map(({ at, after }) => ({ at, status: after })),
        replies: [],
        replyCount: 0,
      });
      const first = await own(ada, { limit: 1 });
      expect([first.reports[0]?.number, first.total]).toEqual([3, 2]);
      const second = await own(ada, { limit: 1, cursor: first.next ?? '' });
      expect([second.reports[0]?.number, second.next]).toEqual([1, null]);
    });

    it('BUG-9: never show who worked on them, nor that one was taken for spam', async () => {
      await emptied();
      const { id } = await send({ message: 'Buy now' });
      await through(id, ['closed', 'spam']);
      const answer = await ada.call(listOwnReports, { params: { userId: 'current' } });
      expect(answer.text).not.toMatch(/spam|operator@example\.org/);
      const [report] = answer.body.reports;
      expect(report?.history.map(({ status }) => status)).toEqual(['new', 'closed']);
      expect([report?.status, report?.changedAt]).toEqual(['closed', report?.history[1]?.at]);
      expect((await read(id)).status).toBe('spam');
    });

    it('BUG-9: are read by those who read reports too, and by no one else', async () => {
      await emptied();
      await send({ message: 'x' });
      const of = (userId: string, as: SignedIn) => as.call(listOwnReports, { params: { userId } });
      expect((await of(ada.id, operator)).body.total).toBe(1);
      expect((await of(ada.id, ada)).body.total).toBe(1);
      expect((await of(operator.id, operator)).body.total).toBe(0);
      expect((await of(operator.id, ada)).status).toBe(403);
      expect((await of('nobody', operator)).status).toBe(404);
    });
  });
});

describe('a large inbox on SQLite', () => {
  it('BUG-8: holds up no other request while it is searched', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const operator = await signIn(app, { roles: ['operator'] });
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
    const text = `${'a'.repeat(4_000)} ${words.join(' ')}`;
    const rows = Array.from({ length: 4_000 }, (_each, index) => reportRow(index, { search_key: text }));
    await app.database.transaction(async (tx) => {
      for (let start = 0; start < rows.length; start += 500)
        await tx
          .insertInto('report')
          .values(rows.slice(start, start + 500))
          .execute();
    });
    const query = { search: words.join(' '), limit: 1 };
    // The thread has begun.
    await operator.call(listReports, { query: { limit: 1 } });
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
    expect((await operator.call(listReports, { query })).body.total).toBe(4_000);
    // By the processor's time, which a busy machine does not lengthen: nearly all of it passes in the thread.
    expect(process.threadCpuUsage(own).user).toBeLessThan(process.cpuUsage(all).user / 2);
  });
});
