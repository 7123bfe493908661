import { describe, expect, it } from 'vitest';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import {
  acceptInvitation,
  readInvitation,
  requestRegistration,
} from '#features/identity-provider/contract/identity-provider.ts';
import { getSignInPolicy, setSignInPolicy } from '#features/identity-provider/contract/sign-in-policy.ts';
import { listAudit } from '#features/audit/contract/audit.ts';
import { getPerson, invitePerson, listPeople, setBlocked } from '#features/people/contract/people.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { engines, oneEngine, provedOn } from '#server/testing/fresh-database.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { registrationsOfNetwork } from './attempt-wait.ts';

const password = 'wobbly-kettle-9-harbour';
const names = { firstName: 'Rita', lastName: 'Registered' };
const rita = 'rita@acme.com';
const hour = 3_600_000;
const tokenOf = (link: string) => new URL(link).hash.slice(1);

/** An installation where addresses of acme.com register. */
async function installation(engine: 'sqlite' | 'postgres', domains = ['acme.com']) {
  const clock = movableClock();
  const post = await startMailServer();
  const app = await startApp({ engine, clock, config: { mail: post.settings, trustProxy: 1 } });
  const accessToken = await addToken(app, { rights: builtInRoles.operator, lifetimeMs: 24 * hour });
  const policy = async (registrationDomains: string[]) => {
    const { body } = await app.call(getSignInPolicy, {}, { accessToken });
    return app.call(setSignInPolicy, { body: { ...body, registrationDomains } }, { accessToken });
  };
  expect((await policy(domains)).body.registrationDomains).toEqual(domains);
  const read = app.database.read;
  let asked = 0;
  const ask = (body: { email: string; returnTo?: string }, from = `192.0.2.${(asked += 1)}`) =>
    app.call(requestRegistration, { body }, { headers: { 'x-forwarded-for': from } });
  const settled = () => expect.poll(() => read.selectFrom('mail').select('id').execute()).toEqual([]);
  /** The link in the mail to an address. */
  async function linkFor(email: string): Promise<string> {
    const before = post.received.length;
    expect((await ask({ email })).status).toBe(204);
    const mail = await post.arrived(before + 1);
    await settled();
    return mail.link;
  }
  const emails = async () =>
    (await read.selectFrom('person').select('email').execute()).map(({ email }) => email);
  const links = () =>
    read.selectFrom('one_time_link').select(['email', 'token_hash']).where('email', 'is not', null).execute();
  return { app, accessToken, clock, post, policy, ask, settled, linkFor, emails, links };
}

function accept(app: TestApp, link: string, own = password) {
  return app.call(acceptInvitation, { body: { token: tokenOf(link), ...names, password: own } });
}

