import { describe, expect, it } from 'vitest';
import { erasePerson, previewErasure } from '#features/erasure/contract/erasure.ts';
import { changePassword } from '#features/identity-provider/contract/identity-provider.ts';
import { retainedDraftsKey, signOut } from '#features/session/contract/session.ts';
import { endOtherSessions } from '#features/session/contract/sessions.ts';
import { getPerson, setBlocked } from '#features/people/contract/people.ts';
import type { SessionEnd } from '#features/session/contract/end.ts';
import { endAllSessions } from '#features/session/server/session.store.ts';
import { startApp, type TestApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { openLive } from './testing/live-events.ts';
import { movableClock } from './testing/movable-clock.ts';
import { addToken } from './testing/people.ts';
import { signIn, type SignedIn } from './testing/signed-in.ts';

const hour = 3_600_000;

/** How a session of Mia's is ended; `office` is another session of hers, the operator another person. */
type Ending = (parts: {
  app: TestApp;
  mia: SignedIn;
  office: SignedIn;
  operator: SignedIn;
}) => Promise<unknown>;

const endings: [SessionEnd, Ending][] = [
  // The cookies of the page that is used later stay as they are, as in a browser that was asleep.
  ['signed-out', ({ app, mia }) => app.call(signOut, {}, { cookies: mia.browser.cookies.copy() })],
  ['elsewhere', ({ office }) => office.call(endOtherSessions, {})],
  [
    'password',
    ({ office }) =>
      office.call(changePassword, {
        body: { currentPassword: office.password, newPassword: 'eleven amber colonnades' },
      }),
  ],
  [
    'blocked',
    async ({ operator, mia }) => {
      const params = { personId: mia.id };
      const { version } = (await operator.call(getPerson, { params })).body;
      await operator.call(setBlocked, { params, body: { blocked: true, version } });
    },
  ],
  [
    'erased',
    async ({ operator, mia }) => {
      const params = { personId: mia.id };
      expect((await operator.call(previewErasure, { params })).status).toBe(200);
      await operator.call(erasePerson, { params, body: { confirmation: mia.email, reports: 'keep' } });
    },
  ],
  ['operator', ({ app }) => app.database.change((change) => endAllSessions(change, 'operator'))],
];

async function inAnotherBrowser(app: TestApp, mia: SignedIn): Promise<SignedIn> {
  const browser = openBrowser(app.url);
  await browser.signIn(mia);
  const { accessToken } = (await browser.renew()).body;
  return { ...mia, browser, accessToken, call: (route, call) => app.call(route, call, { accessToken }) };
}

const shown = ({ accessToken }: SignedIn) => ({ authorization: `Bearer ${accessToken}` });

// Its SQL is proved on both engines by session-edges.test.ts and own-sessions.test.ts.
describe('why a session has ended', () => {
  it.each(endings)(
    'SES-2, SES-8: %s is reported on its stream, and to a caller with a token of it',
    async (reason, end) => {
      const app = await startApp({ engine: 'sqlite' });
      const operator = await signIn(app, { roles: ['operator'] });
      const mia = await signIn(app);
      const office = await inAnotherBrowser(app, mia);
      const stream = await openLive(app, mia.accessToken);
      await end({ app, mia, office, operator });

      await expect.poll(() => stream.events().at(-1)).toEqual({ type: 'session-ended', reason });
      const { problem } = await mia.browser.renew(shown(mia));
      expect([problem?.code, problem?.reason]).toEqual(['SESSION_ENDED', reason]);
      // A caller with the cookie alone, or with another session's token, does not learn the reason.
      const other = await signIn(app);
      for (const headers of [{}, shown(other), { authorization: 'Bearer made.up.token' }])
        expect((await mia.browser.renew(headers)).problem).not.toHaveProperty('reason');
    },
  );

  it('SES-7: the key of kept drafts is one person’s, in every session of theirs, and no API token’s', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const [mia, noor] = [await signIn(app, { roles: ['operator'] }), await signIn(app)];
    const keyOf = async (who: SignedIn) => (await who.call(retainedDraftsKey, {})).body.key;
    const key = await keyOf(mia);
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect(await keyOf(await inAnotherBrowser(app, mia))).toBe(key);
    expect(await keyOf(noor)).not.toBe(key);
    const token = await addToken(app, { createdBy: mia.id, rights: ['FLAGS_READ'] });
    expect((await app.call(retainedDraftsKey, {}, { accessToken: token })).status).toBe(400);
    expect((await app.call(retainedDraftsKey, {})).problem?.code).toBe('UNAUTHENTICATED');
  });

  it('SES-1: idle and its longest time are distinguished, and once the row is swept neither is claimed', async () => {
    const clock = movableClock();
    const app = await startApp({ engine: 'sqlite', clock });
    const [idle, busy] = [await signIn(app), await signIn(app)];
    const reasonOf = async (who: SignedIn) => (await who.browser.renew(shown(who))).problem?.reason;
    for (let half = 0; half < 18; half += 1) {
      clock.move(9 * hour);
      expect((await busy.browser.renew()).status).toBe(200);
    }
    expect(await reasonOf(idle)).toBe('idle');
    clock.move(7 * hour);
    expect(await reasonOf(busy)).toBe('lifetime');
    await app.sweep();
    expect([await reasonOf(idle), await reasonOf(busy)]).toEqual(['ended', 'ended']);
  });
});
