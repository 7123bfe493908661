import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { emailAddress } from '#contract/email-address.ts';
import {
  acceptInvitation,
  changePassword,
  forgotPassword,
  issuePasswordLink,
  readInvitation,
} from '#features/identity-provider/contract/identity-provider.ts';
import { getPerson, invitePerson, renewInvitation, setBlocked } from '#features/people/contract/people.ts';
import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import type { MailSettings } from '#server/config-variables.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { afterThisTest, oneEngine } from '#server/testing/fresh-database.ts';
import { loopbackCertificate } from '#server/testing/loopback-certificate.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { createMailTransport } from './transport.ts';

const ivy = {
  email: 'ivy@example.org',
  firstName: 'Ivy & <Co>',
  lastName: 'Invited',
  roles: ['member' as const],
};
const password = 'wobbly-kettle-9-harbour';
const tokenOf = (link: string) => new URL(link).hash.slice(1);
const waiting = ({ database }: TestApp) => database.read.selectFrom('mail').selectAll().execute();
const settled = (app: TestApp) => expect.poll(() => waiting(app)).toEqual([]);
const accept = (app: TestApp, link: string) =>
  app.call(acceptInvitation, {
    body: { token: tokenOf(link), firstName: 'Ivy', lastName: 'Inside', password },
  });

async function speak(who: SignedIn, locale: 'en' | 'de' | 'fr'): Promise<void> {
  const params = { userId: 'current' };
  const {
    id: _id,
    email: _email,
    createdAt: _at,
    ...profile
  } = (await who.call(getProfile, { params })).body;
  expect((await who.call(updateProfile, { params, body: { ...profile, locale } })).status).toBe(200);
}

