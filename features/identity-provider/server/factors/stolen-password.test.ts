import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import * as contract from '#features/identity-provider/contract/factors.ts';
import {
  acceptInvitation,
  changePassword,
  issuePasswordLink,
  forgotPassword,
} from '#features/identity-provider/contract/identity-provider.ts';
import { setRoles } from '#features/people/contract/people.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import { openBrowser, type Browser } from '#server/testing/browser.ts';
import { createCookieJar } from '#server/testing/client.ts';
import { contractRoutes } from '#server/testing/contract-routes.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

// What an attacker tries who has the password of an operator with a passkey. At an outside provider it is
// ../../../outside-provider/server/step-up.test.ts: “with no auth_time proves nothing”.

const minute = 60_000;
const day = 24 * 60 * minute;
const changed = 'the thief sets a new one';
const tokenOf = (link: string) => new URL(link).hash.slice(1);

describe('with the password of an operator alone', () => {
  let app: TestApp;
  let clock: MovableClock;
  let post: Awaited<ReturnType<typeof startMailServer>>;
  let owner: SignedIn;

  beforeEach(async () => {
    clock = movableClock();
    post = await startMailServer();
    app = await startApp({ engine: 'sqlite', clock, config: { mail: post.settings } });
    owner = await signIn(app, { roles: ['operator'] });
    const { passkey } = (await owner.call(contract.beginFactor, { body: { kind: 'passkey' } })).body;
    const answer = createAuthenticator(app.url).create(passkey as Record<string, unknown>);
    const body = { passkey: { name: 'A key', answer }, code: null };
    await owner.call(contract.addFactor, { body });
    await post.arrived(1);
    const waiting = () => app.database.read.selectFrom('mail').select('id').execute();
    await vi.waitUntil(async () => (await waiting()).length === 0, { timeout: 90_000 });
  });

  /** The attacker's browser after a password, at the step that comes then. */
  async function afterPassword(password = owner.password) {
    const browser = openBrowser(app.url);
    const { path } = await browser.go('/auth/login');
    const { body } = await browser.submit(path, { email: owner.email, password });
    const uid = path.split('/').at(-1) ?? '';
    return { browser, uid, next: body.next, second: body.second };
  }

  /** What a session of the owner may do in a browser that was left open, ten minutes after it proved who it is. */
  async function stolenSession(): Promise<SignedIn['call']> {
    clock.move(10 * minute);
    const { accessToken } = (await owner.browser.renew()).body;
    return (route, call) => app.call(route, call, { accessToken, cookies: owner.browser.cookies });
  }

  const isSignedIn = async (browser: Browser) => (await browser.renew()).status === 200;

  it('SES-12: the request opens nothing: no session, no guess, no factor of one’s own, no way past the step', async () => {
    const { browser, uid, next, second } = await afterPassword();
    expect([next, second?.kind]).toEqual(['', 'prove']);
    const step = second?.step ?? '';
    const params = { uid };
    const { cookies } = browser;
    const refused = await Promise.all([
      app.call(
        contract.signInByCode,
        { params, body: { step, code: '000000', remember: true } },
        { cookies },
      ),
      app.call(contract.beginFactorAtSignIn, { params, body: { step, kind: 'code' } }, { cookies }),
      app.call(contract.beginFactorAtSignIn, { params, body: { step, kind: 'passkey' } }, { cookies }),
    ]);
    expect(refused.map(({ problem }) => problem?.code)).toEqual([
      'UNAUTHENTICATED',
      'LINK_INVALID',
      'LINK_INVALID',
    ]);
    // The address that the sign-in goes on at, without what it waits for.
    await browser.go(`/idp/auth/${uid}`).catch(() => null);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('SES-13 SES-9: no token comes of it, in no session that is open either', async () => {
    const body = { name: 'a', rights: ['PEOPLE_WRITE'], expiresAt: clock.now() + day };
    const { browser, second } = await afterPassword();
    for (const accessToken of [second?.step ?? '', owner.password, ''])
      expect((await app.call(createApiToken, { body }, { accessToken, ...browser })).status).toBe(401);
    const call = await stolenSession();
    const proof = { by: 'password', password: owner.password } as const;
    expect((await call(contract.prove, { body: proof })).status).toBe(401);
    expect((await call(createApiToken, { body })).problem?.code).toBe('PROOF_NEEDED');
    const roles = { params: { personId: owner.id }, body: { roles: ['operator'], version: 1 } };
    expect((await call(setRoles, roles)).problem?.code).toBe('PROOF_NEEDED');
  });

  it('SES-12 SES-13: what the command line resets has no request of its own, and that of operators asks for the factor', async () => {
    const routes = await contractRoutes();
    const named = routes.filter(([, { path }]) => /reset|operator/i.test(path)).map(([name]) => name);
    expect(named).toEqual(['resetFactors']);
    const params = { personId: owner.id };
    const anyone = await app.call(contract.resetFactors, { params });
    expect(anyone.status).toBe(401);
    const call = await stolenSession();
    expect((await call(contract.resetFactors, { params })).problem?.code).toBe('PROOF_NEEDED');
    expect((await call(contract.renewRecoveryCodes, {})).problem?.code).toBe('PROOF_NEEDED');
    expect((await call(contract.beginFactor, { body: { kind: 'code' } })).problem?.code).toBe('PROOF_NEEDED');
  });

  it('SES-12: a link for a new password goes to the owner, who sees it, and opens nothing without the factor', async () => {
    const call = await stolenSession();
    expect((await call(issuePasswordLink, { params: { personId: owner.id } })).problem?.code).toBe(
      'PROOF_NEEDED',
    );
    expect((await app.call(forgotPassword, { body: { email: owner.email } })).status).toBe(204);
    const { to, link } = await post.arrived(2);
    expect(to).toEqual([owner.email]);
    const set = await app.call(acceptInvitation, { body: { token: tokenOf(link), password: changed } });
    expect(set.status).toBe(200);
    const { second, browser } = await afterPassword(changed);
    expect(second?.kind).toBe('prove');
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('SES-14: "This was not me", forwarded to somebody, opens nothing without the factor', async () => {
    const cookies = createCookieJar();
    // The mail about the passkey would take that one back.
    clock.move(6 * minute);
    const { accessToken } = (await owner.browser.renew()).body;
    const body = { currentPassword: owner.password, newPassword: 'another lantern by the door' };
    const session = { accessToken, cookies: owner.browser.cookies };
    expect((await app.call(changePassword, { body }, session)).status).toBe(204);
    const token = tokenOf((await post.arrived(2)).link);
    const denied = await app.call(acceptInvitation, { body: { token, password: changed } }, { cookies });
    expect(denied.status).toBe(200);
    const forwarded = openBrowser(app.url, cookies);
    expect(await isSignedIn(forwarded)).toBe(false);
    const { body: after } = await forwarded.submit((await forwarded.go('/auth/login')).path, {
      email: owner.email,
      password: changed,
    });
    expect([after.next, after.second?.kind]).toEqual(['', 'prove']);
  });
});
