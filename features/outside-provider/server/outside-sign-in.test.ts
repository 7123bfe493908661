import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import {
  getPerson,
  invitePerson,
  listPeople,
  setBlocked,
  setRoles,
} from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { beginSetUp, signOut } from '#features/session/contract/session.ts';
import type { OutsideProviderSettings } from '#server/config.ts';
import { startApp, type StartOptions, type TestApp } from '#server/testing/app.ts';
import { createCookieJar, fetchWith } from '#server/testing/client.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import {
  openOutsideBrowser,
  registerAt,
  startOutsideProvider,
  type ForgedToken,
  type OutsideAccount,
  type OutsideBrowser,
  type OutsideProvider,
  type ProviderState,
} from '#server/testing/outside-provider.ts';
import { giveRight } from '#server/testing/people.ts';
import { emailSkeleton } from '#server/platform/database/email-skeleton.ts';
import { createPerson } from '#features/directory/server/directory.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';
import { makeOperator } from '#features/people/server/administration.ts';
import { setRolesOf } from '#features/permissions/server/permissions.store.ts';
import { identityOf } from '#features/session/server/identity.ts';
import { parseClaimPaths } from '#server/config-claim-paths.ts';
import { groupsOf } from './follow-person.ts';
import { createReadClaims } from './read-claims.ts';

const mia: OutsideAccount = {
  claims: { email: 'mia@example.org', email_verified: true, given_name: 'Mia', family_name: 'Keller' },
};
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

type Installation = { app: TestApp; provider: OutsideProvider; browser: OutsideBrowser };

async function installation(
  options: StartOptions,
  accounts: Record<string, OutsideAccount> = { 'kc-7': mia },
  settings: Partial<OutsideProviderSettings> = {},
): Promise<Installation> {
  const provider = await startOutsideProvider(accounts);
  const app = await startApp({ ...options, config: { oidc: { ...provider.settings, ...settings } } });
  await registerAt(provider, app);
  return { app, provider, browser: openOutsideBrowser(app, provider) };
}

async function profileIn(app: TestApp, browser: OutsideBrowser) {
  const { accessToken } = (await browser.renew()).body;
  return (await app.call(getProfile, { params: { userId: 'current' } }, { accessToken })).body;
}

const people = (app: TestApp) =>
  app.database.read.selectFrom('person').select(['id', 'issuer', 'subject', 'email']).execute();

const audit = (app: TestApp) =>
  app.database.read.selectFrom('audit').select(['action', 'actor_kind', 'before', 'after']).execute();

const reasonsIn = (app: TestApp) =>
  app.log.flatMap((line) => (line['reason'] === undefined ? [] : [line['reason']]));

/** Answers what ends it. Only while nothing answers: a busy machine takes longer for what comes. */
function waitsBriefly(): () => void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const replaced = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100));
  return () => replaced.mockRestore();
}

const minutes = (count: number): number => count * 60_000;

function claimPaths(text: string) {
  const paths = parseClaimPaths(text);
  if (paths === null) throw new Error(`No claim path: ${text}`);
  return paths;
}