describe.each(oneEngine)('links by mail on %s', (engine) => {
  it('SES-3: an invitation travels by mail, in the operator’s language, with a token of its own', async () => {
    const post = await startMailServer();
    const app = await startApp({ engine, config: { mail: post.settings } });
    const operator = await signIn(app, { roles: ['operator'] });
    await speak(operator, 'fr');
    const { person, invitation } = (await operator.call(invitePerson, { body: ivy })).body;
    expect(invitation?.mail).toBe('sent');

    const mail = await post.arrived(1);
    expect(mail).toMatchObject({
      to: [ivy.email],
      from: 'portico@example.org',
      subject: 'Votre invitation à Portico',
    });
    expect(mail.headers).toMatch(/^From: "?Portico"? <portico@example\.org>/m);
    expect(mail.headers).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(mail.text).toContain('Bonjour Ivy & <Co>,');
    expect(mail.html).toContain('Ivy &#38; &#60;Co&#62;');
    expect(mail.html).toContain(mail.link);
    expect(mail.link).not.toBe(invitation?.link);
    expect(await waiting(app)).toEqual([]);

    // Either link works, and the first that is used ends both.
    const shown = { body: { token: tokenOf(invitation?.link ?? '') } };
    expect((await app.call(readInvitation, shown)).status).toBe(200);
    expect((await accept(app, mail.link)).status).toBe(200);
    expect((await app.call(readInvitation, shown)).problem?.code).toBe('LINK_INVALID');

    // The language that she has chosen by now counts for more.
    const browser = openBrowser(app.url);
    await browser.signIn({ email: ivy.email, password });
    const { accessToken } = (await browser.renew()).body;
    await speak({ ...operator, call: (route, call) => app.call(route, call, { accessToken }) }, 'de');
    const again = { params: { personId: person.id } };
    expect((await operator.call(renewInvitation, again)).problem?.code).toBe('CONFLICT');
    const reset = (await operator.call(issuePasswordLink, again)).body;
    expect(reset.mail).toBe('sent');
    expect((await post.arrived(2)).subject).toBe('Neues Passwort für Portico setzen');
    // The link that is shown and the one in the mail.
    const links = await app.database.read
      .selectFrom('one_time_link')
      .select('expires_at')
      .where('purpose', '=', 'reset')
      .execute();
    expect(links.map(({ expires_at }) => expires_at < Date.now() + 25 * 3_600_000)).toEqual([true, true]);
    expect(JSON.stringify(app.log)).not.toMatch(/#[A-Za-z0-9_-]{43}/);
    for (const link of [mail.link, reset.link]) expect(JSON.stringify(app.log)).not.toContain(tokenOf(link));
    expect(JSON.stringify(app.log)).not.toContain(ivy.email);
  });

  it('SES-3: what the mail server does not take is reported, stored, and sent when it does, also over a restart', async () => {
    const clock = movableClock();
    const post = await startMailServer();
    post.answer(451);
    const app = await startApp({ engine, clock, config: { mail: post.settings } });
    const operator = await signIn(app, { roles: ['operator'] });
    const { person, invitation } = (await operator.call(invitePerson, { body: ivy })).body;
    expect(invitation?.mail).toBe('waiting');
    expect(
      (await app.call(readInvitation, { body: { token: tokenOf(invitation?.link ?? '') } })).status,
    ).toBe(200);
    const [waitingMail] = await waiting(app);
    expect(waitingMail).toMatchObject({ kind: 'invitation', tries: 1, failure: 'busy', email: null });
    // What was not delivered leaves no token behind.
    const links = await app.database.read.selectFrom('one_time_link').selectAll().execute();
    expect(links.filter(({ account_id }) => account_id !== null)).toHaveLength(1);

    await app.stop();
    post.answer(null);
    clock.move(16_000);
    const next = await startApp({ after: app, clock });
    await settled(next);
    expect((await accept(next, (await post.arrived(1)).link)).status).toBe(200);
    expect(
      (await next.call(readInvitation, { body: { token: tokenOf(invitation?.link ?? '') } })).status,
    ).toBe(410);
    expect(person.state).toBe('invited');
  });

  it('SES-3: an address that the mail server refuses for good is reported at once', async () => {
    const post = await startMailServer();
    post.answer(550);
    const app = await startApp({ engine, config: { mail: post.settings } });
    const operator = await signIn(app, { roles: ['operator'] });
    const { person, invitation } = (await operator.call(invitePerson, { body: ivy })).body;
    expect(invitation?.mail).toBe('failed');
    expect(
      (await app.call(readInvitation, { body: { token: tokenOf(invitation?.link ?? '') } })).status,
    ).toBe(200);
    // Another try of the operator's takes its place.
    post.answer(null);
    const again = (await operator.call(renewInvitation, { params: { personId: person.id } })).body;
    expect(again.mail).toBe('sent');
    expect(await waiting(app)).toEqual([]);
  });

  it('SES-3: a forgotten password is answered alike whether or not the address exists, and slowed alike', async () => {
    const clock = movableClock();
    const post = await startMailServer();
    const app = await startApp({ engine, clock, config: { mail: post.settings } });
    const ada = { email: 'ada@example.org', password: 'seven green lanterns' };
    await addPerson(app, { ...ada, firstName: 'Ada' });
    const ask = async (email: string) => {
      const { status, text, problem, headers } = await app.call(forgotPassword, {
        body: { email, language: 'de' },
      });
      return { status, text: problem === null ? text : problem.code, wait: headers.get('retry-after') };
    };
    const taken = { status: 204, text: '', wait: null };
    expect([await ask(ada.email), await ask('nobody@example.org')]).toEqual([taken, taken]);
    await settled(app);
    const mail = await post.arrived(1);
    expect(mail.to).toEqual([ada.email]);
    expect(mail.text).toContain('Guten Tag Ada,');

    const braked = { status: 429, text: 'TOO_MANY_REQUESTS', wait: '60' };
    expect([await ask(' ADA@example.org'), await ask('nobody@example.org')]).toEqual([braked, braked]);
    clock.move(60_000);
    expect([await ask(ada.email), await ask('nobody@example.org')]).toEqual([taken, taken]);
    await settled(app);
    const second = await post.arrived(2);
    clock.move(60_000);
    expect((await ask(ada.email)).wait).toBe('60');

    // The old password stays until a link is used, which works for an hour.
    expect((await openBrowser(app.url).signIn(ada)).problem).toBeNull();
    expect((await accept(app, second.link)).status).toBe(200);
    // The change itself is mailed as well (SES-14).
    await settled(app);
    await post.arrived(3);
    expect((await accept(app, mail.link)).problem?.code).toBe('LINK_INVALID');
    expect((await openBrowser(app.url).signIn({ ...ada, password })).problem).toBeNull();
    clock.move(120_000);
    await ask(ada.email);
    await settled(app);
    const third = await post.arrived(4);
    clock.move(3_600_001);
    expect((await accept(app, third.link)).problem?.code).toBe('LINK_INVALID');
  });
});

describe('links by mail', () => {
  it('SES-3: go neither to the blocked nor to who has set a password since', async () => {
    const clock = movableClock();
    const post = await startMailServer();
    post.answer(451);
    const app = await startApp({ engine: 'sqlite', clock, config: { mail: post.settings } });
    const operator = await signIn(app, { roles: ['operator'] });
    const mia = await signIn(app, { email: 'mia@example.org' });
    const params = { personId: mia.id };
    expect((await operator.call(issuePasswordLink, { params })).body.mail).toBe('waiting');
    const body = { currentPassword: mia.password, newPassword: password };
    expect((await mia.call(changePassword, { body })).status).toBe(204);
    // Only that it has changed (SES-14).
    await expect.poll(() => waiting(app)).toMatchObject([{ kind: 'account', tries: 1 }]);

    const { version } = (await operator.call(getPerson, { params })).body;
    await operator.call(setBlocked, { params, body: { blocked: true, version } });
    expect((await operator.call(issuePasswordLink, { params })).problem?.code).toBe('CONFLICT');
    post.answer(null);
    expect((await app.call(forgotPassword, { body: { email: mia.email } })).status).toBe(204);
    clock.move(16_000);
    await settled(app);
    expect(post.received).toEqual([]);
  });

  it('SES-3: without mail the link alone is answered, and no one reads that one was sent', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const operator = await signIn(app, { roles: ['operator'] });
    expect((await operator.call(invitePerson, { body: ivy })).body.invitation?.mail).toBe('off');
    expect((await app.call(forgotPassword, { body: { email: ivy.email } })).status).toBe(404);
    expect(await waiting(app)).toEqual([]);
  });
});

