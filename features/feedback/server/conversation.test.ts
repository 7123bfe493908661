import { listAudit } from '#features/audit/contract/audit.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import {
  changeReport,
  changeReports,
  listAssignees,
  listReportLabels,
} from '#features/feedback/contract/change-reports.ts';
import {
  addNote,
  editNote,
  getOwnReport,
  removeNote,
  replyToOwnReport,
  replyToReport,
} from '#features/feedback/contract/conversation.ts';
import { exportReports, getReport, listReports } from '#features/feedback/contract/inbox.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import { setBlocked, getPerson } from '#features/people/contract/people.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

let events = 0;
const eventId = () => String((events += 1)).padStart(32, '0');
const outcome = (answer: { status: number; problem?: { code: string } | null | undefined }) =>
  `${answer.status} ${answer.problem?.code ?? ''}`.trim();

describe.each(engines)('the conversation about a report on %s', (engine) => {
  let app: TestApp;
  let operator: SignedIn;
  let grace: SignedIn;
  let ada: SignedIn;
  beforeAll(async () => {
    app = await startApp({ engine });
    operator = await signIn(app, { roles: ['operator'] });
    grace = await signIn(app, { roles: ['support'], firstName: 'Grace', lastName: 'Hopper' });
    ada = await signIn(app, { roles: ['member'] });
  });
  afterAll(() => endApp(app));

  const send = async (message = 'It is broken.') =>
    (await ada.call(saveFeedback, { body: { message } })).body;
  const read = async (reportId: string) => (await operator.call(getReport, { params: { reportId } })).body;
  const own = async (reportId: string) =>
    (await ada.call(getOwnReport, { params: { userId: 'current', reportId } })).body;
  type Wanted = Omit<Parameters<typeof grace.call<typeof changeReport>>[1]['body'], 'version'>;
  const change = async (reportId: string, wanted: Wanted, by = operator) => {
    const { version } = await read(reportId);
    return by.call(changeReport, { params: { reportId }, body: { ...wanted, version } });
  };
  const actionsOf = async (subject: string) =>
    (await operator.call(listAudit, { query: { subject } })).body.entries.map(({ action }) => action);

  it('BUG-9: replies go both ways with names and without addresses; notes, labels and assignee stay inside', async () => {
    const { id } = await send();
    const params = { reportId: id };
    const text = 'Which map?';
    const answer = await grace.call(replyToReport, { params, body: { text, eventId: eventId() } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ replies: 1, lastWord: 'operator', status: 'new' });
    await grace.call(addNote, { params, body: { text: 'secret thought', eventId: eventId() } });
    await change(id, { labels: ['secret label'], assigneeId: grace.id });
    await ada.call(replyToOwnReport, { params, body: { text: 'The second.', eventId: eventId() } });

    const seen = await ada.call(getOwnReport, { params: { userId: 'current', reportId: id } });
    expect(seen.body.replies).toEqual([
      { id: expect.any(String), from: 'operator', by: 'Grace Hopper', text, at: expect.any(Number) },
      expect.objectContaining({ from: 'reporter', text: 'The second.' }),
    ]);
    const list = await ada.call(listOwnReports, { params: { userId: 'current' } });
    expect(seen.text + list.text).not.toMatch(/secret|@example\.org.*Grace|assignee|label/);
    expect(seen.text).not.toContain(grace.email);
    const full = await read(id);
    expect(full.messages.map(({ kind, from }) => `${kind} ${from}`)).toEqual([
      'reply operator',
      'note operator',
      'reply reporter',
    ]);
    expect(full).toMatchObject({ replies: 2, notes: 1, lastWord: 'reporter', labels: ['secret label'] });
    expect(full.assignee).toEqual({ id: grace.id, name: 'Grace Hopper', active: true });
    expect((await actionsOf(id)).toSorted()).toEqual([
      'report.assign',
      'report.label',
      'report.note',
      'report.reply',
    ]);
    expect(
      outcome(await grace.call(replyToOwnReport, { params, body: { text: 'x', eventId: eventId() } })),
    ).toBe('404 NOT_FOUND');
  });

  it('BUG-5: the same message that is sent again is stored once, another one under its id is refused', async () => {
    const { id } = await send();
    const params = { reportId: id };
    const body = { text: 'Once', eventId: eventId() };
    const all = await Promise.all([1, 2, 3].map(() => operator.call(replyToReport, { params, body })));
    expect(all.map(outcome)).toEqual(['201', '201', '201']);
    expect((await read(id)).messages).toHaveLength(1);
    expect(outcome(await operator.call(replyToReport, { params, body: { ...body, text: 'Twice' } }))).toBe(
      '409 EVENT_ID_USED',
    );
    expect(outcome(await ada.call(replyToOwnReport, { params, body }))).toBe('409 EVENT_ID_USED');
    expect(await actionsOf(id)).toEqual(['report.reply']);
  });

  it('BUG-9: a reply can resolve a report, and a reply of its reporter opens it again', async () => {
    const { id } = await send();
    const params = { reportId: id };
    const resolve = { text: 'Done', eventId: eventId(), status: 'resolved' as const };
    expect((await operator.call(replyToReport, { params, body: resolve })).body.status).toBe('resolved');
    const reply = { text: 'Not for me', eventId: eventId() };
    expect((await ada.call(replyToOwnReport, { params, body: reply })).body.status).toBe('triaged');
    const { status, history } = await read(id);
    expect([status, history.at(-1)]).toEqual([
      'triaged',
      expect.objectContaining({ what: 'status', before: 'resolved', after: 'triaged', by: ada.email }),
    ]);
    expect((await own(id)).history.map((entry) => entry.status)).toEqual(['new', 'resolved', 'triaged']);
  });

  it('BUG-8: a note is changed and removed by its author alone', async () => {
    const { id } = await send();
    const params = { reportId: id };
    const note = (await grace.call(addNote, { params, body: { text: 'a', eventId: eventId() } })).body;
    const at = { reportId: id, messageId: note.messages[0]?.id ?? '' };
    expect(outcome(await operator.call(editNote, { params: at, body: { text: 'b' } }))).toBe(
      '403 RIGHT_MISSING',
    );
    const edited = (await grace.call(editNote, { params: at, body: { text: 'b' } })).body;
    expect(edited.messages).toEqual([expect.objectContaining({ text: 'b', editedAt: expect.any(Number) })]);
    expect(outcome(await operator.call(removeNote, { params: at }))).toBe('403 RIGHT_MISSING');
    expect((await grace.call(removeNote, { params: at })).body).toMatchObject({ messages: [], notes: 0 });
    const reply = (await grace.call(replyToReport, { params, body: { text: 'c', eventId: eventId() } })).body;
    const ofReply = { reportId: id, messageId: reply.messages[0]?.id ?? '' };
    expect(outcome(await grace.call(removeNote, { params: ofReply }))).toBe('404 NOT_FOUND');
  });

  it('BUG-8: is assigned to who may change reports; who is blocked is shown as such', async () => {
    const { id } = await send();
    expect(outcome(await change(id, { assigneeId: ada.id }))).toBe('422 INVALID_BODY');
    const ivy = await signIn(app, { roles: ['support'], firstName: 'Ivy', lastName: 'Inside' });
    const found = (await operator.call(listAssignees, { query: { search: 'inside' } })).body;
    expect(found).toEqual([{ id: ivy.id, name: 'Ivy Inside', email: ivy.email }]);
    expect((await change(id, { assigneeId: ivy.id })).status).toBe(200);
    const mine = async (who: SignedIn) => (await who.call(listReports, { query: { tab: 'mine' } })).body;
    expect((await mine(ivy)).reports.map((report) => report.id)).toEqual([id]);
    expect((await mine(ivy)).tabs.mine).toBe(1);
    const { version } = (await operator.call(getPerson, { params: { personId: ivy.id } })).body;
    await operator.call(setBlocked, { params: { personId: ivy.id }, body: { blocked: true, version } });
    expect((await read(id)).assignee).toEqual({ id: ivy.id, name: 'Ivy Inside', active: false });
    expect((await change(id, { assigneeId: null })).body.assignee).toBeNull();
    const changes = (await read(id)).history.filter(({ what }) => what === 'assignee');
    expect(changes).toEqual([
      expect.objectContaining({ before: null, after: { id: ivy.id, name: 'Ivy Inside' } }),
      expect.objectContaining({ before: { id: ivy.id, name: 'Ivy Inside' }, after: null }),
    ]);
  });

  it('BUG-8: labels are compared without case, written as they first were, and bounded', async () => {
    const [one, two] = [await send(), await send()];
    await change(one.id, { labels: ['Zürich', 'map'] });
    expect((await change(two.id, { addLabels: ['ZURICH'] })).body.labels).toEqual(['Zürich']);
    const labels = (await operator.call(listReportLabels, {})).body;
    expect(labels.filter(({ label }) => label === 'Zürich')).toEqual([{ label: 'Zürich', reports: 2 }]);
    expect((await change(one.id, { removeLabels: ['zurich'], addLabels: ['new'] })).body.labels).toEqual([
      'map',
      'new',
    ]);
    const many = Array.from({ length: 20 }, (_each, index) => `label ${index}`);
    expect(outcome(await change(one.id, { addLabels: many }))).toBe('409 CONFLICT');
    const found = await operator.call(listReports, { query: { label: 'zürich' } });
    expect(found.body.reports.map(({ id }) => id)).toEqual([two.id]);
  });

  it('BUG-8: a duplicate is linked with what its original is a duplicate of, never in a circle', async () => {
    const [a, b, c] = [await send('a'), await send('b'), await send('c')];
    expect((await change(a.id, { duplicateOf: b.id })).body).toMatchObject({
      status: 'duplicate',
      duplicateOf: { id: b.id, number: b.number, excerpt: 'b', status: 'new' },
    });
    expect(outcome(await change(b.id, { duplicateOf: b.id }))).toBe('409 CONFLICT');
    expect(outcome(await change(b.id, { duplicateOf: a.id }))).toBe('409 CONFLICT');
    expect(outcome(await change(b.id, { duplicateOf: 'nothing' }))).toBe('422 INVALID_BODY');
    await change(b.id, { duplicateOf: c.id });
    expect((await read(a.id)).duplicateOf?.id).toBe(c.id);
    expect((await read(c.id)).duplicates.map(({ id }) => id)).toEqual([b.id, a.id]);
    const d = await send('d');
    expect((await change(d.id, { duplicateOf: a.id })).body.duplicateOf?.id).toBe(c.id);
    expect((await change(a.id, { status: 'triaged' })).body.duplicateOf).toBeNull();
    expect((await change(b.id, { duplicateOf: null })).body).toMatchObject({ status: 'triaged' });
  });

  it('BUG-8: many are changed at once, each against its version, and changed back by what they were', async () => {
    const reports = [await send(), await send(), await send()];
    const ids = reports.map(({ id }) => id);
    await change(ids[1] ?? '', { status: 'in-progress', labels: ['before'] });
    const wanted = ids.map((reportId, index) => ({
      reportId,
      status: 'closed' as const,
      addLabels: ['bulk'],
      version: index === 2 ? 7 : index + 1,
    }));
    const gone = { reportId: 'nothing', status: 'closed' as const, version: 1 };
    const done = (await operator.call(changeReports, { body: { changes: [...wanted, gone] } })).body;
    expect(done.changed.map(({ reportId, before }) => [reportId, before.status, before.labels])).toEqual([
      [ids[0], 'new', []],
      [ids[1], 'in-progress', ['before']],
    ]);
    expect(done.refused).toEqual([
      { reportId: ids[2], code: 'VERSION_CONFLICT' },
      { reportId: 'nothing', code: 'NOT_FOUND' },
    ]);
    const undo = done.changed.map(({ reportId, version, before }) => ({ reportId, version, ...before }));
    const undone = (await operator.call(changeReports, { body: { changes: undo } })).body;
    expect(undone.refused).toEqual([]);
    expect(await read(ids[1] ?? '')).toMatchObject({ status: 'in-progress', labels: ['before'] });
    expect((await read(ids[2] ?? '')).status).toBe('new');
  });

  it('BUG-8: are found by replies, time, pictures, assignee and last word, and counted in all tabs', async () => {
    const { id } = await send('findme alpha');
    const other = await send('findme beta');
    await operator.call(replyToReport, {
      params: { reportId: id },
      body: { text: 'walrus', eventId: eventId() },
    });
    await change(other.id, { status: 'spam' });
    const list = async (query: object) => (await operator.call(listReports, { query })).body;
    const found = async (query: object) => (await list(query)).reports.map((report) => report.id);
    expect(await found({ search: 'walrus findme' })).toEqual([id]);
    expect(await found({ search: 'findme', tab: 'open' })).toEqual([id]);
    expect(await found({ search: 'findme', lastWord: 'operator' })).toEqual([id]);
    expect(await found({ search: 'findme', assignee: 'none' })).toEqual([other.id, id]);
    expect(await found({ search: 'findme', assignee: 'current' })).toEqual([]);
    expect(await found({ search: 'findme', pictures: 'with' })).toEqual([]);
    const { createdAt } = await read(other.id);
    expect(await found({ search: 'findme', from: createdAt })).toEqual([other.id]);
    expect(await found({ search: 'findme', until: createdAt - 1 })).toEqual([id]);
    expect(await found({ search: 'findme', order: 'changed' })).toEqual([other.id, id]);
    const { tabs, total, next } = await list({ search: 'findme', tab: 'spam', limit: 1 });
    expect([tabs, total, next]).toEqual([{ open: 1, mine: 0, snoozed: 0, done: 0, spam: 1 }, 1, null]);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 2; page += 1) {
      const one = await list({ search: 'findme', order: 'changed', limit: 1, ...(cursor && { cursor }) });
      seen.push(...one.reports.map((report) => report.id));
      cursor = one.next ?? undefined;
    }
    expect([seen, cursor]).toEqual([[other.id, id], undefined]);
  });

  it('BUG-8: what a filter finds is exported, formulas as text', async () => {
    const { id, number } = await send('=HYPERLINK("x") exported');
    await operator.call(replyToReport, {
      params: { reportId: id },
      body: { text: 'So be it', eventId: eventId() },
    });
    await change(id, { labels: ['export'] });
    const csv = await operator.call(exportReports, { query: { search: 'exported' } });
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toMatch(/^\ufeff?number,id,created_at/);
    expect(lines[1]).toContain(`${number},${id}`);
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"") exported"`);
    const jsonl = await operator.call(exportReports, { query: { search: 'exported', format: 'jsonl' } });
    expect(JSON.parse(jsonl.text)).toMatchObject({
      number,
      labels: ['export'],
      messages: [expect.objectContaining({ text: 'So be it', kind: 'reply', from: 'operator' })],
    });
  });
});
