import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { describe, expect, it } from 'vitest';
import {
  acceptInvitation,
  changePassword,
  readInvitation,
} from '#features/identity-provider/contract/identity-provider.ts';
import { invitePerson, listPeople } from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { createAccounts } from './accounts.ts';

const ivy = { email: 'ivy@example.org', firstName: 'Ivy', lastName: 'Invited' };
const accepted = { firstName: 'Ivy', lastName: 'Inside', password: 'wobbly-kettle-9-harbour' };
const day = 24 * 3_600_000;

async function invite(app: TestApp) {
  const accessToken = await addToken(app, { rights: builtInRoles.operator, lifetimeMs: 30 * day });
  const { person, invitation } = (
    await app.call(invitePerson, { body: { ...ivy, roles: ['member'] } }, { accessToken })
  ).body;
  return { accessToken, person, invitation, token: tokenOf(invitation?.link ?? '') };
}

function tokenOf(link: string): string {
  return new URL(link).hash.slice(1);
}

/** A link that sets another password, as the command line makes it. */
async function resetLink(app: TestApp, email: string): Promise<string> {
  const accounts = createAccounts({ database: app.database, clock: { now: () => 0 }, publicUrl: app.url });
  const account = await accounts.byEmail(app.database.read, email);
  return (await app.database.change((change) => accounts.renewLink(change, account?.id ?? ''))).link;
}

