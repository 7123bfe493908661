import { expect, it } from 'vitest';
import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { listAudit } from '#features/audit/contract/audit.ts';
import { listOwnChanges } from '#features/home/contract/home.ts';
import { addFactor, beginFactor } from '#features/identity-provider/contract/factors.ts';
import {
  acceptInvitation,
  changePassword,
  readInvitation,
} from '#features/identity-provider/contract/identity-provider.ts';
import { getPerson, setRoles } from '#features/people/contract/people.ts';
import { listSessions } from '#features/session/contract/sessions.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const password = 'wobbly-kettle-9-harbour';
const tokenOf = (link: string) => new URL(link).hash.slice(1);

async function start() {
  const clock = movableClock(Date.now());
  const post = await startMailServer();
  const app = await startApp({ engine: 'sqlite', clock, config: { mail: post.settings } });
  return { clock, post, app };
}

/** Signs in with the password in another browser. */
async function signInElsewhere(app: TestApp, { email, ...known }: Pick<SignedIn, 'email' | 'password'>) {
  const browser = openBrowser(app.url);
  await browser.signIn({ email, password: known.password });
  const { accessToken } = (await browser.renew()).body;
  return { browser, accessToken };
}

const changesOf = async (app: TestApp, accessToken: string) =>
  (await app.call(listOwnChanges, {}, { accessToken })).body.map(({ kind, byCaller, network }) => ({
    kind,
    byCaller,
    network,
  }));

async function addPasskey(person: SignedIn, app: TestApp): Promise<void> {
  const { passkey } = (await person.call(beginFactor, { body: { kind: 'passkey' } })).body;
  const answer = createAuthenticator(app.url).create(passkey as Record<string, unknown>);
  const body = { passkey: { name: 'A key', answer }, code: null };
  expect((await person.call(addFactor, { body })).status).toBe(200);
}

it('SES-14: a sign-in with a browser that is not known is told by mail, once, and under Security', async () => {
  const { app, clock, post } = await start();
  const mia = await signIn(app);
  clock.move(2 * 60 * minute);
  const [first, again] = [await signInElsewhere(app, mia), mia.browser];
  const mail = await post.arrived(1);
  expect(mail).toMatchObject({ to: [mia.email], subject: 'What happened with your account at Portico' });
  expect(mail.text).toContain('You signed in with a browser that was not known yet.');
  expect(mail.text).toContain('127.0.0.0/24');
  const known = [{ kind: 'new-browser', byCaller: true, network: '127.0.0.0/24' }];
  expect(await changesOf(app, first.accessToken)).toEqual(known);
  // Both browsers are known from now on, also after the password was changed.
  const changed = await app.call(
    changePassword,
    { body: { currentPassword: mia.password, newPassword: password } },
    { accessToken: first.accessToken, cookies: first.browser.cookies },
  );
  expect(changed.status).toBe(204);
  for (const browser of [first.browser, again]) await browser.signIn({ email: mia.email, password });
  const { accessToken } = (await again.renew()).body;
  expect((await changesOf(app, accessToken)).map(({ kind }) => kind)).toEqual(['password', 'new-browser']);
});

