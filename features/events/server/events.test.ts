import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { openEvents, type ServerEvent } from '#features/events/contract/events.ts';
import { liveList } from '#contract/live-list.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { type ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { addNote, replyToReport } from '#features/feedback/contract/conversation.ts';
import { getReport, setReportStatus } from '#features/feedback/contract/inbox.ts';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { getPerson, setBlocked, setRoles } from '#features/people/contract/people.ts';
import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import { signOut } from '#features/session/contract/session.ts';
import type { SessionEnd } from '#features/session/contract/end.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { publishList } from '#server/platform/database/live-list.ts';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { tokenAtHost } from '#server/testing/forged-tokens.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { engines, oneEngine, provedOn } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

const hello = { type: 'hello', connectionId: expect.any(String) };
const rights = { type: 'rights', within: 0 };
const profile = { type: 'profile' };
const maintenance = { type: 'maintenance', status: expect.objectContaining({ mode: 'off' }) };
const ended = (reason: SessionEnd) => ({ type: 'session-ended', reason });
const current = { params: { userId: 'current' } };

describe.each(engines)('live events on %s', (engine) => {
  const once = provedOn(engine);
  let app: TestApp;
  let operator: SignedIn;
  let ada: SignedIn;
  let mia: SignedIn;
  beforeAll(async () => {
    app = await startApp({ engine });
    operator = await signIn(app, { roles: ['operator'] });
    ada = await signIn(app, { roles: ['member'] });
    mia = await signIn(app, { roles: ['member'] });
    return () => endApp(app);
  });

  const live = ({ accessToken }: { accessToken: string }, seen?: string) =>
    openLive(app, accessToken, seen === undefined ? {} : { seen });
  const versionOf = async (personId: string) =>
    (await operator.call(getPerson, { params: { personId } })).body.version;

  async function giveRoles(person: SignedIn, roles: ('member' | 'support')[]): Promise<void> {
    const body = { roles, version: await versionOf(person.id) };
    expect((await operator.call(setRoles, { params: { personId: person.id }, body })).status).toBe(200);
  }

  async function block(person: SignedIn): Promise<void> {
    const body = { blocked: true, version: await versionOf(person.id) };
    expect((await operator.call(setBlocked, { params: { personId: person.id }, body })).status).toBe(200);
  }

  async function rename(person: SignedIn, lastName: string): Promise<void> {
    const { locale: _none, ...profile } = (await person.call(getProfile, current)).body;
    const answer = await person.call(updateProfile, {
      ...current,
      body: { ...profile, locale: null, lastName },
    });
    expect(answer.status).toBe(200);
  }

  const report = async (person: SignedIn) =>
    (await person.call(saveFeedback, { body: { message: 'The pump is silent.' } })).body;

  async function give(reportId: string, status: ReportStatus): Promise<void> {
    const { version } = (await operator.call(getReport, { params: { reportId } })).body;
    const answer = await operator.call(setReportStatus, { params: { reportId }, body: { status, version } });
    expect(answer.status).toBe(200);
  }

  const notice = (text: string) => changeMaintenance(operator, { text });

  const noticed = (text: string) => ({ type: 'maintenance', status: expect.objectContaining({ text }) });

  /** Without the inbox, whose readers receive every change of a report. */
  const toAda = (stream: Awaited<ReturnType<typeof live>>) =>
    stream.events().filter((event) => !(event.type === 'changed' && event.list === 'reports'));

  it('RIGHT-5, BUG-9: sends each person what concerns them, and no one else', async () => {
    const [adas, alsoAdas, mias] = [await live(ada), await live(ada), await live(mia)];
    expect(adas.events()).toEqual([hello, maintenance]);

    await giveRoles(ada, ['member', 'support']);
    await expect.poll(() => adas.events().slice(2)).toEqual([rights]);
    await rename(ada, 'Lovelace');
    await expect.poll(() => adas.events().slice(3)).toEqual([profile]);
    const { id, number } = await report(ada);
    await give(id, 'triaged');
    const triaged = { type: 'report', reportId: id, number, status: 'triaged', replies: 0 };
    await expect.poll(() => toAda(adas).slice(4)).toEqual([triaged]);

    // What went to others would have come before this, which goes to all.
    await notice('New pumps');
    await expect.poll(() => mias.events()).toEqual([hello, maintenance, noticed('New pumps')]);
    const all = [hello, maintenance, rights, profile, triaged, noticed('New pumps')];
    await expect.poll(() => [toAda(adas), toAda(alsoAdas)]).toEqual([all, all]);
  });

  it('BUG-9: sends of a report what its reporter may know, and nothing where that is unchanged', async () => {
    const { id, number } = await report(ada);
    const adas = await live(ada);
    await give(id, 'closed');
    await expect.poll(() => toAda(adas)).toHaveLength(3);
    await give(id, 'spam');
    await give(id, 'in-progress');
    const news = (status: string) => ({ type: 'report', reportId: id, number, status, replies: 0 });
    await expect.poll(() => toAda(adas).slice(2)).toEqual([news('closed'), news('in-progress')]);
  });

  it('BUG-9: sends that an operator replied, also after the stream broke off, and nothing of a note', async () => {
    const { id, number } = await report(mia);
    const before = await live(mia);
    const write = (route: typeof replyToReport | typeof addNote, n: number) =>
      operator.call(route, {
        params: { reportId: id },
        body: { text: 'So be it', eventId: String(n).padStart(32, '0') },
      });
    await write(addNote, 1);
    await write(replyToReport, 2);
    const news = { type: 'report', reportId: id, number, status: 'new', replies: 1 };
    await expect.poll(() => before.events().slice(2)).toEqual([news]);
    before.close();
    await write(replyToReport, 3);
    await write(replyToReport, 4);
    const after = await live(mia, before.lastId());
    expect((await after.until(3))[1]).toEqual({ ...news, replies: 2 });
  });

  it('RIGHT-5: continues where a stream broke off, and sends nothing twice', async () => {
    await giveRoles(ada, ['member', 'support']);
    const before = await live(ada);
    before.close();
    const { id, number } = await report(ada);
    const other = await report(mia);
    await giveRoles(ada, ['member']);
    await rename(ada, 'Byron');
    await give(id, 'triaged');
    await give(id, 'resolved');
    await give(other.id, 'triaged');
    const after = await live(ada, before.lastId());
    const resolved = { type: 'report', reportId: id, number, status: 'resolved', replies: 0 };
    expect(await after.until(5)).toEqual([
      hello,
      rights,
      profile,
      resolved,
      expect.objectContaining({ type: 'maintenance' }),
    ]);

    // Broken off before its last message, it begins there again.
    const { text } = after;
    expect(
      text()
        .split('\n')
        .filter((line) => line.startsWith('id: ')),
    ).toEqual([...Array.from({ length: 4 }, () => `id: ${before.lastId()}`), `id: ${after.lastId()}`]);
    const again = await live(ada, after.lastId());
    await notice('Old pumps');
    expect((await again.until(3)).map(({ type }) => type)).toEqual(['hello', 'maintenance', 'maintenance']);

    // The id of what came live is as good.
    await giveRoles(ada, ['member', 'support']);
    await again.until(4);
    const last = await live(ada, again.lastId());
    expect(last.events().map(({ type }) => type)).toEqual(['hello', 'maintenance']);
  });

  it('RIGHT-5: asks for everything again where it is unknown what was seen', async () => {
    const { at } = await app.database.read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
    const aMonth = 31 * 24 * 3_600_000;
    for (const seen of [
      '0',
      '-1',
      'x',
      '1e3',
      ' ',
      '9'.repeat(40),
      String(at + 60_000),
      String(at - aMonth),
    ]) {
      const stream = await live(ada, seen);
      const types = (await stream.until(seen.trim() === '' ? 2 : 7)).map(({ type }) => type);
      expect([seen, types]).toEqual([
        seen,
        seen.trim() === ''
          ? ['hello', 'maintenance']
          : ['hello', 'rights', 'profile', 'reports-gone', 'report-form', 'changed', 'maintenance'],
      ]);
      stream.close();
    }
  });

  it('RIGHT-5: a list that changed reaches its receivers and no one else, also those that reconnect', async () => {
    const ofAll = liveList({ list: 'links', receivers: 'everyone' });
    const ofOperators = liveList({ list: 'keys', receivers: { right: 'FLAGS_WRITE' } });
    const ofPerson = liveList({ list: 'notes', receivers: 'person' });
    const lists = (events: readonly ServerEvent[]) =>
      events
        .flatMap((event) => (event.type === 'changed' ? [event.list ?? 'all'] : []))
        .toSorted((a, b) => a.localeCompare(b));
    const change = () =>
      app.database.change((each) => {
        publishList(each, ofOperators);
        publishList(each, ofPerson, ada.id);
        // The last one, which everyone receives: what was for others would have come before it.
        publishList(each, ofAll);
        return Promise.resolve();
      });
    const people = [operator, ada, mia];
    const streams = await Promise.all(people.map((person) => live(person)));
    await change();
    const expected = [['keys', 'links'], ['links', 'notes'], ['links']];
    await expect.poll(() => streams.map(({ events }) => lists(events()))).toEqual(expected);
    for (const stream of streams) stream.close();
    await change();
    const again = await Promise.all(
      people.map((person, index) => live(person, streams[index]?.lastId() ?? '')),
    );
    await expect.poll(() => again.map(({ events }) => lists(events()))).toEqual(expected);
    const unknown = await live(ada, 'x');
    await expect.poll(() => lists(unknown.events())).toEqual(['all']);
  });

  it('GATE-6: reaches the pages of an application at a host of its own without what is read in Portico’s own', async () => {
    const atHost = { accessToken: await tokenAtHost(app, operator.accessToken, 'shop.example.org') };
    const stream = await live(atHost);
    const { id } = await report(operator);
    const change = async () => {
      await give(id, 'triaged');
      await give(id, 'in-progress');
      await app.database.change((each) => {
        publishList(each, liveList({ list: 'keys', receivers: { right: 'FLAGS_WRITE' } }));
        publishList(each, liveList({ list: 'notes', receivers: 'person' }), operator.id);
        each.publish('rights', operator.id);
        return Promise.resolve();
      });
      await app.database.change((each) => {
        publishList(each, liveList({ list: 'links', receivers: 'everyone' }));
        return Promise.resolve();
      });
    };
    const links = { type: 'changed', list: 'links', within: expect.any(Number) };
    await change();
    await expect.poll(() => stream.events().at(-1)).toEqual(links);
    expect(stream.events().slice(2)).toEqual([rights, links]);
    stream.close();
    await change();
    const again = await live(atHost, stream.lastId());
    expect((await again.until(4)).map(({ type }) => type)).toEqual([
      'hello',
      'rights',
      'changed',
      'maintenance',
    ]);
    expect(again.events()[2]).toEqual(links);
  });

  it('SES-7: ends the streams of a session with it, and no others', async () => {
    const browser = openBrowser(app.url, undefined, app.config.publicUrl);
    await browser.signIn(ada);
    const second = { accessToken: (await browser.renew()).body.accessToken };
    const [first, leaving] = [await live(ada), await live(second)];
    await app.call(signOut, {}, { cookies: browser.cookies });
    await leaving.ended;
    expect(leaving.events().slice(2)).toEqual([ended('signed-out')]);
    await rename(ada, 'King');
    expect((await first.until(3)).slice(2)).toEqual([profile]);
  });

  it('SES-8: ends all streams of a person who is blocked, and lets them open no other', async () => {
    const person = await signIn(app);
    const streams = [await live(person), await live(person)];
    await block(person);
    await expect
      .poll(() => streams.map((stream) => stream.events().slice(2)))
      .toEqual([[ended('blocked')], [ended('blocked')]]);
    await Promise.all(streams.map((stream) => stream.ended));
    expect((await person.call(openEvents, {})).problem?.code).toBe('PERSON_BLOCKED');
  });

  it('SES-8, BUG-10: sends a person who was erased that reason, and not that they were blocked', async () => {
    const person = await signIn(app);
    const stream = await live(person);
    const body = { confirmation: person.email, reports: 'keep' } as const;
    expect((await operator.call(erasePerson, { params: { personId: person.id }, body })).status).toBe(200);
    await stream.ended;
    expect(stream.events().slice(2)).toEqual([ended('erased')]);
  });

  it('SES-9: refuses an API token, and gives the reason', async () => {
    const accessToken = await addToken(app, { rights: ['MAINTENANCE_WRITE'] });
    const { status, problem } = await app.call(openEvents, {}, { accessToken });
    expect([status, problem?.code, problem?.detail]).toEqual([
      403,
      'RIGHT_MISSING',
      'Live events are for people who are signed in; an API token has none.',
    ]);
  });

  it.each(once)('RUN-1: a session may hold six streams; the oldest ends, for a minute', async () => {
    const person = await signIn(app);
    const streams = [];
    for (let count = 0; count < 7; count += 1) streams.push(await live(person));
    const [oldest, ...rest] = streams;
    await oldest?.ended;
    const retry = Number(/.*retry: (\d+)\n\n$/s.exec(oldest?.text() ?? '')?.[1]);
    expect(retry).toBeGreaterThanOrEqual(60_000);
    await rename(person, 'Seven');
    for (const stream of rest) expect((await stream.until(3)).slice(2)).toEqual([profile]);
  });
});