/** A server on loopback that answers as the test says; its settings by the security that is asked for. */
async function startServer(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    answer(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterThisTest(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return (security: MailSettings['security']): MailSettings => ({
    host: '127.0.0.1',
    port,
    security,
    auth: null,
    from: { name: null, address: 'p@example.org' },
  });
}

describe('a mail server', () => {
  const message = { to: 'ada@example.org', subject: 'A test', text: 'A test', html: '<p>A test</p>' };
  const { cert } = loopbackCertificate;
  const account = { user: 'portico', password: 'a secret & more' };

  it.each(['tls', 'starttls'] as const)(
    'SES-3: is spoken to by %s, with a certificate that fits',
    async (security) => {
      const post = await startMailServer({ security, account });
      expect(await createMailTransport(post.settings, { ca: cert }).send(message, 'Portico')).toBeNull();
      expect(post.received[0]).toMatchObject({ secure: true, user: account.user });
      expect(await createMailTransport(post.settings).send(message, 'Portico')).toBe('tls');
      const wrong = { ...post.settings, auth: { ...account, password: 'wrong' } };
      expect(await createMailTransport(wrong, { ca: cert }).send(message, 'Portico')).toBe('sign-in');
      expect(post.received).toHaveLength(1);
    },
  );

  it('SES-3: gets neither message nor password where TLS is asked for and not to be had', async () => {
    const post = await startMailServer({ account });
    const settings = { ...post.settings, security: 'starttls' } as const;
    expect(await createMailTransport(settings, { ca: cert }).send(message, 'Portico')).toBe('tls');
    expect(
      await createMailTransport({ ...settings, security: 'tls' }, { ca: cert }).send(message, 'Portico'),
    ).toMatch(/^(tls|unreachable)$/);
    expect(post.received).toEqual([]);
  });

  it.each([
    ['https://portico.example.org:8443/base', 'portico.example.org'],
    ['http://192.0.2.7:3000', '[192.0.2.7]'],
    ['http://[2001:db8::7]:3000', '[ipv6:2001:db8::7]'],
  ])('SES-3: is greeted by the host of %s', async (publicUrl, greeting) => {
    const post = await startMailServer();
    expect(await createMailTransport(post.settings, { publicUrl }).send(message, 'Portico')).toBeNull();
    expect(post.received[0]?.greeting).toBe(greeting);
  });

  it.each([
    ['müller@example.org', 'müller@example.org', ' SMTPUTF8'],
    ['静香@xn--r8jz45g.xn--zckzah', '静香@例え.テスト', ' SMTPUTF8'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example', ''],
    ['"ada lovelace"@example.org', '"ada lovelace"@example.org', ''],
    [String.raw`"a\"b@c, d"@example.org`, String.raw`"a\"b@c, d"@example.org`, ''],
    ['.ada..x.@example.org', '".ada..x."@example.org', ''],
    ['ada@[192.0.2.1]', 'ada@[192.0.2.1]', ''],
  ])('SES-3: gets a mail for %s', async (to, expected, utf8) => {
    expect(emailAddress.safeParse(to).data).toBe(to);
    let read = '';
    const server = await startServer((socket) => {
      socket.write('220 ready\r\n');
      socket.setEncoding('utf8').on('data', (part: string) => {
        read += part;
        if (part.startsWith('EHLO')) socket.write('250-mail.example.org\r\n250 SMTPUTF8\r\n');
        else if (part.startsWith('DATA')) socket.write('354 go on\r\n');
        else if (/^(?:MAIL|RCPT)|\r\n\.\r\n$/.test(part)) socket.write('250 done\r\n');
      });
    });
    expect(await createMailTransport(server('none')).send({ ...message, to }, 'Portico')).toBeNull();
    expect(read).toContain(`MAIL FROM:<p@example.org>${utf8}\r\nRCPT TO:<${expected}>\r\nDATA`);
    const recipients = read.match(/^(?:to|cc|bcc):.*$/gim)?.map((header) => header.replaceAll(/[<>]/g, ''));
    expect(recipients).toEqual([`To: ${expected}`]);
  });

  it('SES-3: gets no letters beyond ASCII where it does not offer to take them, which is a reason of its own', async () => {
    const post = await startMailServer({ smtpUtf8: false });
    const transport = createMailTransport(post.settings);
    expect(await transport.send({ ...message, to: 'müller@example.org' }, 'Portico')).toBe('no-smtputf8');
    expect(post.received).toEqual([]);
    expect(await transport.send({ ...message, to: 'ada@xn--bcher-kva.example' }, 'Portico')).toBeNull();
  });

  it.each([
    ['ends the connection', (socket: Socket) => socket.once('data', () => socket.end())],
    ['resets the connection', (socket: Socket) => socket.once('data', () => socket.resetAndDestroy())],
    // A fatal alert: handshake_failure (RFC 8446, 6).
    [
      'sends an alert',
      (socket: Socket) => socket.once('data', () => socket.end(Buffer.from('15030300020228', 'hex'))),
    ],
    ['speaks another protocol', (socket: Socket) => socket.end('220 mail.example.org\r\n')],
  ])('SES-3: that %s in the TLS handshake is reported as tls', async (_what, answer) => {
    for (const security of ['tls', 'starttls'] as const) {
      const server = await startServer((socket) => {
        if (security === 'tls') answer(socket);
        else {
          socket.write('220 mail.example.org\r\n');
          socket.on('data', (line) => {
            if (String(line).startsWith('EHLO')) socket.write('250-mail.example.org\r\n250 STARTTLS\r\n');
            else if (String(line).startsWith('STARTTLS')) {
              socket.removeAllListeners('data');
              socket.write('220 ready\r\n', () => answer(socket));
            }
          });
        }
      });
      expect([security, await createMailTransport(server(security)).send(message, 'Portico')]).toEqual([
        security,
        'tls',
      ]);
    }
  });

  it('SES-3: that is not there is distinguished from one that refuses', async () => {
    const post = await startMailServer();
    const transport = createMailTransport(post.settings);
    post.answer(550);
    expect(await transport.send(message, 'Portico')).toBe('refused');
    post.answer(450);
    expect(await transport.send(message, 'Portico')).toBe('busy');
    await post.close();
    expect(await transport.send(message, 'Portico')).toBe('unreachable');
  });

  it('SES-3: that stays silent delays no one for long', async () => {
    const post = await startMailServer();
    post.answer('silent');
    const transport = createMailTransport(post.settings, { silenceMs: 200 });
    expect(await transport.send(message, 'Portico')).toBe('unreachable');
  });
});