describe.each(engines)('links that set a password on %s', (engine) => {
  const once = provedOn(engine);
  it('SES-3: an invitation greets, sets the password once, and the person is in', async () => {
    const app = await startApp({ engine });
    const { person, invitation, token } = await invite(app);
    expect(invitation?.link).toBe(`${app.url}/invitation#${token}`);
    expect((await app.call(readInvitation, { body: { token } })).body).toEqual({
      ...ivy,
      hasPassword: false,
      denies: false,
    });

    expect((await app.call(acceptInvitation, { body: { token, ...accepted } })).body).toEqual({
      next: '/auth/login',
    });

    expect((await app.call(readInvitation, { body: { token } })).problem?.code).toBe('LINK_INVALID');
    expect((await app.call(acceptInvitation, { body: { token, ...accepted } })).problem?.code).toBe(
      'LINK_INVALID',
    );
    const browser = openBrowser(app.url);
    expect((await browser.signIn({ email: ivy.email, password: accepted.password })).path).toBe('/');
    const { accessToken } = (await browser.renew()).body;
    const { body } = await app.call(getProfile, { params: { userId: 'current' } }, { accessToken });
    expect(body).toMatchObject({ id: person.id, firstName: 'Ivy', lastName: 'Inside' });
  });

  it.each(once)('SES-3: an address in any script is one address, however it is written', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: builtInRoles.operator });
    const invited = (email: string) =>
      app.call(invitePerson, { body: { ...ivy, email, roles: ['member'] } }, { accessToken });
    const first = await invited('Zoë@Bücher.example');
    const stored = 'zoë@xn--bcher-kva.example';
    expect([first.status, first.body.person.email]).toEqual([201, stored]);
    const others = ['ZOE\u0308@BÜCHER.EXAMPLE', 'zoë@xn--bcher-kva.example', '"zoë"@bu\u0308cher.example'];
    for (const email of others)
      expect([email, (await invited(email)).problem?.errors?.[0]?.code]).toEqual([email, 'taken']);
    // A person of their own: the sign for kelvin is no k.
    expect((await invited('\u212aate@example.org')).status).toBe(422);
    const token = tokenOf(first.body.invitation?.link ?? '');
    await app.call(acceptInvitation, { body: { token, ...accepted } });
    for (const email of [stored, ...others]) {
      const browser = openBrowser(app.url);
      expect([email, (await browser.signIn({ email, password: accepted.password })).path]).toEqual([
        email,
        '/',
      ]);
    }
    const { people } = (await app.call(listPeople, { query: { search: 'ZOË@Bücher.ex' } }, { accessToken }))
      .body;
    expect(people.map(({ email }) => email)).toEqual([stored]);
  });

  it('SES-3: of two who use a link at once one gets in', async () => {
    const app = await startApp({ engine });
    const { token } = await invite(app);
    const answers = await Promise.all(
      ['wobbly-kettle-9-harbour', 'cactus under the fjord'].map((password) =>
        app.call(acceptInvitation, { body: { token, ...accepted, password } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
  });

  it.each(once)('SES-3: a reset sets a password, ends every session and forgets the guesses', async () => {
    const app = await startApp({ engine });
    const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };
    await addPerson(app, mia);
    const browser = openBrowser(app.url);
    await browser.signIn(mia);
    const { accessToken } = (await browser.renew()).body;
    const locked = openBrowser(app.url);
    const { path } = await locked.go('/auth/login');
    for (let guess = 0; guess < 6; guess += 1) await locked.submit(path, { ...mia, password: 'wrong' });
    expect((await locked.submit(path, mia)).status).toBe(429);

    const token = tokenOf(await resetLink(app, mia.email));
    // Until it is used the old password goes on working.
    expect((await browser.renew()).status).toBe(200);
    const password = 'cactus under the fjord';
    expect((await app.call(readInvitation, { body: { token } })).body).toMatchObject({ hasPassword: true });
    expect((await app.call(acceptInvitation, { body: { token, password } })).status).toBe(200);

    expect((await browser.renew()).problem?.code).toBe('SESSION_ENDED');
    const profile = await app.call(getProfile, { params: { userId: 'current' } }, { accessToken });
    expect(profile.problem?.code).toBe('SESSION_ENDED');
    // Nor does the provider remember a sign-in.
    expect((await browser.go('/auth/login')).path).toMatch(/^\/idp\/sign-in\//);
    expect((await locked.submit(path, mia)).problem?.code).toBe('UNAUTHENTICATED');
    expect((await locked.submit(path, { ...mia, password })).status).toBe(200);
  });

  it.each(once)('SES-3: a person changes their own password, which ends their other sessions', async () => {
    const app = await startApp({ engine });
    const mia = { email: 'mia@example.org', password: 'wobbly-kettle-9-harbour' };
    await addPerson(app, mia);
    const [here, elsewhere] = [openBrowser(app.url), openBrowser(app.url)];
    await here.signIn(mia);
    await elsewhere.signIn(mia);
    const { accessToken } = (await here.renew()).body;
    const change = (currentPassword: string, newPassword: string) =>
      app.call(changePassword, { body: { currentPassword, newPassword } }, { accessToken });

    const wrong = await change('not the password', 'cactus under the fjord');
    expect(wrong.problem).toMatchObject({
      code: 'INVALID_BODY',
      errors: [{ pointer: '/currentPassword', code: 'wrong' }],
    });
    const common = await change(mia.password, 'password12345');
    expect(common.problem).toMatchObject({
      code: 'INVALID_BODY',
      errors: [{ pointer: '/newPassword', code: 'common' }],
    });
    expect((await change(mia.password, 'cactus under the fjord')).status).toBe(204);

    expect((await here.renew()).status).toBe(200);
    expect((await elsewhere.renew()).problem?.code).toBe('SESSION_ENDED');
    expect((await openBrowser(app.url).signIn(mia)).problem?.code).toBe('UNAUTHENTICATED');
    expect((await openBrowser(app.url).signIn({ ...mia, password: 'cactus under the fjord' })).path).toBe(
      '/',
    );
    const audit = await app.database.read
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'password.change')
      .execute();
    expect(audit).toHaveLength(1);
    expect(JSON.stringify(audit)).not.toContain('cactus');
  });
});

describe('accounts', () => {
  it('SES-3: a person who signs in elsewhere, or a script, has no password to change', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const accessToken = await addToken(app, { rights: ['PEOPLE_READ'] });
    const body = { currentPassword: 'x', newPassword: 'cactus under the fjord' };
    expect((await app.call(changePassword, { body }, { accessToken })).problem?.code).toBe('NOT_FOUND');
  });
});