describe.each(engines)('registration on %s', (engine) => {
  const once = provedOn(engine);

  it('SES-16: an address of a named domain registers by the link in its mail, and is a member', async () => {
    const { app, accessToken, post, ask, settled, emails, links } = await installation(engine);
    expect((await ask({ email: ' Rita@ACME.com', returnTo: '/map?layer=2' })).status).toBe(204);
    const { to, text, link } = await post.arrived(1);
    await settled();
    expect([to, text]).toEqual([[rita], expect.stringContaining(`an account for ${rita}`)]);
    expect(link).toContain(`${app.url}/invitation?return_to=%2Fmap%3Flayer%3D2#`);
    // A filter that opens the link changes nothing, and until it is used there is no one.
    expect((await fetch(link)).status).toBe(200);
    expect((await app.call(readInvitation, { body: { token: tokenOf(link) } })).body).toEqual({
      email: rita,
      firstName: '',
      lastName: '',
      hasPassword: false,
      denies: false,
    });
    expect(await emails()).toEqual([]);
    expect(JSON.stringify(await links())).not.toContain(tokenOf(link));
    expect((await accept(app, link, 'rita12345678')).problem?.errors?.[0]?.code).toBe('common');

    expect((await accept(app, link)).status).toBe(200);
    expect((await openBrowser(app.url).signIn({ email: rita, password })).path).toBe('/');
    const { people } = (await app.call(listPeople, {}, { accessToken })).body;
    expect(people).toMatchObject([{ email: rita, ...names, state: 'active', roles: ['member'] }]);
    const { entries } = (await app.call(listAudit, {}, { accessToken })).body;
    expect(entries.find(({ action }) => action === 'person.register')).toMatchObject({
      actor: { id: people[0]?.id, name: rita },
      subject: { id: people[0]?.id },
      after: { email: rita, ...names, roles: ['member'] },
    });
    // Once.
    expect((await accept(app, link)).problem?.code).toBe('LINK_INVALID');
  });

  it('SES-16: of several uses at once, also of two links of an address, one registers it', async () => {
    const { app, clock, linkFor, emails, links } = await installation(engine);
    const first = await linkFor(rita);
    clock.move(60_000);
    const second = await linkFor(rita);
    const answers = await Promise.all([first, first, second].map((link) => accept(app, link)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410]);
    expect([await emails(), await links()]).toEqual([[rita], []]);
  });

  it('SES-16: a link ends after an hour, with registration, and with its domain, for good', async () => {
    const { app, clock, policy, linkFor, emails } = await installation(engine, ['acme.com', 'beta.com']);
    const ends = async (link: string) => [
      (await app.call(readInvitation, { body: { token: tokenOf(link) } })).problem?.code,
      (await accept(app, link)).problem?.code,
    ];
    const late = await linkFor(rita);
    clock.move(hour + 1_000);
    expect(await ends(late)).toEqual(['LINK_INVALID', 'LINK_INVALID']);
    await app.sweep();
    const removed = await linkFor(rita);
    const other = await linkFor('ben@beta.com');
    await policy(['beta.com']);
    expect(await ends(removed)).toEqual(['LINK_INVALID', 'LINK_INVALID']);
    await policy(['acme.com', 'beta.com']);
    expect(await ends(removed)).toEqual(['LINK_INVALID', 'LINK_INVALID']);
    expect((await app.call(readInvitation, { body: { token: tokenOf(other) } })).status).toBe(200);
    await policy([]);
    expect(await ends(other)).toEqual(['LINK_INVALID', 'LINK_INVALID']);
    expect(await emails()).toEqual([]);
  });

  it.each(once)('SES-16: the answer is the same for every address, and slowed down alike', async () => {
    const { app, accessToken, post, ask, settled, emails } = await installation(engine);
    const known = await signIn(app, { email: 'kim@acme.com', roles: ['member'] });
    const blocked = await signIn(app, { email: 'bo@acme.com' });
    const params = { personId: blocked.id };
    const { version } = (await app.call(getPerson, { params }, { accessToken })).body;
    await app.call(setBlocked, { params, body: { blocked: true, version } }, { accessToken });
    const answers = [];
    const everyone = [rita, known.email, blocked.email, 'eve@evil.com'];
    for (const email of [...everyone, ...everyone]) {
      const { status, text, problem, headers } = await ask({ email }, '192.0.2.1');
      const names = [...headers.keys()].filter((name) => name !== 'x-request-id').toSorted();
      answers.push([status, problem === null ? text : problem.code, names, headers.get('retry-after')]);
    }
    expect(answers[0]?.slice(0, 2)).toEqual([204, '']);
    expect(answers[4]?.[1]).toBe('TOO_MANY_REQUESTS');
    for (const [at, answer] of answers.entries()) expect(answer).toEqual(answers[at < 4 ? 0 : 4]);

    // Only the new one and the known one get mail; the known one's account stays as it is.
    await settled();
    expect(post.received.flatMap(({ to }) => to).toSorted()).toEqual([known.email, rita]);
    const mail = post.received.find(({ to }) => to[0] === known.email);
    expect(mail?.text).toContain('There is one already');
    expect((await openBrowser(app.url).signIn(known)).path).toBe('/');
    const before = await emails();
    const reset = { token: tokenOf(mail?.link ?? ''), password };
    expect((await app.call(acceptInvitation, { body: reset })).status).toBe(200);
    expect((await openBrowser(app.url).signIn({ ...known, password })).path).toBe('/');
    expect(await emails()).toEqual(before);
  });

  it.each(once)('SES-16: who is invited before using the link is not made twice', async () => {
    const { app, accessToken, linkFor, emails } = await installation(engine);
    const link = await linkFor(rita);
    const body = { email: rita, ...names, roles: ['support' as const] };
    expect((await app.call(invitePerson, { body }, { accessToken })).status).toBe(201);
    expect((await accept(app, link)).problem?.code).toBe('LINK_INVALID');
    expect(await emails()).toEqual([rita]);
  });
});