describe.each(oneEngine)('a live stream on %s', (engine) => {
  it('SES-2: outlives the access token, and ends within a minute of its session', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      const clock = movableClock();
      const app = await startApp({ engine, clock });
      const [person, other] = [await signIn(app), await signIn(app)];
      const [stream, others] = [
        await openLive(app, person.accessToken),
        await openLive(app, other.accessToken),
      ];
      const { sessionIdleMs } = app.config;

      clock.move(sessionIdleMs - 1_000);
      expect((await person.call(getProfile, current)).problem?.code).toBe('TOKEN_EXPIRED');
      await other.browser.renew();
      const publishing = app.database.change((change) =>
        Promise.resolve(change.publish('rights', person.id)),
      );
      await publishing;
      expect((await stream.until(3)).slice(2)).toEqual([rights]);

      clock.move(2_000);
      await vi.advanceTimersByTimeAsync(60_000);
      await stream.ended;
      expect(stream.events().slice(3)).toEqual([ended('ended')]);
      await app.database.change((change) => Promise.resolve(change.publish('rights', other.id)));
      expect((await others.until(3)).slice(2)).toEqual([rights]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('RUN-2: is given a time to reconnect when the server stops', async () => {
    const app = await startApp({ engine });
    const person = await signIn(app);
    const streams = await Promise.all(Array.from({ length: 5 }, () => openLive(app, person.accessToken)));
    await app.stop();
    await Promise.all(streams.map((stream) => stream.ended));
    const times = streams.map((stream) => Number(/.*retry: (\d+)\n\n$/s.exec(stream.text())?.[1]));
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(500);
      expect(time).toBeLessThanOrEqual(5_500);
    }
    expect(new Set(times).size).toBeGreaterThan(1);
  });
});
