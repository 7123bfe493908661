import { describe, expect, it } from 'vitest';
import type { OutsideProviderSettings } from '#server/config.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { openOutsideBrowser, type OutsideBrowser } from '#server/testing/outside-provider.ts';
import { startPortal, type Portal, type PortalState } from '#server/testing/portal-provider.ts';

const minutes = (count: number): number => count * 60_000;
const hours = (count: number): number => minutes(count * 60);

async function installation(
  state: Partial<PortalState> = {},
  settings: Partial<OutsideProviderSettings> = {},
) {
  const clock = movableClock();
  const portal = await startPortal(state);
  const app = await startApp({
    engine: 'sqlite',
    clock,
    config: { oidc: { ...portal.settings, ...settings } },
  });

  async function signIn(sub: string): Promise<OutsideBrowser> {
    portal.state.claims = { sub };
    const browser = openOutsideBrowser(app, portal);
    expect(await browser.signInAs(null)).toBe('/');
    return browser;
  }

  /** Lets time pass while the browsers are open, and asks after their sessions. */
  async function later(count: number, ...browsers: OutsideBrowser[]): Promise<void> {
    clock.move(minutes(count));
    for (const browser of browsers) await browser.renew();
    await app.checkSessions();
  }
  return { app, clock, portal, signIn, later };
}

const stored = (app: TestApp) =>
  app.database.read
    .selectFrom('provider_session')
    .innerJoin('session', 'session.id', 'provider_session.session_id')
    .selectAll()
    .executeTakeFirstOrThrow();

const warnings = (app: TestApp) => app.log.filter(({ level }) => level >= 40);

const ended: PortalState['refresh'] = {
  status: 400,
  body: '{"error":"invalid_grant"}',
  headers: { 'content-type': 'application/json' },
};

const unknown = (portal: Portal): void => void (portal.state.refresh = 'unknown');

// What it answers is about its protocol; what a check stores is proved on both engines by session-checks.test.ts.
describe('a provider such as LemonLDAP::NG', () => {
  it('SES-4: signs in with a secret that it does not decode, and does not know the client with another', async () => {
    const client = { id: 'portico-1.0_a~b', secret: 's-e_c.r~e*t!' };
    const { app, signIn, portal } = await installation({ client });
    expect((await (await signIn('dwho')).renew()).status).toBe(200);

    for (const namesErrors of [true, false]) {
      portal.state.namesErrors = namesErrors;
      portal.state.client = { ...client, secret: 'another' };
      const end = await openOutsideBrowser(app, portal).signInAs(null);
      expect(end).toBe('/auth/failed?reason=misconfigured');
      expect(warnings(app).at(-1)).toMatchObject({
        reason: 'client-refused',
        err: { message: expect.stringMatching(/"portico-1.0_a~b".*OIDC_CLIENT_SECRET/) },
      });
    }
    expect(JSON.stringify(app.log)).not.toContain(client.secret);
  });

  it.each([true, false])(
    'SES-4: a client that is refused at a check ends nothing, is logged once in a while, and is made up for (error in the body: %s)',
    async (namesErrors) => {
      const { app, portal, signIn, later } = await installation({ namesErrors });
      const browsers = [await signIn('dwho'), await signIn('rtyler')];
      const { client } = portal.state;
      portal.state.client = { ...client, secret: 'changed' };
      await later(12, ...browsers);
      await later(2, ...browsers);
      expect(warnings(app)).toMatchObject([
        { level: 40, outcome: 'client-refused', err: { message: expect.stringContaining('"portico"') } },
      ]);
      expect(await stored(app)).toMatchObject({ unsure_since: null, failures: 2 });
      for (const browser of browsers) expect((await browser.renew()).status).toBe(200);
      await later(20, ...browsers);
      expect(warnings(app)).toHaveLength(2);

      // Once the secret is right again, a refusal of the person is one.
      portal.state.client = client;
      portal.state.refresh = ended;
      await later(12, ...browsers);
      for (const browser of browsers) expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
    },
  );

  it('SES-4: an unknown refresh token is a bad request there: it ends the session where refreshing works', async () => {
    const { portal, signIn, later } = await installation();
    const browser = await signIn('dwho');
    await later(12, browser);
    unknown(portal);
    await later(12, browser);
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  it('SES-4: where no refresh has worked a bad request ends nothing at once, but is no way to go on for days', async () => {
    const { app, clock, portal, signIn, later } = await installation();
    const [first, second] = [await signIn('dwho'), await signIn('rtyler')];
    unknown(portal);
    await later(12, first);
    expect(await stored(app)).toMatchObject({ unsure_since: null });
    expect((await first.renew()).status).toBe(200);
    const rows = await app.database.read.selectFrom('session').select('expires_at').execute();
    expect(Math.min(...rows.map(({ expires_at }) => expires_at))).toBe(clock.now() + hours(12));

    // Another one’s works: it is this token that is refused.
    portal.state.refresh = 'works';
    await later(1, second);
    clock.move(minutes(30));
    await second.renew();
    portal.state.refresh = 'works';
    await app.checkSessions();
    unknown(portal);
    await later(1, first);
    expect((await first.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  const page = '<html>Under maintenance</html>';
  it.each<[string, PortalState['refresh'], object]>([
    ['a firewall’s 403', { status: 403, body: page }, { unsure_since: null, failures: 1 }],
    ['a page that is gone', { status: 404, body: page }, { unsure_since: null, failures: 1 }],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: '/' } },
      { unsure_since: null, failures: 1 },
    ],
    ['a busy 503', { status: 503, body: page }, { unsure_since: null, failures: 1 }],
    [
      'a challenge of a proxy',
      { status: 401, body: page, headers: { 'www-authenticate': 'Basic' } },
      { unsure_since: null, failures: 1 },
    ],
    ['a broken 502', { status: 502, body: page }, { unsure_since: expect.any(Number), failures: 1 }],
  ])('SES-4: %s ends nothing, and a real refusal afterwards does', async (_what, refresh, row) => {
    const { app, portal, signIn, later } = await installation();
    const browser = await signIn('dwho');
    await later(12, browser);
    portal.state.refresh = refresh;
    await later(12, browser);
    expect(await stored(app)).toMatchObject(row);
    expect((await browser.renew()).status).toBe(200);
    // It does not rotate its refresh tokens, so that no lost answer can have made one void.
    portal.state.refresh = ended;
    await later(2, browser);
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  it('SES-4: a refusal after an answer that may have been lost leaves the session unchecked for a working day at most', async () => {
    const { app, clock, portal, signIn, later } = await installation();
    const browser = await signIn('dwho');
    portal.state.refresh = { status: 502, body: '' };
    await later(12, browser);
    portal.state.refresh = ended;
    await later(2, browser);
    expect((await browser.renew()).status).toBe(200);
    expect(await stored(app)).toMatchObject({ refresh_token: null, expires_at: clock.now() + hours(12) });
    clock.move(hours(11));
    expect((await browser.renew()).status).toBe(200);
    clock.move(hours(1));
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
  });
});
