import { beforeEach, describe, expect, it } from 'vitest';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { getPerson, setBlocked, setRoles } from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { signOut } from '#features/session/contract/session.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { getReport, setReportStatus } from '#features/feedback/contract/inbox.ts';
import { getPresence, publishPresence } from '#features/presence/contract/presence.ts';
import { openLive } from './testing/live-events.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { signIn, type SignedIn } from './testing/signed-in.ts';

describe('two replicas on one PostgreSQL', () => {
  let one: TestApp;
  let other: TestApp;
  let operator: SignedIn;
  let member: SignedIn;

  beforeEach(async () => {
    one = await startApp({ engine: 'postgres' });
    other = await startApp({ replicaOf: one });
    operator = await signIn(one, { roles: ['operator'] });
    member = await signIn(one, { roles: ['support'] });
  });

  const current = { params: { userId: 'current' } };
  /** The answer to a person at the other replica. */
  const atOther = async ({ accessToken }: SignedIn) => {
    const { status, problem } = await other.call(getProfile, current, { accessToken });
    return problem?.code ?? status;
  };
  const version = async (personId: string) =>
    (await operator.call(getPerson, { params: { personId } })).body.version;

  it('RUN-1: carry a sign-in through, whichever answers which part of it', async () => {
    const browser = openBrowser(other.url, undefined, one.config.publicUrl);
    const { path } = await browser.go('/auth/login');
    const atOne = openBrowser(one.url, browser.cookies, one.config.publicUrl);
    const { next } = (await atOne.submit(path, member)).body;
    await browser.go(next);
    expect((await atOne.renew()).status).toBe(200);
  });

  it('SES-8: refuse a person at once whom the other has blocked', async () => {
    expect(await atOther(member)).toBe(200);
    const body = { blocked: true, version: await version(member.id) };
    await operator.call(setBlocked, { params: { personId: member.id }, body });
    await expect.poll(() => atOther(member)).toBe('PERSON_BLOCKED');
  });

  it('SES-7: refuse the token of a session at once that was ended at the other', async () => {
    expect(await atOther(member)).toBe(200);
    await one.call(signOut, {}, { cookies: member.browser.cookies });
    await expect.poll(() => atOther(member)).toBe('SESSION_ENDED');
  });

  it('RIGHT-5, SES-8: publish to the browsers of each other what concerns them', async () => {
    const stream = await openLive(other, member.accessToken);
    const others = await openLive(other, operator.accessToken);
    const eventTypes = (from = 2) =>
      stream
        .events()
        .slice(from)
        .map(({ type }) => type);
    const roles = { roles: ['member' as const], version: await version(member.id) };
    await operator.call(setRoles, { params: { personId: member.id }, body: roles });
    await expect.poll(() => eventTypes()).toEqual(['rights']);

    const { id } = (await member.call(saveFeedback, { body: { message: 'The pump is silent.' } })).body;
    const report = (await operator.call(getReport, { params: { reportId: id } })).body;
    const triage = { status: 'triaged', version: report.version } as const;
    await operator.call(setReportStatus, { params: { reportId: id }, body: triage });
    await expect
      .poll(() => stream.events().at(-1))
      .toEqual({ type: 'report', reportId: id, number: report.number, status: 'triaged', replies: 0 });

    await changeMaintenance(operator, { text: 'New pumps' });
    // The operator reads reports, whose list changes with each.
    const ofOperator = () =>
      others
        .events()
        .map(({ type }) => type)
        // Two changes that come close together are one event.
        .filter((type, at, all) => type !== all[at - 1]);
    const whole = ['hello', 'maintenance', 'changed', 'maintenance'];
    await expect.poll(ofOperator).toEqual(whole);
    await expect.poll(() => eventTypes(4)).toEqual(['maintenance']);

    const body = { blocked: true, version: await version(member.id) };
    await operator.call(setBlocked, { params: { personId: member.id }, body });
    await expect.poll(() => eventTypes(5)).toEqual(['session-ended']);
    await stream.ended;
    expect(stream.events().at(-1)).toEqual({ type: 'session-ended', reason: 'blocked' });
    expect(ofOperator()).toEqual(whole);

    // The other replica goes on after what one has sent.
    const resumed = await openLive(one, operator.accessToken, { seen: others.lastId() });
    expect(resumed.events().map(({ type }) => type)).toEqual(['hello', 'maintenance']);
  });

  it('MAINT-7: count all who are connected, whichever holds the stream, receives the report or is asked', async () => {
    const count = async (app: TestApp) =>
      (await app.call(getPresence, {}, { accessToken: operator.accessToken })).body;
    const both = async () => [await count(one), await count(other)];
    const [atOne, atTheOther] = [
      await openLive(one, member.accessToken, { browser: 'tabs=2&unsaved=1' }),
      await openLive(other, member.accessToken, { browser: 'tabs=3' }),
    ];
    await openLive(one, operator.accessToken);
    const expected = { people: 2, tabs: 6, unsaved: 1 };
    await expect.poll(both).toEqual([expected, expected]);

    const call = { params: { connectionId: atTheOther.connectionId }, body: { tabs: 4, unsaved: 4 } };
    expect((await member.call(publishPresence, call)).status).toBe(204);
    expect((await operator.call(publishPresence, call)).status).toBe(404);
    expect(await count(other)).toEqual({ people: 2, tabs: 7, unsaved: 5 });
    atOne.close();
    await expect.poll(both).toEqual([
      { people: 2, tabs: 5, unsaved: 4 },
      { people: 2, tabs: 5, unsaved: 4 },
    ]);

    // A killed replica counts as gone after half a minute without a heartbeat.
    const { process_id: killed } = await one.database.read
      .selectFrom('presence')
      .select('process_id')
      .where('connection_id', '=', atTheOther.connectionId)
      .executeTakeFirstOrThrow();
    await one.database.transaction((tx) =>
      tx
        .updateTable('presence_process')
        .set((row) => ({ seen_at: row('seen_at', '-', 31_000) }))
        .where('id', '=', killed)
        .execute(),
    );
    expect(await count(one)).toEqual({ people: 1, tabs: 1, unsaved: 0 });
    await other.stop();
    expect(await one.database.read.selectFrom('presence').select('process_id').execute()).toHaveLength(1);
  });
});
