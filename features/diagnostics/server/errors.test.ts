import {
  addErrorComment,
  changeErrors,
  countEvents,
  deleteError,
  type ErrorOrder,
  getError,
  getErrorEvent,
  listErrorAssignees,
  listErrorFilters,
  listErrors,
  listReportErrors,
  removeErrorComment,
  setErrorAssignee,
  setErrorStatus,
} from '#features/diagnostics/contract/diagnostics.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import type { AnswerOf, CallOf } from '#contract/route.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { addError } from '#server/testing/errors.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { erasePersonFromErrorWork } from './error-work.ts';
import { signIn } from '#server/testing/signed-in.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const eventId = 'c'.repeat(32);

describe.each(engines)('errors on %s', (engine) => {
  async function start() {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    return { app, clock, operator, now: clock.now() };
  }

  it('DIAG-2: are listed by every order, filter and word, page by page, with counts of each status', async () => {
    const { app, operator, now } = await start();
    const at = (hours: number) => ({
      at: now - hours * hourMs,
      release: `1.${hours}.0`,
      environment: 'live',
    });
    const a = await addError(app, { events: [at(9), at(5)], people: 1, message: 'Alpha 100%' });
    const b = await addError(app, { events: [at(7), at(7), at(6)], people: 3, kind: 'RangeError' });
    const c = await addError(app, {
      events: [{ ...at(8), environment: 'test', eventId }],
      people: 3,
      place: 'Ärger.js load',
    });
    const d = await addError(app, { status: 'resolved', events: [at(1)] });
    await addError(app, { status: 'deleted' });
    const letters = new Map([a, b, c, d].map(({ id }, index) => [id, 'abcd'[index]]));
    const found = async (query: NonNullable<CallOf<typeof listErrors>['query']>) => {
      const { errors, counts } = (await operator.call(listErrors, { query })).body;
      return [errors.map(({ id }) => letters.get(id)).join(''), counts.open, counts.resolved];
    };
    const inOrder = async (order: ErrorOrder) => {
      let all = '';
      for (let cursor: { cursor?: string } | null = {}; cursor !== null;) {
        const { errors, next }: AnswerOf<typeof listErrors> = (
          await operator.call(listErrors, { query: { order, limit: 1, ...cursor } })
        ).body;
        all += errors.map(({ id }) => letters.get(id)).join('');
        cursor = next === null ? null : { cursor: next };
      }
      return all;
    };
    for (const place of [
      { value: 1.5, id: 'a' },
      { value: 1e300, id: 'a' },
      { value: 1, id: '\u0000' },
    ]) {
      const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
      const { status } = await operator.call(listErrors, { query: { cursor } });
      expect([place, status]).toEqual([place, 400]);
    }
    expect(await inOrder('last-seen')).toBe('dabc');
    expect(await inOrder('first-seen')).toBe('dbca');
    expect((await inOrder('events')).replace(/[cd]{2}/, '..')).toBe('ba..');
    expect((await inOrder('people')).replace(/[bc]{2}/, '..')).toBe('..ad');
    expect(await found({ status: 'open' })).toEqual(['abc', 3, 1]);
    expect(await found({ status: 'ignored' })).toEqual(['', 3, 1]);
    expect(await found({ environment: 'test' })).toEqual(['c', 1, 0]);
    expect(await found({ release: '1.7.0' })).toEqual(['b', 1, 0]);
    expect(await found({ project: 2 })).toEqual(['', 0, 0]);
    expect(await found({ search: 'alpha 100%' })).toEqual(['a', 1, 0]);
    expect(await found({ search: 'arger RANGE' })).toEqual(['', 0, 0]);
    expect(await found({ search: 'ärger' })).toEqual(['c', 1, 0]);
    expect(await found({ search: 'cccccccc-cccc-CCCC-cccc-cccccccccccc' })).toEqual(['c', 1, 0]);
    expect(await found({ search: d.id })).toEqual(['d', 0, 1]);
    const filters = (await operator.call(listErrorFilters, {})).body;
    expect(filters).toMatchObject({
      projects: [{ id: 1, name: 'Portico' }],
      environments: ['live', 'test'],
    });
  });

  it('DIAG-2: are counted by the hour, and by the day of the person', async () => {
    const { app, operator, now } = await start();
    const midnight = Math.floor(now / dayMs) * dayMs;
    const { id } = await addError(app, {
      events: [{ at: now }, { at: now }, { at: now - 23 * hourMs }, { at: midnight - dayMs - 1 }],
    });
    const hours = (await operator.call(getError, { params: { errorId: id } })).body;
    expect([hours.counts.length, hours.counts.at(-1), hours.counts[0]]).toEqual([24, 2, 1]);
    const days = async (offset: number) =>
      (await operator.call(getError, { params: { errorId: id }, query: { period: '14d', offset } })).body;
    const utc = await days(0);
    expect(utc.period).toMatchObject({ steps: 14, step: dayMs });
    expect(utc.period.from % dayMs).toBe(0);
    const shifted = await days(330);
    // Half an hour more than whole hours: days begin with the next hour that is counted.
    expect((shifted.period.from + 6 * hourMs) % dayMs).toBe(0);
    expect([utc, shifted].map(({ counts }) => counts.reduce((sum, each) => sum + each, 0))).toEqual([4, 4]);
    await app.database.transaction((tx) =>
      tx
        .insertInto('project_count')
        .values({ project_id: 1, hour: Math.floor(now / hourMs) * hourMs, events: 5, refused: 2 })
        .execute(),
    );
    const all = (await operator.call(countEvents, { query: { period: '30d' } })).body;
    expect([all.events.length, all.events.at(-1), all.refused.at(-1)]).toEqual([30, 5, 2]);
    expect((await operator.call(countEvents, { query: { project: 7 } })).body.events.at(-1)).toBe(0);
  });

  it('DIAG-2: each event is found by place, number and event id, with its neighbours', async () => {
    const { app, operator, now } = await start();
    const sample = (n: number) => ({ exception: { values: [{ type: 'E', value: `no. ${n}` }] } });
    const { id, numbers } = await addError(app, {
      events: [
        { at: now - 3, sample: sample(1) },
        { at: now - 2 },
        { at: now - 1, eventId, sample: sample(3) },
        { at: now },
      ],
    });
    const event = async (which: string, errorId = id) => {
      const answer = await operator.call(getErrorEvent, { params: { errorId, event: which } });
      if (answer.status !== 200) return answer.status;
      const { number, sample: shown, previous, next } = answer.body;
      return [number, shown?.errors[0]?.message, previous, next];
    };
    const [first, second, third] = numbers;
    expect(await event('oldest')).toEqual([first, 'no. 1', null, third]);
    expect(await event('latest')).toEqual([third, 'no. 3', first, null]);
    expect(await event(eventId)).toEqual([third, 'no. 3', first, null]);
    expect(await event(String(second))).toEqual([second, undefined, first, third]);
    expect(await event('nothing')).toBe(404);
    const other = await addError(app, {});
    expect(await event(String(first), other.id)).toBe(404);
  });

  it('DIAG-2, AUD-1: are resolved, ignored and reopened against their version, live, and audited', async () => {
    const { app, operator } = await start();
    const { id: errorId } = await addError(app, {});
    const stream = await openLive(app, operator.accessToken);
    const params = { errorId };
    let events = 2;
    const set = async (
      change: 'resolve' | 'resolve-in-next-release' | 'reopen' | 'ignore',
      version: number,
    ) => {
      const answer = await operator.call(setErrorStatus, { params, body: { change, version } });
      // Two of them that come close together are one event.
      if (answer.status === 200) await stream.until((events += 1));
      return answer;
    };
    expect((await set('resolve', 1)).body).toMatchObject({
      status: 'resolved',
      resolvedAfter: null,
      version: 2,
    });
    expect((await set('ignore', 1)).problem?.code).toBe('VERSION_CONFLICT');
    await app.database.transaction((tx) =>
      tx
        .insertInto('project_release')
        .values(
          ['2.0.0', '1.9.1'].map((release, index) => ({ project_id: 1, release, first_seen_at: index })),
        )
        .execute(),
    );
    // The later one came first: a fix of an older release does not count as the next one.
    expect((await set('resolve-in-next-release', 2)).body).toMatchObject({ resolvedAfter: '2.0.0' });
    expect((await set('ignore', 3)).body).toMatchObject({ status: 'ignored', resolvedAt: null });
    expect((await set('reopen', 4)).body).toMatchObject({ status: 'open', version: 5 });
    expect(stream.events().slice(2)).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ type: 'changed', list: 'errors' })),
    );
    const audited = await app.database.read
      .selectFrom('audit')
      .select(['action', 'after'])
      .where('subject', '=', errorId)
      .orderBy('id')
      .execute();
    expect(audited.map(({ action }) => action).toSorted()).toEqual([
      'error.ignore',
      'error.reopen',
      'error.resolve',
      'error.resolve',
    ]);
  });

  it('DIAG-2: many are changed at once, those that somebody has changed since are not, and deleted ones go with their events', async () => {
    const { app, operator } = await start();
    const many = await Promise.all(Array.from({ length: 25 }, () => addError(app, {})));
    const ids = many.map(({ id }) => id);
    const stale = ids[3] ?? '';
    await operator.call(setErrorStatus, {
      params: { errorId: stale },
      body: { change: 'ignore', version: 1 },
    });
    const errors = [...ids, 'nothing'].map((id) => ({ id, version: 1 }));
    const { body } = await operator.call(changeErrors, { body: { change: 'resolve', errors } });
    expect(body.changed).toHaveLength(24);
    expect(body.skipped).toEqual([stale, 'nothing']);
    const gone = await operator.call(changeErrors, { body: { change: 'delete', errors: body.changed } });
    expect(gone.body.changed).toHaveLength(24);
    expect((await operator.call(listErrors, {})).body.counts).toEqual({ open: 0, resolved: 0, ignored: 1 });
    await operator.call(deleteError, { params: { errorId: stale } });
    await app.sweep();
    for (const table of ['error_group', 'error_event', 'error_count', 'error_facet'] as const)
      expect(await app.database.read.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(app.log.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('DIAG-2, AUD-1, BUG-10: are assigned and commented on, and keep both without the name once the person is erased', async () => {
    const { app, operator, now } = await start();
    const other = await signIn(app, { roles: ['support'], email: 'sue@example.org' });
    const member = await signIn(app, { roles: ['member'], email: 'mia@example.org' });
    const { id } = await addError(app, { events: [{ at: now }], kind: 'E', place: 'a.js f' });
    const twin = await addError(app, { events: [{ at: now }], kind: 'E', place: 'a.js f', message: 'Other' });
    await addError(app, { events: [{ at: now }], kind: 'F', place: 'a.js f' });
    const params = { errorId: id };
    const read = async () => (await operator.call(getError, { params })).body;
    const assign = (assigneeId: string | null, version: number) =>
      operator.call(setErrorAssignee, { params, body: { assigneeId, version } });
    expect((await read()).similar.map((one) => one.id)).toEqual([twin.id]);
    const found = (await operator.call(listErrorAssignees, { query: { search: 'sue' } })).body;
    expect(found.map((one) => one.id)).toEqual([other.id]);
    expect((await assign(member.id, 1)).problem?.errors?.[0]?.pointer).toBe('/assigneeId');
    expect((await assign(other.id, 1)).body).toMatchObject({ assigneeId: other.id, version: 2 });
    expect((await assign(null, 1)).problem?.code).toBe('VERSION_CONFLICT');
    const listed = async (assignee: 'current' | 'none', as = other) =>
      (await as.call(listErrors, { query: { assignee } })).body.errors.map((one) => one.id);
    expect(await listed('current')).toEqual([id]);
    expect((await listed('none')).includes(id)).toBe(false);

    const comment = (await other.call(addErrorComment, { params, body: { text: 'Seen in 1.2' } })).body;
    const mine = (await operator.call(addErrorComment, { params, body: { text: 'Mine' } })).body;
    expect((await read()).comments.map(({ text }) => text)).toEqual(['Seen in 1.2', 'Mine']);
    const remove = (commentId: string) =>
      operator.call(removeErrorComment, { params: { ...params, commentId } });
    expect((await remove(comment.id)).problem?.code).toBe('RIGHT_MISSING');
    expect((await remove(mine.id)).status).toBe(204);
    expect((await remove(mine.id)).status).toBe(404);

    const erased = { personId: other.id, pseudonym: 'erased person 1' };
    await app.database.change((change) => erasePersonFromErrorWork(change, erased));
    expect(await read()).toMatchObject({
      assignee: null,
      comments: [{ text: 'Seen in 1.2', by: 'erased person 1', authorId: null }],
    });
  });

  it('BUG-8, DIAG-2, RIGHT-8: a report shows the errors that it names, and they show it, by the rights of both', async () => {
    const { app, operator, now } = await start();
    const { id: errorId } = await addError(app, { events: [{ at: now, eventId, sample: {} }] });
    const message = 'It is broken.';
    const report = await operator.call(saveFeedback, { body: { message, associatedEventId: eventId } });
    const params = { reportId: report.body.id };
    const related = (await operator.call(listReportErrors, { params })).body;
    expect(related.errors).toMatchObject([{ error: { id: errorId }, eventId, by: 'event' }]);
    const shown = { errorId, event: 'latest' };
    const event = (await operator.call(getErrorEvent, { params: shown })).body;
    expect(event.reports).toMatchObject([{ id: report.body.id, excerpt: message, by: 'event' }]);
    const readsReports = await addToken(app, { rights: ['REPORTS_READ'] });
    const readsErrors = await addToken(app, { rights: ['DIAGNOSTICS_READ'] });
    const of = (accessToken: string) => ({ accessToken });
    expect((await app.call(listReportErrors, { params }, of(readsReports))).body).toEqual({ errors: null });
    expect((await app.call(getErrorEvent, { params: shown }, of(readsErrors))).body.reports).toBeNull();
  });
});
