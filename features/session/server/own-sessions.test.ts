import { describe, expect, it } from 'vitest';
import { endOtherSessions, endSession, listSessions } from '#features/session/contract/sessions.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { signOut } from '#features/session/contract/session.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

const current = { params: { userId: 'current' } };

/** The same person in another browser. */
async function elsewhere(app: TestApp, { email, password }: SignedIn) {
  const browser = openBrowser(app.url, undefined, app.config.publicUrl);
  await browser.signIn({ email, password });
  const { accessToken } = (await browser.renew()).body;
  const outcome = async () => (await app.call(getProfile, current, { accessToken })).problem?.code ?? 'in';
  return { browser, accessToken, outcome };
}

describe.each(engines)('own sessions on %s', (engine) => {
  it('SES-3: a person lists theirs, and ends one, in force everywhere', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const mia = await signIn(app);
    const other = await signIn(app);
    clock.move(60_000);
    const [phone, office] = [await elsewhere(app, mia), await elsewhere(app, mia)];
    await app.database.transaction((tx) => tx.updateTable('session').set({ browser: 'Firefox' }).execute());
    const list = async () => (await mia.call(listSessions, {})).body.sessions;
    const sessions = await list();
    expect(sessions.map(({ current: own }) => own)).toEqual([false, false, true]);
    expect(sessions[2]).toMatchObject({
      browser: 'Firefox',
      system: null,
      createdAt: expect.any(Number) as number,
    });
    expect(JSON.stringify(sessions)).not.toMatch(/secret|hash|127\.0\.0\.1/i);

    // The access token names its session.
    const sid = (
      JSON.parse(Buffer.from(phone.accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
        sid: string;
      }
    ).sid;
    const stream = await openLive(app, phone.accessToken);
    expect([await phone.outcome(), await office.outcome()]).toEqual(['in', 'in']);
    const call = { params: { sessionId: sid } };
    expect((await other.call(endSession, call)).problem?.code).toBe('NOT_FOUND');
    expect((await mia.call(endSession, call)).status).toBe(204);
    await expect.poll(phone.outcome).toBe('SESSION_ENDED');
    await expect.poll(() => stream.events().at(-1)).toEqual({ type: 'session-ended', reason: 'elsewhere' });
    expect((await phone.browser.renew()).problem?.code).toBe('SESSION_ENDED');
    // Nor does the provider remember that browser, which signed in only just now.
    expect((await phone.browser.go('/auth/login')).path).toMatch(/^\/idp\/sign-in\//);
    expect([await office.outcome(), (await list()).length]).toEqual(['in', 2]);
    expect((await mia.call(endSession, call)).problem?.code).toBe('NOT_FOUND');

    const own = (await list()).find((one) => one.current)?.id ?? '';
    expect((await mia.call(endSession, { params: { sessionId: own } })).problem?.code).toBe('CONFLICT');
    expect((await mia.call(endOtherSessions, {})).body).toEqual({ ended: 1 });
    expect(await office.outcome()).toBe('SESSION_ENDED');
    expect((await list()).map(({ id }) => id)).toEqual([own]);
    expect((await other.call(getProfile, current)).status).toBe(200);
  });

  it('SES-3: those that are over are not listed, and an API token has none', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const mia = await signIn(app);
    const idle = await elsewhere(app, mia);
    const left = await elsewhere(app, mia);
    await app.call(signOut, {}, { cookies: left.browser.cookies });
    clock.move(app.config.sessionIdleMs - 1);
    const { accessToken } = (await mia.browser.renew()).body;
    clock.move(2);
    expect((await app.call(listSessions, {}, { accessToken })).body.sessions).toHaveLength(1);
    expect(await idle.outcome()).toBe('TOKEN_EXPIRED');
    const token = await addToken(app, { rights: ['PEOPLE_WRITE'], clock });
    for (const route of [listSessions, endOtherSessions])
      expect((await app.call(route, {}, { accessToken: token })).problem?.code).toBe('RIGHT_MISSING');
  });
});