it('SES-14: wrong passwords are one entry of a series, one more when they are slowed down, and none for an unknown address', async () => {
  const { app, clock, post } = await start();
  const mia = await signIn(app);
  const operator = await signIn(app, { roles: ['operator'] });
  const browser = openBrowser(app.url);
  const guess = async (email: string) => {
    await browser.submit((await browser.go('/auth/login')).path, { email, password: 'guess after guess' });
    clock.move(15 * minute);
  };
  for (let count = 0; count < 17; count += 1) await guess(mia.email);
  for (let count = 0; count < 17; count += 1) await guess('nobody@example.org');
  const stranger = { byCaller: false, network: '127.0.0.0/24' };
  await mia.browser.signIn(mia);
  const { accessToken } = (await mia.browser.renew()).body;
  await expect
    .poll(() => changesOf(app, accessToken))
    .toEqual([
      { kind: 'sign-in-slowed', ...stranger },
      { kind: 'sign-in-failed', ...stranger },
    ]);
  const accessKey = await addToken(app, { rights: ['AUDIT_READ'], createdBy: operator.id, clock });
  const { entries } = (await app.call(listAudit, { query: {} }, { accessToken: accessKey })).body;
  const failed = entries.filter(({ action }) => action.startsWith('person.sign-in'));
  expect(failed.map(({ action, subject, actor }) => [action, subject.id, actor.id])).toEqual([
    ['person.sign-in-slowed', mia.id, null],
    ['person.sign-in-failed', mia.id, null],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/guess after|nobody@/);
  expect(post.received).toEqual([]);
});

it('SES-14: a wrong password is an entry also where its sender does not wait for the answer', async () => {
  const { app } = await start();
  const mia = await signIn(app);
  const browser = openBrowser(app.url);
  const { path } = await browser.go('/auth/login');
  app.fastify.server.prependOnceListener('request', (request, response) =>
    request.once('end', () => response.destroy()),
  );
  await expect(browser.submit(path, { ...mia, password: 'a wrong password' })).rejects.toThrow(
    'fetch failed',
  );
  const { accessToken } = (await mia.browser.renew()).body;
  await expect
    .poll(() => changesOf(app, accessToken))
    .toEqual([{ kind: 'sign-in-failed', byCaller: false, network: '127.0.0.0/24' }]);
});

it('SES-14: "This was not me" ends what a thief of a session has, keeps what was there, and serves once', async () => {
  const { app, clock, post } = await start();
  const owner = await signIn(app, { roles: ['operator'] });
  await addPasskey(owner, app);
  await post.arrived(1);
  const waiting = () => app.database.read.selectFrom('mail').select('id').execute();
  await expect.poll(waiting).toEqual([]);
  clock.move(6 * minute);
  const { cookies } = owner.browser;
  const { accessToken } = (await owner.browser.renew()).body;
  const call: SignedIn['call'] = (route, given) => app.call(route, given, { accessToken, cookies });
  const mia = { ...owner, call };
  await addPasskey(mia, app);
  const token = tokenOf((await post.arrived(2)).link);
  const expiresAt = clock.now() + day;
  const made = await mia.call(createApiToken, { body: { name: 'Mine', rights: ['PEOPLE_READ'], expiresAt } });
  const stolen = 'the thief sets a new one';
  const body = { currentPassword: mia.password, newPassword: stolen };
  expect((await mia.call(changePassword, { body })).status).toBe(204);

  // A mail filter that follows the link changes nothing.
  expect((await fetch(`${app.url}/invitation`)).status).toBe(200);
  expect((await app.call(readInvitation, { body: { token } })).body).toMatchObject({ denies: true });
  expect((await mia.call(listSessions, {})).status).toBe(200);

  const denied = { body: { token, password } };
  const answers = await Promise.all([app.call(acceptInvitation, denied), app.call(acceptInvitation, denied)]);
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 410]));
  expect((await mia.call(listSessions, {})).status).toBe(401);
  const withToken = { accessToken: made.body.secret };
  expect((await app.call(getPerson, { params: { personId: mia.id } }, withToken)).status).toBe(401);
  expect((await app.call(readInvitation, { body: { token } })).problem?.code).toBe('LINK_INVALID');
  const passkeys = await app.database.read.selectFrom('passkey').select('created_at').execute();
  expect(passkeys.map(({ created_at: at }) => at < clock.now() - minute)).toEqual([true]);
  const { problem } = await openBrowser(app.url).signIn({ email: mia.email, password: stolen });
  expect(problem?.code).toBe('UNAUTHENTICATED');
});

it('SES-14: a link that denies something ends after seven days', async () => {
  const { app, clock, post } = await start();
  const mia = await signIn(app);
  await addPasskey(mia, app);
  const token = tokenOf((await post.arrived(1)).link);
  clock.move(7 * day - minute);
  expect((await app.call(readInvitation, { body: { token } })).status).toBe(200);
  clock.move(2 * minute);
  expect((await app.call(readInvitation, { body: { token } })).status).toBe(410);
});

it('SES-14: roles that an operator changes are told to the person, not to the operator', async () => {
  const { app, post } = await start();
  const mia = await signIn(app);
  const operator = await signIn(app, { roles: ['operator'] });
  const give = async (personId: string, roles: string[]) => {
    const { version } = (await operator.call(getPerson, { params: { personId } })).body;
    const answer = await operator.call(setRoles, { params: { personId }, body: { roles, version } });
    expect(answer.status).toBe(200);
  };
  await give(operator.id, ['operator', 'support']);
  await give(mia.id, ['support']);
  const mail = await post.arrived(1);
  expect(mail.to).toEqual([mia.email]);
  expect(mail.text).toContain('An operator changed your roles.');
  expect(mail.text).not.toContain(operator.email);
});