async function logOut(app: TestApp, body: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${app.url}/auth/backchannel-logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

describe.each(engines)('signing in at an outside provider on %s', (engine) => {
  const once = provedOn(engine);
  it('SES-4 SES-8: makes the person once, follows a changed address and changed groups, and leaves the name', async () => {
    const { app, provider, browser } = await installation({ engine }, { 'kc-7': mia });

    expect(await browser.signInAs('kc-7', '/auth/login?returnTo=/flags')).toBe('/flags');
    const first = await profileIn(app, browser);
    expect(first).toMatchObject({ email: 'mia@example.org', firstName: 'Mia', lastName: 'Keller' });

    const groups = ['/staff', 'Ärzte & Pflege', 'a,b;c', 'x'.repeat(500)];
    const claims = {
      ...mia.claims,
      email: 'mia.keller@example.org',
      given_name: 'Maria',
      groups,
      roles: ['editor'],
    };
    await provider.set({ accounts: { 'kc-7': { claims } } });
    expect(await browser.signInAs('kc-7')).toBe('/');

    const second = await profileIn(app, browser);
    expect(second).toMatchObject({ id: first.id, email: 'mia.keller@example.org', firstName: 'Mia' });
    const stored = await app.database.read
      .selectFrom('person')
      .select(['email', 'email_skeleton'])
      .executeTakeFirst();
    expect(stored?.email_skeleton).toBe(emailSkeleton('mia.keller@example.org'));
    expect(await groupsOf(app.database.read, first.id)).toEqual({
      roles: ['editor'],
      groups: groups.toSorted(),
    });
    expect((await audit(app)).map(({ action }) => action)).toEqual([
      'person.follow-email',
      'person.follow-groups',
    ]);
    expect(await people(app)).toHaveLength(1);
  });

  it.each(once)('SES-4: checks for a disabled account, changed groups and a lost answer', async () => {
    const clock = movableClock();
    const claims = { ...mia.claims, groups: ['staff'] };
    const { app, provider, browser } = await installation({ engine, clock }, { 'kc-7': { claims } });
    await browser.signInAs('kc-7');
    const { id } = await profileIn(app, browser);
    const stored = () =>
      app.database.read.selectFrom('provider_session').selectAll().executeTakeFirstOrThrow();
    const sealed = (await stored()).refresh_token;
    const clear = Buffer.from(sealed ?? '', 'base64url').toString('latin1');
    expect(clear).not.toMatch(/[\w-]{40}/);

    // Not yet due: nothing is asked.
    await app.checkSessions();
    expect((await stored()).refresh_token).toBe(sealed);

    const idToken = async () =>
      (await app.database.read.selectFrom('session').select('id_token').executeTakeFirstOrThrow()).id_token;
    const first = await idToken();
    await provider.set({ accounts: { 'kc-7': { claims: { ...claims, groups: ['staff', 'night shift'] } } } });
    clock.move(minutes(12));
    await browser.renew();
    await app.checkSessions();
    expect((await groupsOf(app.database.read, id)).groups).toEqual(['night shift', 'staff']);
    const rotated = await stored();
    expect(rotated.refresh_token).not.toBe(sealed);
    // A sign-out shows the newest, which the provider knows for longest.
    expect(await idToken()).toMatch(/^eyJ/);
    expect(await idToken()).not.toBe(first);
    expect(rotated).toMatchObject({ unsure_since: null, failures: 0, claimed_until: null });

    await provider.set({ accounts: { 'kc-7': { claims, disabled: true } } });
    clock.move(minutes(12));
    await browser.renew();
    await app.checkSessions();
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  it.each(once)(
    'SES-4: an answer that was lost after the refresh token was replaced does not end the session',
    async () => {
      const clock = movableClock();
      const { app, provider, browser } = await installation({ engine, clock });
      await browser.signInAs('kc-7');
      clock.move(minutes(12));
      await browser.renew();
      await provider.set({ loseTokenAnswer: true });
      await app.checkSessions();
      await provider.set({ loseTokenAnswer: false });
      clock.move(minutes(2));
      await browser.renew();
      await app.checkSessions();

      expect((await browser.renew()).status).toBe(200);
      const stored = await app.database.read
        .selectFrom('provider_session')
        .selectAll()
        .executeTakeFirstOrThrow();
      expect(stored).toMatchObject({ refresh_token: null, next_check_at: null });
    },
  );

  it('SES-7: signing out at the provider ends the session here at once, by its back channel, and a replay does nothing', async () => {
    const { app, provider, browser } = await installation({ engine });
    await browser.signInAs('kc-7');
    const other = openOutsideBrowser(app, provider);
    await other.signInAs('kc-7');
    const { accessToken } = (await browser.renew()).body;

    await browser.signOutAtProvider();

    const { problem } = await browser.renew({ authorization: `Bearer ${accessToken}` });
    expect([problem?.code, problem?.reason]).toEqual(['SESSION_ENDED', 'provider']);
    const own = { params: { userId: 'current' } };
    expect((await app.call(getPermissions, own, { accessToken })).problem?.code).toBe('SESSION_ENDED');
    // The other browser has a session of its own at the provider.
    expect((await other.renew()).status).toBe(200);

    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, aud: 'portico', sub: 'kc-7', iat, exp: iat + 60, jti: 'once' };
    const token = await provider.sign({ claims: { ...claims, events: { [logoutEvent]: {} } } });
    expect(await logOut(app, `logout_token=${token}`)).toEqual({ status: 200, text: '' });
    expect((await other.renew()).problem?.code).toBe('SESSION_ENDED');
    await other.signInAs('kc-7');
    expect((await logOut(app, `logout_token=${token}`)).status).toBe(400);
    expect((await other.renew()).status).toBe(200);
  });

  it('SES-7: a logout token that was used is known after a sweep too, for as long as it would be taken', async () => {
    const clock = movableClock();
    const { app, provider, browser } = await installation({ engine, clock });
    await browser.signInAs('kc-7');
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, aud: 'portico', sub: 'kc-7', iat, exp: iat + 600, jti: 'once' };
    const token = await provider.sign({ claims: { ...claims, events: { [logoutEvent]: {} } } });
    expect((await logOut(app, `logout_token=${token}`)).status).toBe(200);
    await browser.signInAs('kc-7');
    // By the clock of the sweep nearly as old as it may get.
    clock.move(minutes(2));
    await app.sweep();
    expect((await logOut(app, `logout_token=${token}`)).status).toBe(400);
    expect((await browser.renew()).status).toBe(200);
    clock.move(minutes(10));
    await app.sweep();
    expect(await app.database.read.selectFrom('logout_token').selectAll().execute()).toEqual([]);
  });

  it('SES-4 SES-8: an invited person is found by their verified address alone, with the roles that they were given', async () => {
    const ada = { claims: { email: 'ada@example.org', email_verified: true } };
    const unverified = { claims: { ...mia.claims, email_verified: undefined } };
    const settings = { operatorEmail: 'ada@example.org' };
    const accounts = { ada, 'kc-7': mia, 'kc-8': unverified };
    const { app, provider, browser } = await installation({ engine }, accounts, settings);
    await browser.signInAs('ada');
    const { accessToken } = (await browser.renew()).body;
    const names = { firstName: 'M.', lastName: 'Keller' };
    const invite = (email: string, roles: string[]) =>
      app.call(invitePerson, { body: { email, ...names, roles } }, { accessToken });

    const invited = await invite('Mia@example.org', ['operator']);
    expect([invited.status, invited.body.invitation]).toEqual([201, null]);
    const { id: personId, version } = invited.body.person;
    expect(invited.body.person).toMatchObject({
      email: 'mia@example.org',
      state: 'invited',
      roles: ['operator'],
    });
    expect((await invite('mia@example.org', [])).problem?.code).toBe('CONFLICT');

    // A person who has not accepted yet does not count as one who can manage people.
    const own = await app.call(listPeople, { query: { search: 'ada@' } }, { accessToken });
    const [operator] = own.body.people;
    const params = { personId: operator?.id ?? '' };
    const body = { roles: [], version: operator?.version ?? 0 };
    expect((await app.call(setRoles, { params, body }, { accessToken })).problem?.code).toBe(
      'LAST_ADMINISTRATOR',
    );

    const stranger = openOutsideBrowser(app, provider);
    await stranger.signInAs('kc-8');
    expect((await profileIn(app, stranger)).id).not.toBe(personId);

    const her = openOutsideBrowser(app, provider);
    await her.signInAs('kc-7');
    expect(await profileIn(app, her)).toMatchObject({ id: personId, ...names, email: 'mia@example.org' });
    const current = { params: { userId: 'current' } };
    const hers = { accessToken: (await her.renew()).body.accessToken };
    expect((await app.call(getPermissions, current, hers)).body).toContain('PEOPLE_WRITE');
    const now = (await app.call(getPerson, { params: { personId } }, { accessToken })).body;
    expect(now).toMatchObject({ state: 'active', roles: ['operator'] });
    expect((await audit(app)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['person.invite', 'invitation.accept']),
    );
    expect(now.version).toBeGreaterThan(version);
  });

  it('START-6: the set-up link makes the person who signs in from it the first operator, once', async () => {
    const { app, browser } = await installation({ engine });
    const token = new URL(app.setUpOffer()?.link ?? '').hash.slice(1);
    const wrong = await app.call(beginSetUp, { body: { token: 'x'.repeat(43) } });
    expect(wrong.problem?.code).toBe('LINK_INVALID');

    const { next } = (await app.call(beginSetUp, { body: { token } }, { cookies: browser.cookies })).body;
    expect(await browser.signInAs('kc-7', next)).toBe('/console');

    const { accessToken } = (await browser.renew()).body;
    const rights = (await app.call(getPermissions, { params: { userId: 'current' } }, { accessToken })).body;
    expect(rights).toContain('PEOPLE_WRITE');
    expect((await audit(app)).map(({ action }) => action)).toContain('set-up.claim');
    expect((await app.call(beginSetUp, { body: { token } })).problem?.code).toBe('NOT_FOUND');
    const file = app.setUpOffer()?.file ?? '';
    await expect.poll(() => existsSync(file)).toBe(false);
  });

  it.each(once)('START-6: no sign-in, link or start recovers a first operator who was blocked', async () => {
    const settings = { operatorEmail: 'mia@example.org' };
    const accounts = { 'kc-7': mia, ada: { claims: { email: 'ada@example.org', email_verified: true } } };
    const { app, provider, browser } = await installation({ engine }, accounts, settings);
    const token = new URL(app.setUpOffer()?.link ?? '').hash.slice(1);
    await browser.signInAs('kc-7');
    const first = (await browser.renew()).body.accessToken;
    const { id } = await profileIn(app, browser);
    const other = openOutsideBrowser(app, provider);
    await other.signInAs('ada');
    const ada = (await profileIn(app, other)).id;
    const change = async (personId: string, accessToken: string, roles: string[], blocked: boolean) => {
      const person = { params: { personId } };
      const { version } = (await app.call(getPerson, person, { accessToken })).body;
      const set = await app.call(setRoles, { ...person, body: { roles, version } }, { accessToken });
      const body = { blocked, version: set.body.version };
      expect((await app.call(setBlocked, { ...person, body }, { accessToken })).status).toBe(200);
    };
    await change(ada, first, ['operator'], false);
    const adas = (await other.renew()).body.accessToken;
    await change(id, adas, ['member'], true);
    // Ada runs it by a right of her own.
    await app.database.change(async (made) => {
      await giveRight(made, ada, 'PEOPLE_WRITE');
      await giveRight(made, id, 'MAP_VIEW', 'denial');
      await setRolesOf(made, ada, []);
    });
    const blockedPage = '/auth/failed?reason=blocked';
    expect(await openOutsideBrowser(app, provider).signInAs('kc-7')).toBe(blockedPage);
    expect((await app.call(beginSetUp, { body: { token } })).problem?.code).toBe('NOT_FOUND');
    await app.stop();
    const again = await startApp({ after: app });
    expect(again.setUpOffer()).toBeNull();
    expect(await openOutsideBrowser(again, provider).signInAs('kc-7')).toBe(blockedPage);
    expect(
      await again.database.read.selectFrom('person_role').select(['person_id', 'role']).execute(),
    ).toEqual([{ person_id: id, role: 'member' }]);
    expect(
      await again.database.read.selectFrom('person_right').select('effect').orderBy('effect').execute(),
    ).toEqual([{ effect: 'denial' }, { effect: 'grant' }]);
  });

  it.each(once)('START-6: a blocked person becomes no operator; the set-up link stays valid', async () => {
    const settings = { operatorEmail: 'mia@example.org' };
    const { app, browser } = await installation({ engine }, { 'kc-7': mia }, settings);
    await app.database.change(async (change) => {
      const personId = await createPerson(change, {
        issuer: app.config.oidc?.issuer ?? '',
        subject: 'kc-7',
        email: 'mia@example.org',
        emailVerified: true,
        firstName: '',
        lastName: '',
      });
      await writeBlocked(change, personId, change.at);
    });
    const token = new URL(app.setUpOffer()?.link ?? '').hash.slice(1);
    const { next } = (await app.call(beginSetUp, { body: { token } }, { cookies: browser.cookies })).body;
    expect(await browser.signInAs('kc-7', next)).toBe('/auth/failed?reason=blocked');
    expect(await app.database.read.selectFrom('person_role').selectAll().execute()).toEqual([]);
    expect((await app.call(beginSetUp, { body: { token } })).status).toBe(200);
  });

  it('START-6: a link from which others were quicker makes no second operator', async () => {
    const settings = { operatorEmail: 'ada@example.org' };
    const accounts = { 'kc-7': mia, ada: { claims: { email: 'ada@example.org', email_verified: true } } };
    const { app, provider, browser } = await installation({ engine }, accounts, settings);
    const token = new URL(app.setUpOffer()?.link ?? '').hash.slice(1);
    const { next } = (await app.call(beginSetUp, { body: { token } }, { cookies: browser.cookies })).body;
    await openOutsideBrowser(app, provider).signInAs('ada');
    expect(await browser.signInAs('kc-7', next)).toBe('/');
    const { id } = await profileIn(app, browser);
    const roles = await app.database.read.selectFrom('person_role').selectAll().execute();
    expect(roles.filter(({ person_id }) => person_id === id)).toMatchObject([{ role: 'member' }]);
  });
});

describe('an outside provider', () => {
  it('START-6: OPERATOR_EMAIL names the first operator, by an address that is verified letter for letter', async () => {
    const kelvin = 'mia.\u212aeller@example.org';
    const named = { ...mia.claims, email: 'mia.keller@example.org' };
    const { app, provider, browser } = await installation(
      { engine: 'sqlite' },
      {
        'look-alike': { claims: { ...named, email: kelvin } },
        unverified: { claims: { ...named, email_verified: false } },
        unsaid: { claims: { email: named.email } },
        mia: { claims: { ...named, email: 'Mia.Keller@Example.org' } },
      },
      { operatorEmail: 'mia.keller@example.org' },
    );
    const operators = () =>
      app.database.read.selectFrom('person_role').select('role').where('role', '=', 'operator').execute();
    for (const subject of ['look-alike', 'unverified', 'unsaid']) {
      await openOutsideBrowser(app, provider).signInAs(subject);
      expect(await operators()).toEqual([]);
    }
    await browser.signInAs('mia');
    expect(await operators()).toHaveLength(1);
    expect((await people(app)).map(({ email }) => email).toSorted()).toEqual(
      [kelvin, '', 'mia.keller@example.org', 'mia.keller@example.org'].toSorted(),
    );
  });

  const shapes: [string, Record<string, unknown>, Partial<OutsideProviderSettings['claims']>, object][] = [
    [
      'Keycloak',
      {
        preferred_username: 'mia',
        email: 'mia@example.org',
        email_verified: true,
        name: 'Mia Keller',
        given_name: 'Mia',
        family_name: 'Keller',
        realm_access: { roles: ['offline_access', 'editor'] },
        resource_access: { portico: { roles: ['map-user'] }, account: { roles: ['view-profile'] } },
        groups: ['/staff/night', '/staff'],
      },
      { roles: claimPaths('realm_access.roles,resource_access.portico.roles') },
      {
        email: 'mia@example.org',
        firstName: 'Mia',
        lastName: 'Keller',
        roles: ['editor', 'map-user', 'offline_access'],
        groups: ['/staff', '/staff/night'],
      },
    ],
    [
      'Entra ID',
      {
        oid: '00000000-0000-0000-66f3-3332eca7ea81',
        tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
        ver: '2.0',
        preferred_username: 'mia@example.org',
        name: 'Mia Keller',
        roles: ['Portico.Editor'],
        groups: ['0760b6cf-170e-4a14-91b3-4b78e0739963'],
      },
      { email: claimPaths('email,preferred_username') },
      {
        email: 'mia@example.org',
        firstName: 'Mia',
        lastName: 'Keller',
        roles: ['Portico.Editor'],
        groups: ['0760b6cf-170e-4a14-91b3-4b78e0739963'],
      },
    ],
    [
      'Google',
      {
        hd: 'example.org',
        email: 'mia@example.org',
        email_verified: true,
        name: 'Mia Keller',
        given_name: 'Mia',
        family_name: 'Keller',
        picture: 'https://pictures.example.org/mia',
      },
      {},
      { email: 'mia@example.org', firstName: 'Mia', lastName: 'Keller', roles: [], groups: [] },
    ],
    [
      'one with keys that hold dots, roles as keys, and a single group',
      {
        mail: 'mia@example.org',
        displayName: 'Mia Keller',
        'https://example.org/roles': { editor: { since: 2020 }, admin: {} },
        memberOf: 'staff',
      },
      {
        name: claimPaths('displayName'),
        email: claimPaths('mail'),
        roles: claimPaths('https://example\\.org/roles'),
        groups: claimPaths('memberOf'),
      },
      {
        email: 'mia@example.org',
        firstName: 'Mia',
        lastName: 'Keller',
        roles: ['admin', 'editor'],
        groups: ['staff'],
      },
    ],
    [
      'one that holds nothing but the subject',
      {},
      {},
      { email: '', firstName: '', lastName: '', roles: [], groups: [] },
    ],
    [
      'one whose claims are of no use',
      {
        email: ['mia@example.org'],
        name: { first: 'Mia' },
        roles: [1, null, '', ' ', { name: 'x' }, 'a\u0000b', 'good'],
        groups: 7,
      },
      {},
      { email: '', firstName: '', lastName: '', roles: ['good'], groups: [] },
    ],
  ];

  it.each(shapes)('SES-4: the claims of %s are read as they are meant', (_name, claims, paths, expected) => {
    const standard = { name: null, email: [['email']], roles: [['roles']], groups: [['groups']] };
    const read = createReadClaims({ ...standard, ...paths });
    const { email, firstName, lastName, groups } = identityOf('issuer', { sub: 'x', ...claims }, read);
    expect({ email, firstName, lastName, ...groups }).toEqual(expected);
  });

  it('SES-4: claims as Keycloak, Entra ID and Google send them arrive, in the ID token or by userinfo', async () => {
    const provider = await startOutsideProvider(
      Object.fromEntries(shapes.map(([name, claims]) => [name, { claims }])),
    );
    for (const [index, claimsIn] of [
      [0, 'id_token'],
      [1, 'id_token'],
      [2, 'id_token'],
      [0, 'userinfo'],
    ] as const) {
      const [name = '', , paths, expected] = shapes[index] ?? [];
      await provider.set({ claimsIn });
      const settings = { ...provider.settings, claims: { ...provider.settings.claims, ...paths } };
      const app = await startApp({ engine: 'sqlite', config: { oidc: settings } });
      await registerAt(provider, app);
      const browser = openOutsideBrowser(app, provider);
      expect(await browser.signInAs(name)).toBe('/');
      const { id, email, firstName, lastName } = await profileIn(app, browser);
      const found = { email, firstName, lastName, ...(await groupsOf(app.database.read, id)) };
      expect([claimsIn, name, found]).toEqual([claimsIn, name, expected]);
    }
  });

  it.each(['id_token', 'userinfo'] as const)(
    'SES-4: a provider that wants signed clients and pushed requests, and encrypts the %s, signs people in',
    async (claimsIn) => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const settings = { clientAuth: 'private_key_jwt', clientKey: privateKey, clientSecret: '' } as const;
      const { app, provider, browser } = await installation({ engine: 'sqlite' }, undefined, settings);
      const clientKey = { ...publicKey.export({ format: 'jwk' }) };
      await provider.set({ claimsIn, clientKey, userInfo: 'jwt' });
      const begun = await fetch(`${app.url}/auth/login`, { redirect: 'manual' });
      const asked = [...new URL(begun.headers.get('location') ?? '').searchParams.keys()];
      expect(asked).toEqual(['client_id', 'request_uri']);
      expect(await browser.signInAs('kc-7')).toBe('/');
      const { email, firstName } = await profileIn(app, browser);
      expect({ email, firstName }).toEqual({
        email: mia.claims['email'],
        firstName: mia.claims['given_name'],
      });
      expect(reasonsIn(app)).toEqual([]);
      // With another key than the provider knows no one gets as far as the provider's page.
      const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const wrong = { ...provider.settings, ...settings, clientKey: other.privateKey };
      const refused = await startApp({ engine: 'sqlite', config: { oidc: wrong } });
      const end = await fetch(`${refused.url}/auth/login`, { redirect: 'manual' });
      expect(end.headers.get('location')).toContain('reason=misconfigured');
      expect(reasonsIn(refused)).toEqual(['client-refused']);
    },
  );

  const badUserInfo: [string, ProviderState['userInfo'], RegExp][] = [
    ['signed with another key', { signedWith: 'another key' }, /id-token-signature/],
    ['signed with the client secret', { signedWith: 'the client secret' }, /id-token-algorithm/],
    ['signed with nothing', { signedWith: 'nothing' }, /id-token-algorithm/],
    ['for another client', { claims: { aud: 'another' } }, /id-token-audience/],
    ['of another issuer', { claims: { iss: 'https://other.example.org' } }, /id-token-issuer/],
    ['about another person', { claims: { sub: 'kc-8' } }, /another person/],
    ['encrypted', { status: 200, type: 'application/jwt', body: 'a.b.c.d.e' }, /encrypted/],
    ['a page', { status: 200, type: 'text/html', body: '<html></html>' }, /neither JSON nor a JWT/],
    ['refused', { status: 403, type: 'application/json', body: '{}' }, /status 403/],
    [
      'JSON without a person',
      { status: 200, type: 'application/json', body: '{"name":"Eve"}' },
      /another person/,
    ],
  ];

  it('SES-4: a userinfo answer that is forged, for others or no answer is a warning, which operators are shown', async () => {
    const { app, provider, browser } = await installation({ engine: 'sqlite' });
    await browser.signInAs('kc-7');
    const { id, firstName } = await profileIn(app, browser);
    const settings = { ...provider.settings, claimsFrom: 'userinfo' as const };
    for (const [what, userInfo, words] of badUserInfo) {
      await provider.set({ claimsIn: 'userinfo', userInfo });
      const before = app.log.length;
      expect([what, await openOutsideBrowser(app, provider).signInAs('kc-7')]).toEqual([what, '/']);
      const [warning, ...others] = app.log.slice(before).filter(({ level }) => level >= 40);
      expect([what, warning?.['reason'], warning?.msg, others]).toEqual([
        what,
        'userinfo',
        expect.stringContaining('the userinfo endpoint gave no claims'),
        [],
      ]);
      expect(JSON.stringify(warning)).toMatch(words);
    }
    await app.database.change((change) => makeOperator(change, id));
    const operator = openOutsideBrowser(app, provider);
    expect(await operator.signInAs('kc-7', '/auth/login?returnTo=/flags')).toBe(
      '/auth/failed?reason=userinfo&returnTo=%2Fflags',
    );
    expect((await profileIn(app, operator)).firstName).toBe(firstName);

    const strict = await startApp({ engine: 'sqlite', config: { oidc: settings } });
    await registerAt(provider, strict);
    for (const [what, userInfo] of badUserInfo) {
      await provider.set({ claimsIn: 'userinfo', userInfo });
      const end = await openOutsideBrowser(strict, provider).signInAs('kc-7');
      expect([what, end, reasonsIn(strict).at(-1)]).toEqual([
        what,
        '/auth/failed?reason=refused',
        'userinfo',
      ]);
    }
  });

  it('SES-4: an invalid request is Portico’s and the provider’s, and no one is told to look at the browser', async () => {
    const { app, provider, browser } = await installation({ engine: 'sqlite' });
    for (const error of ['invalid_request', 'unsupported_response_type', 'invalid_target']) {
      await provider.set({ authorizationError: error });
      expect([error, await browser.signInAs(null)]).toEqual([error, '/auth/failed?reason=refused']);
    }
    expect(reasonsIn(app)).toEqual(['provider-answer', 'provider-answer', 'provider-answer']);
    expect(JSON.stringify(app.log)).toContain('invalid_request: claims is not supported');
  });

  it.each([
    ['all is known', {}, true, { roles: [], groups: [] }],
    ['userinfo does not answer', {}, false, null],
    [
      'userinfo does not answer, and the token lists them',
      { groups: ['a'] },
      false,
      { roles: [], groups: ['a'] },
    ],
    ['the token refers elsewhere', { _claim_names: { groups: 'src1' } }, true, null],
    [
      'the token refers elsewhere, and userinfo lists them',
      { _claim_names: { groups: 'src1' }, groups: ['a'] },
      true,
      { roles: [], groups: ['a'] },
    ],
    [
      'others are elsewhere',
      { _claim_names: { addresses: 'src1' }, groups: ['a'] },
      true,
      { roles: [], groups: ['a'] },
    ],
  ])('SES-4: roles and groups are taken for what they are where %s', (_what, claims, complete, expected) => {
    const read = createReadClaims({
      name: null,
      email: [['email']],
      roles: [['roles']],
      groups: [['groups']],
    });
    expect(read(claims, complete).groups).toEqual(expected);
  });

  const now = Math.floor(Date.now() / 1000);
  const forgeries: [string, ForgedToken, string][] = [
    ['signed with nothing', { signedWith: 'nothing' }, 'id-token-algorithm'],
    ['signed with the client secret', { signedWith: 'the client secret' }, 'id-token-algorithm'],
    ['signed with another key under the same id', { signedWith: 'another key' }, 'id-token-signature'],
    [
      'signed with a key that is not published',
      { header: { kid: 'mine' }, signedWith: 'another key' },
      'id-token-key',
    ],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'id-token-issuer'],
    ['for another client', { claims: { aud: 'another' } }, 'id-token-audience'],
    [
      'for several, meant for another',
      { claims: { aud: ['portico', 'another'], azp: 'another' } },
      'id-token-audience',
    ],
    ['of another sign-in', { claims: { nonce: 'another' } }, 'id-token-nonce'],
    ['without a nonce', { claims: { nonce: null } }, 'id-token-nonce'],
    ['that has expired', { claims: { exp: now - 60 } }, 'id-token-expired'],
    ['that never expires', { claims: { exp: null } }, 'id-token-malformed'],
    ['of the future', { claims: { nbf: now + 3_600 } }, 'id-token-not-yet'],
    ['without a subject', { claims: { sub: null } }, 'id-token-malformed'],
    ['with a subject that is none', { claims: { sub: 'a\u0000b' } }, 'id-token-subject'],
    ['that is far too long', { claims: { filler: 'x'.repeat(150_000) } }, 'id-token-too-large'],
    ['that fills the answer', { claims: { filler: 'x'.repeat(1_500_000) } }, 'provider-answer'],
  ];

  it('SES-4: an ID token that is forged, expired, unsigned, oversized or for others signs no one in, with a reason in the log', async () => {
    const { app, provider } = await installation({ engine: 'sqlite' });
    for (const [what, forge, reason] of forgeries) {
      await provider.set({ forge });
      const before = app.log.length;
      const browser = openOutsideBrowser(app, provider);
      const end = await browser.signInAs('kc-7', '/auth/login?returnTo=/flags');
      const reasons = app.log
        .slice(before)
        .flatMap((line) => (line['reason'] === undefined ? [] : [line['reason']]));
      expect([what, end, reasons]).toEqual([what, '/auth/failed?reason=refused&returnTo=%2Fflags', [reason]]);
      expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
    }
    expect(await people(app)).toEqual([]);
    await provider.set({ forge: null });
    expect(await openOutsideBrowser(app, provider).signInAs('kc-7')).toBe('/');
    expect(JSON.stringify(app.log)).not.toMatch(/eyJ[\w-]{20}/);
  });

  it('SES-4: new signing keys go unnoticed, and so do clocks that are ten seconds apart; an hour is reported', async () => {
    const { app, provider } = await installation({ engine: 'sqlite' });
    const tryIt = () => openOutsideBrowser(app, provider).signInAs('kc-7');
    expect(await tryIt()).toBe('/');
    await provider.rotateKeys();
    expect(await tryIt()).toBe('/');
    for (const skewMs of [-8_000, 8_000]) {
      await provider.set({ skewMs });
      expect([skewMs, await tryIt()]).toEqual([skewMs, '/']);
    }
    await provider.set({ skewMs: -7_200_000 });
    expect(await tryIt()).toBe('/auth/failed?reason=refused');
    expect(reasonsIn(app).at(-1)).toBe('id-token-expired');
  });

  it('SES-4: while it is down or slow the start works, the sign-in reports it, people who are signed in go on, and can sign out', async () => {
    const { app, provider, browser } = await installation({ engine: 'sqlite' });
    await provider.goDown();
    const unreachable = '/auth/failed?reason=unreachable&returnTo=%2Fflags';
    const login = '/auth/login?returnTo=/flags';
    expect(await openOutsideBrowser(app, provider).signInAs('kc-7', login)).toBe(unreachable);
    await provider.comeUp();
    expect(await browser.signInAs('kc-7', login)).toBe('/flags');

    // Away between the way there and the way back.
    const late = createCookieJar();
    const begun = await fetchWith(late, new URL(login, app.url));
    await provider.set({ silent: true });
    const goOn = waitsBriefly();
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    const iss = encodeURIComponent(provider.issuer);
    const back = new URL(`/auth/callback?code=x&state=${state}&iss=${iss}`, app.url);
    expect((await fetchWith(late, back)).headers.get('location')).toBe(unreachable);
    goOn();
    expect(reasonsIn(app)).toEqual(['provider-unreachable', 'provider-unreachable']);

    await provider.goDown();
    expect((await browser.renew()).status).toBe(200);
    const { next } = (await app.call(signOut, {}, { cookies: browser.cookies })).body;
    const end = new URL(next);
    expect(`${end.origin}${end.pathname}`).toBe(`${provider.issuer}/session/end`);
    expect(end.searchParams.get('client_id')).toBe('portico');
    expect(end.searchParams.get('post_logout_redirect_uri')).toBe(app.url);
    expect(end.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  it('SES-4: while it is down or hangs, a browser is not sent there, although its addresses are known; a try later works', async () => {
    const clock = movableClock();
    const { app, provider, browser } = await installation({ engine: 'sqlite', clock });
    const login = '/auth/login?returnTo=/flags';
    expect(await browser.signInAs('kc-7', login)).toBe('/flags');
    const unreachable = '/auth/failed?reason=unreachable&returnTo=%2Fflags';
    for (const [away, back] of [
      [() => provider.goDown(), () => provider.comeUp()],
      [() => provider.set({ silent: true }), () => provider.set({ silent: false })],
    ] as const) {
      await away();
      const goOn = waitsBriefly();
      clock.move(minutes(1));
      expect(await openOutsideBrowser(app, provider).signInAs('kc-7', login)).toBe(unreachable);
      // The browser that is signed in notices nothing.
      expect((await browser.renew()).status).toBe(200);
      goOn();
      await back();
      expect(await openOutsideBrowser(app, provider).signInAs('kc-7', login)).toBe('/flags');
    }
    expect(reasonsIn(app)).toEqual(['provider-unreachable', 'provider-unreachable']);
  });

  it('START-6: OPERATOR_EMAIL at a provider that has not verified the address is explained, until there is an operator', async () => {
    const operatorEmail = 'mia@example.org';
    const accounts = {
      unsaid: { claims: { email: operatorEmail } },
      doubted: { claims: { email: operatorEmail, email_verified: false } },
      ada: { claims: { email: 'ada@example.org' } },
    };
    const { app, provider, browser } = await installation({ engine: 'sqlite' }, accounts, { operatorEmail });
    const warnings = () => app.log.filter(({ reason }) => reason === 'operator-unverified');
    for (const [index, subject] of ['unsaid', 'doubted'].entries()) {
      const theirs = openOutsideBrowser(app, provider);
      expect(await theirs.signInAs(subject)).toBe('/auth/failed?reason=not-operator');
      expect((await theirs.renew()).status).toBe(200);
      expect(warnings()).toHaveLength(index + 1);
    }
    expect(warnings()[0]?.msg).toMatch(/email_verified.*set-up link/);
    expect(await openOutsideBrowser(app, provider).signInAs('ada')).toBe('/');

    // The set-up link makes an operator, whatever the claims about the address; then OPERATOR_EMAIL does not
    // matter any more.
    const token = new URL(app.setUpOffer()?.link ?? '').hash.slice(1);
    const { next } = (await app.call(beginSetUp, { body: { token } }, { cookies: browser.cookies })).body;
    expect(await browser.signInAs('unsaid', next)).toBe('/console');
    expect(await openOutsideBrowser(app, provider).signInAs('doubted')).toBe('/');
    expect(warnings()).toHaveLength(2);
  });

  it('SES-7: what goes to the provider through the browser at a sign-out is the ID token, or nothing about the person', async () => {
    const leave = async (settings: Partial<OutsideProviderSettings>) => {
      const { app, browser } = await installation({ engine: 'sqlite' }, undefined, settings);
      await browser.signInAs('kc-7');
      const { next } = (await app.call(signOut, {}, { cookies: browser.cookies })).body;
      return { query: Object.fromEntries(new URL(next).searchParams), publicUrl: app.config.publicUrl };
    };
    const leaving = await leave({});
    expect(decodeJwt(leaving.query['id_token_hint'] ?? '')).toMatchObject({
      sub: 'kc-7',
      email: 'mia@example.org',
    });
    const untold = await leave({ signOutHint: 'none' });
    expect(untold.query).toEqual({ client_id: 'portico', post_logout_redirect_uri: untold.publicUrl });
  });

  it('SES-7: a provider that does not answer, is down, or takes nothing back delays no sign-out', async () => {
    const { app, provider, browser } = await installation({ engine: 'sqlite' }, undefined, {
      timeoutMs: 600_000,
    });
    const leave = async ({ cookies }: OutsideBrowser) => (await app.call(signOut, {}, { cookies })).status;
    const warnings = () => app.log.filter(({ msg }) => msg.includes('did not revoke a refresh token'));

    await browser.signInAs('kc-7');
    // For as long as the switch stands no answer comes, so that a sign-out that waited for one would not get
    // here.
    await provider.set({ silent: true });
    expect(await leave(browser)).toBe(200);
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
    expect(await provider.refreshTokensLeft()).toBe(1);
    await provider.set({ silent: false });
    await expect.poll(() => provider.refreshTokensLeft()).toBe(0);
    expect(warnings()).toEqual([]);

    await browser.signInAs('kc-7');
    await provider.goDown();
    expect(await leave(browser)).toBe(200);
    await expect.poll(() => warnings().length).toBe(1);

    const another = await installation({ engine: 'sqlite' });
    await another.provider.set({ revocation: false });
    await another.browser.signInAs('kc-7');
    await another.app.call(signOut, {}, { cookies: another.browser.cookies });
    expect(await another.provider.refreshTokensLeft()).toBe(1);
    expect(another.app.log.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('SES-4: a check while it is down changes nothing, and is made up for', async () => {
    const clock = movableClock();
    const { app, provider, browser } = await installation({ engine: 'sqlite', clock });
    await browser.signInAs('kc-7');
    await provider.goDown();
    clock.move(minutes(12));
    await browser.renew();
    await app.checkSessions();
    const stored = await app.database.read
      .selectFrom('provider_session')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ failures: 1, unsure_since: null, claimed_until: null });
    await provider.comeUp();
    await provider.set({ accounts: { 'kc-7': { ...mia, disabled: true } } });
    clock.move(minutes(2));
    await browser.renew();
    await app.checkSessions();
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  it('SES-7: a logout token that is not the provider’s, stale, or an ID token ends nothing', async () => {
    const { app, provider, browser } = await installation({ engine: 'sqlite' });
    await browser.signInAs('kc-7');
    const iat = Math.floor(Date.now() / 1000);
    const good = {
      iss: provider.issuer,
      aud: 'portico',
      sub: 'kc-7',
      iat,
      exp: iat + 60,
      jti: 'good',
      events: { [logoutEvent]: {} },
    };
    const bad: [string, ForgedToken][] = [
      ['nothing', { signedWith: 'nothing' }],
      ['the client secret', { signedWith: 'the client secret' }],
      ['another key', { signedWith: 'another key' }],
      ['issuer', { claims: { iss: 'https://evil.example' } }],
      ['audience', { claims: { aud: 'another' } }],
      ['expired', { claims: { exp: iat - 60 } }],
      ['stale', { claims: { iat: iat - 600 } }],
      ['of the future', { claims: { iat: iat + 600 } }],
      ['no time', { claims: { iat: null } }],
      ['no id', { claims: { jti: null } }],
      ['no event', { claims: { events: null } }],
      ['another event', { claims: { events: { 'http://example.org/event': {} } } }],
      ['a nonce', { claims: { nonce: 'n' } }],
      ['nobody', { claims: { sub: null } }],
      ['too long', { claims: { filler: 'x'.repeat(80_000) } }],
    ];
    const answers: [string, number][] = [];
    for (const [what, forged] of bad) {
      const token = await provider.sign({ ...forged, claims: { ...good, ...forged.claims } });
      answers.push([what, (await logOut(app, `logout_token=${token}`)).status]);
    }
    expect(answers).toEqual(bad.map(([what]) => [what, 400]));
    for (const body of ['', 'logout_token=', 'logout_token=nonsense', 'a=b', `x=${'y'.repeat(1_000)}`])
      expect((await logOut(app, body)).status).toBe(400);
    expect((await logOut(app, `logout_token=${'x'.repeat(200_000)}`)).status).toBe(413);
    const json = await fetch(`${app.url}/auth/backchannel-logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"logout_token":"x"}',
    });
    expect(json.status).toBe(400);
    expect((await browser.renew()).status).toBe(200);
    // The same token with the event is accepted: nothing else was missing.
    const token = await provider.sign({ claims: good });
    expect((await logOut(app, `logout_token=${token}`)).status).toBe(200);
    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
  });

  it('SES-4: nothing of the embedded provider answers as well', async () => {
    const { app } = await installation({ engine: 'sqlite' });
    for (const path of [
      '/idp/auth',
      '/idp/jwks',
      '/idp/.well-known/openid-configuration',
      '/idp/sign-in/x',
      '/invitation',
    ])
      expect([path, (await fetch(new URL(path, app.url))).status]).toEqual([path, 404]);
  });
});