describe.each(oneEngine)('registration on %s', (engine) => {
  it('SES-16: a domain is that of the address, exactly', async () => {
    const { ask, post, settled, links } = await installation(engine, ['acme.com', 'xn--bcher-kva.example']);
    const foreign = ['x@notacme.com', 'x@acme.com.evil.com', 'x@mail.acme.com', '"x@acme.com"@evil.com'];
    for (const email of foreign) expect([email, (await ask({ email })).status]).toEqual([email, 204]);
    const own = ['Rita@ACME.COM', 'rita+2@acme.com', '"rita.3"@acme.com', 'zoë@Bücher.example'];
    for (const email of own) expect([email, (await ask({ email })).status]).toEqual([email, 204]);
    await settled();
    const stored = [rita, 'rita+2@acme.com', 'rita.3@acme.com', 'zoë@xn--bcher-kva.example'];
    expect(new Set((await links()).map(({ email }) => email))).toEqual(new Set(stored));
    expect(post.received.flatMap(({ to }) => to)).toHaveLength(4);
  });

  it('SES-16: what is no address is refused, whatever it tries', async () => {
    const { app, ask, post, settled } = await installation(engine);
    const odd: unknown[] = [
      'rita@acme.com.',
      'a@evil.com@acme.com',
      'rita@acme.com\r\nBcc: eve@evil.com',
      'rita@acme.com,eve@evil.com',
      'eve@evil.com\u0000@acme.com',
      'rita@\u212aacme.com',
      ['rita@acme.com'],
      ['rita@acme.com', 'eve@evil.com'],
      { toString: 'rita@acme.com' },
      null,
    ];
    for (const email of odd)
      expect([email, (await ask({ email: email as string })).status]).toEqual([email, 422]);
    const returnTo = ['/'] as unknown as string;
    expect((await ask({ email: rita, returnTo })).status).toBe(422);
    expect((await ask({ email: 'x'.repeat(2_000_000) })).status).toBe(413);
    // It leads nowhere but into this installation.
    await ask({ email: rita, returnTo: 'https://evil.example/' });
    await settled();
    expect(post.received.map(({ link }) => link)).toEqual([
      expect.stringContaining(`${app.url}/invitation?return_to=%2F#`),
    ]);
  });

  it('SES-16: a flood from one network fills neither the mail nor the database, and delays no other network', async () => {
    const { app, ask } = await installation(engine);
    const statuses = [];
    for (let count = 0; count < registrationsOfNetwork.burst + 20; count += 1)
      statuses.push((await ask({ email: `x${count}@evil.com` }, '192.0.2.1')).status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(registrationsOfNetwork.burst);
    expect((await ask({ email: rita }, '192.0.2.2')).status).toBe(204);
    expect(await app.database.read.selectFrom('person').select('id').execute()).toEqual([]);
  });

  it('SES-16: only domains are taken, at most 50, in one form', async () => {
    const { policy } = await installation(engine, []);
    const odd = ['*', '*.acme.com', 'x@acme.com', 'acme.com.', 'acme com', '[192.0.2.1]', '-acme.com', ''];
    for (const domain of odd) {
      const { problem } = await policy([domain]);
      expect([domain, problem?.errors?.[0]?.pointer]).toEqual([domain, '/registrationDomains/0']);
    }
    expect((await policy(Array.from({ length: 51 }, (_, at) => `a${at}.com`))).status).toBe(422);
    expect((await policy([' ACME.com', 'acme.com', 'Bücher.example'])).body.registrationDomains).toEqual([
      'acme.com',
      'xn--bcher-kva.example',
    ]);
  });

  it('SES-16: no one registers unless it is switched on, which needs mail', async () => {
    const { app, policy, ask } = await installation(engine, []);
    const offers = async (at: TestApp) => {
      const browser = openBrowser(at.url);
      const page = await fetch(`${at.url}${(await browser.go('/auth/login')).path}`, {
        headers: { cookie: browser.cookies.header('/idp/sign-in/x') },
      });
      return (await page.text()).includes('"registration":true');
    };
    expect([(await ask({ email: rita })).status, await offers(app)]).toEqual([404, false]);
    await policy(['acme.com']);
    await expect.poll(() => offers(app)).toBe(true);

    const silent = await startApp({ engine });
    const operator = await signIn(silent, { roles: ['operator'] });
    const { body } = await operator.call(getSignInPolicy, {});
    const refused = await operator.call(setSignInPolicy, {
      body: { ...body, registrationDomains: ['acme.com'] },
    });
    expect(refused.problem?.errors).toMatchObject([{ pointer: '/registrationDomains', code: 'no-mail' }]);
    expect((await silent.call(requestRegistration, { body: { email: rita } })).status).toBe(404);
    expect(await offers(silent)).toBe(false);
  });
});
