import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import * as contract from '#features/identity-provider/contract/factors.ts';
import {
  getSignInPolicy,
  setSignInPolicy,
  type SignInPolicy,
} from '#features/identity-provider/contract/sign-in-policy.ts';
import {
  acceptInvitation,
  issuePasswordLink,
  submitSignIn,
} from '#features/identity-provider/contract/identity-provider.ts';
import { setRoles } from '#features/people/contract/people.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { createAuthenticator, type Faults } from '#server/testing/authenticator.ts';
import { openBrowser, type Browser } from '#server/testing/browser.ts';
import { contractRoutes } from '#server/testing/contract-routes.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createPasskeys, relyingPartyId } from './passkeys.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** What a device is asked. */
type Asked = Record<string, unknown>;

type Account = Pick<SignedIn, 'email' | 'password'>;

/** A browser at the sign-in's page. */
async function atSignIn(app: TestApp, browser: Browser = openBrowser(app.url)) {
  const { path } = await browser.go('/auth/login');
  const uid = /^\/idp\/sign-in\/([^/?]+)/.exec(path)?.[1] ?? '';
  const params = { uid };
  const { cookies } = browser;
  return {
    browser,
    params,
    password: async (account: Account) => (await browser.submit(path, account)).body,
    options: async (step: string | null = null) =>
      (await app.call(contract.passkeyOptionsAtSignIn, { params, body: { step } }, { cookies })).body
        .options as Asked,
    passkey: (answer: contract.PasskeyAssertion, step: string | null = null) =>
      app.call(contract.signInByPasskey, { params, body: { answer, remember: false, step } }, { cookies }),
    code: (step: string, code: string, remember = false) =>
      app.call(contract.signInByCode, { params, body: { step, code, remember } }, { cookies }),
  };
}

async function addPasskey(app: TestApp, person: SignedIn, device = createAuthenticator(app.url)) {
  const begun = await person.call(contract.beginFactor, { body: { kind: 'passkey' } });
  const answer = device.create(begun.body.passkey as Asked);
  const added = await person.call(contract.addFactor, {
    body: { passkey: { name: 'A key', answer }, code: null },
  });
  return { device, status: added.status, recoveryCodes: added.body.recoveryCodes ?? [] };
}

async function addCodes(person: SignedIn, clock: MovableClock) {
  const { body } = await person.call(contract.beginFactor, { body: { kind: 'code' } });
  const secret = body.code?.secret ?? '';
  const code = (shift = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() + shift });
  const { body: added } = await person.call(contract.addFactor, { body: { passkey: null, code: code() } });
  // The code that confirmed it is used.
  clock.move(30_000);
  return { code, recoveryCodes: added.recoveryCodes ?? [] };
}

describe.each(engines)('second factors on %s', (engine) => {
  const once = provedOn(engine);

  it('SES-10: a passkey signs in alone, and only as it was asked for', async () => {
    const app = await startApp({ engine });
    const mia = await signIn(app);
    const { device } = await addPasskey(app, mia);
    const page = await atSignIn(app);
    const tried = async (faults: Faults) =>
      (await page.passkey(device.get(await page.options(), faults))).status;
    expect(await tried({ origin: `${app.url}.attacker.example` })).toBe(401);
    expect(await tried({ rpId: 'attacker.example' })).toBe(401);
    expect(await tried({ verified: false })).toBe(401);
    // Asked for by another browser, which shows the victim its own challenge.
    const attacker = await atSignIn(app);
    expect((await page.passkey(device.get(await attacker.options()))).status).toBe(401);

    const answer = device.get(await page.options());
    const good = await page.passkey(answer);
    expect(good.status).toBe(200);
    // The same answer in the same sign-in, and in another.
    expect((await page.passkey(answer)).status).toBe(401);
    expect((await (await atSignIn(app)).passkey(answer)).status).toBe(401);
    await page.browser.go(good.body.next);
    expect((await page.browser.renew()).status).toBe(200);
    expect((await mia.call(contract.getOwnFactors, {})).body.passkeys).toMatchObject([
      { name: 'A key', usable: true, usedAt: expect.any(Number) },
    ]);
  });

  it.each(once)(
    'SES-10: a challenge serves for five minutes, and a copied key is noticed by its counter',
    async () => {
      const clock = movableClock();
      const app = await startApp({ engine, clock });
      const { device } = await addPasskey(app, await signIn(app));
      const page = await atSignIn(app);
      const late = await page.options();
      clock.move(5 * minute);
      expect((await page.passkey(device.get(late))).status).toBe(401);
      expect((await page.passkey(device.get(await page.options()))).status).toBe(200);
      const other = await atSignIn(app);
      expect((await other.passkey(device.get(await other.options(), { counter: 1 }))).status).toBe(401);
      // Synced ones always count 0.
      const synced = await addPasskey(
        app,
        await signIn(app),
        createAuthenticator(app.url, { counts: false }),
      );
      for (const _ of [1, 2]) {
        const again = await atSignIn(app);
        expect((await again.passkey(synced.device.get(await again.options()))).status).toBe(200);
      }
      await app.sweep();
      expect(await app.database.read.selectFrom('spent_challenge').selectAll().execute()).toHaveLength(4);
      clock.move(5 * minute);
      await app.sweep();
      expect(await app.database.read.selectFrom('spent_challenge').selectAll().execute()).toEqual([]);
    },
  );

  it('SES-10: after a password only a passkey of that account goes on, and a handle names nobody', async () => {
    const app = await startApp({ engine });
    const mia = await signIn(app);
    const { device } = await addPasskey(app, mia);
    const eve = await signIn(app);
    const { device: hers } = await addPasskey(app, eve);
    const page = await atSignIn(app);
    const { next, second } = await page.password(mia);
    expect([next, second?.kind, second?.passkey, second?.code]).toEqual(['', 'prove', true, true]);
    const step = second?.step ?? '';
    const options = await page.options(step);
    expect(options['allowCredentials']).toHaveLength(1);
    expect((await page.passkey(hers.get(options), step)).status).toBe(401);
    // The factor that one sign-in has shown counts in no other.
    const other = await atSignIn(app);
    expect((await other.code(step, '000000')).problem?.code).toBe('LINK_INVALID');
    expect((await page.passkey(device.get(await page.options(step)), step)).status).toBe(200);
    const [row] = await app.database.read
      .selectFrom('account')
      .select(['id', 'email', 'passkey_handle'])
      .where('email', '=', mia.email)
      .execute();
    expect(row?.passkey_handle).toMatch(/^[\w-]{43}$/);
  });

  it('SES-11: a code works once, also of two in a race, and within 30 seconds of its time', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const mia = await signIn(app);
    const { code } = await addCodes(mia, clock);
    const page = await atSignIn(app);
    const step = (await page.password(mia)).second?.step ?? '';
    const other = await atSignIn(app);
    const otherStep = (await other.password(mia)).second?.step ?? '';
    expect((await page.code(step, code(-60_000))).status).toBe(401);
    expect((await page.code(step, code(60_000))).status).toBe(401);
    const both = await Promise.all([page.code(step, code()), other.code(otherStep, code())]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    // An earlier one that was not used does not work after a later one.
    const third = await atSignIn(app);
    const thirdStep = (await third.password(mia)).second?.step ?? '';
    expect((await third.code(thirdStep, code(-30_000))).status).toBe(401);
    expect((await third.code(thirdStep, code(30_000))).status).toBe(200);
  });

  it.each(once)('SES-11: a code works once on two replicas', async () => {
    const clock = movableClock();
    const one = await startApp({ engine: 'postgres', clock });
    const other = await startApp({ replicaOf: one, clock });
    const mia = await signIn(one);
    const { code, recoveryCodes } = await addCodes(mia, clock);
    const typed = [code(), recoveryCodes[0] ?? ''];
    for (const text of typed) {
      const pages = [await atSignIn(one), await atSignIn(other, openBrowser(other.url, undefined, one.url))];
      const steps: string[] = [];
      for (const page of pages) steps.push((await page.password(mia)).second?.step ?? '');
      const answers = await Promise.all(pages.map((page, at) => page.code(steps[at] ?? '', text)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    }
  });

  it('SES-11: recovery codes work once each, and guesses have to wait as those at passwords', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const mia = await signIn(app);
    const { recoveryCodes } = await addCodes(mia, clock);
    expect(new Set(recoveryCodes).size).toBe(10);
    const page = await atSignIn(app);
    const step = (await page.password(mia)).second?.step ?? '';
    const typed = (recoveryCodes[0] ?? '').toLowerCase().replaceAll('-', ' ');
    expect((await page.code(step, typed)).status).toBe(200);
    const again = await atSignIn(app);
    const secondStep = (await again.password(mia)).second?.step ?? '';
    expect((await again.code(secondStep, typed)).status).toBe(401);
    const guesses = [];
    for (let guess = 0; guess < 5; guess += 1)
      guesses.push((await again.code(secondStep, `00000${guess}`)).status);
    expect(guesses).toEqual([401, 401, 401, 401, 429]);
    expect((await mia.call(contract.getOwnFactors, {})).body.recoveryCodesLeft).toBe(9);
    const stored = await app.database.read.selectFrom('recovery_code').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(recoveryCodes[1]?.replaceAll('-', ''));
  });

  it.each(once)(
    'SES-11: a browser is remembered as long as the policy says, and until a factor changes',
    async () => {
      const clock = movableClock();
      const app = await startApp({ engine, clock });
      const mia = await signIn(app);
      const { code } = await addCodes(mia, clock);
      const page = await atSignIn(app);
      const step = (await page.password(mia)).second?.step ?? '';
      expect((await page.code(step, code(), true)).status).toBe(200);
      const next = async () => (await (await atSignIn(app, page.browser)).password(mia)).second?.kind;
      expect(await next()).toBeUndefined();
      const policy = (await operatorOf(app)).policy;
      await policy({ rememberDays: 0 });
      expect(await next()).toBe('prove');
      await policy({ rememberDays: 30 });
      expect(await next()).toBeUndefined();
      clock.move(30 * day);
      expect(await next()).toBe('prove');
      clock.move(-30 * day);
      await addPasskey(app, mia);
      expect(await next()).toBe('prove');
    },
  );

  async function operatorOf(app: TestApp) {
    const operator = await signIn(app, { roles: ['operator'] });
    return {
      operator,
      async policy(change: Partial<SignInPolicy>) {
        const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
        const { body } = await app.call(getSignInPolicy, {}, { accessToken });
        const answer = await app.call(setSignInPolicy, { body: { ...body, ...change } }, { accessToken });
        expect(answer.status).toBe(200);
      },
    };
  }

  it('SES-12: after the grace a sign-in insists on a factor, which nobody is locked out by', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const { operator } = await operatorOf(app);
    expect((await operator.call(getSignInPolicy, {})).body).toMatchObject({
      secondFactor: 'required',
      roles: ['operator'],
      graceDays: 7,
    });
    const kind = async (account: Account) => (await (await atSignIn(app)).password(account)).second?.kind;
    expect((await operator.call(contract.getOwnFactors, {})).body.dueAt).toBeGreaterThan(clock.now());
    expect(await kind(operator)).toBeUndefined();
    const member = await signIn(app, { roles: ['member'] });
    clock.move(7 * day + minute);
    expect(await kind(member)).toBeUndefined();
    const page = await atSignIn(app);
    const { next, second } = await page.password(operator);
    expect([next, second?.kind]).toEqual(['', 'enrol']);
    const { params, browser } = page;
    const { cookies } = browser;
    const step = second?.step ?? '';
    // There is no code yet that could stand in.
    expect((await page.code(step, '000000')).status).toBe(401);
    const begun = await app.call(
      contract.beginFactorAtSignIn,
      { params, body: { step, kind: 'passkey' } },
      { cookies },
    );
    const device = createAuthenticator(app.url);
    const answer = device.create(begun.body.passkey as Asked);
    const factor = { passkey: { name: 'Mine', answer }, code: null };
    const added = await app.call(contract.addFactorAtSignIn, { params, body: { step, factor } }, { cookies });
    expect(added.body.recoveryCodes).toHaveLength(10);
    await browser.go(added.body.next);
    expect((await browser.renew()).status).toBe(200);
    // From now on a factor is proved, and none is added with the password alone.
    const attacker = await atSignIn(app);
    const shown = (await attacker.password(operator)).second;
    expect(shown?.kind).toBe('prove');
    const more = await app.call(
      contract.beginFactorAtSignIn,
      { params: attacker.params, body: { step: shown?.step ?? '', kind: 'code' } },
      { cookies: attacker.browser.cookies },
    );
    expect(more.problem?.code).toBe('LINK_INVALID');
  });

  it('SES-12: a link for a new password asks for the factor all the same; an operator resets it', async () => {
    const app = await startApp({ engine });
    const mia = await signIn(app);
    await addPasskey(app, mia);
    const { operator } = await operatorOf(app);
    const { body } = await operator.call(issuePasswordLink, { params: { personId: mia.id } });
    const password = 'another lantern by the door';
    await app.call(acceptInvitation, { body: { token: new URL(body.link).hash.slice(1), password } });
    const account = { email: mia.email, password };
    expect((await (await atSignIn(app)).password(account)).second?.kind).toBe('prove');

    const again = await signIn(app, { email: 'other@example.org' });
    const params = { personId: mia.id };
    expect((await again.call(contract.resetFactors, { params })).status).toBe(403);
    expect((await operator.call(contract.resetFactors, { params })).status).toBe(204);
    expect((await operator.call(contract.resetFactors, { params })).problem?.code).toBe('CONFLICT');
    expect((await (await atSignIn(app)).password(account)).second).toBeNull();
    const [entry] = await app.database.read
      .selectFrom('audit')
      .select(['actor_id', 'subject'])
      .where('action', '=', 'person.reset-factors')
      .execute();
    expect(entry).toEqual({ actor_id: operator.id, subject: mia.id });
  });

  it('SES-10: a password goes only where two factors are left, which then stay', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const mia = await signIn(app);
    const remove = () => mia.call(contract.removePassword, {});
    expect((await remove()).problem?.code).toBe('CONFLICT');
    const { device } = await addPasskey(app, mia);
    expect((await remove()).problem?.code).toBe('CONFLICT');
    await addCodes(mia, clock);
    expect((await remove()).status).toBe(204);
    const page = await atSignIn(app);
    const { params } = page;
    for (const password of [mia.password, '', 'another'])
      expect(
        (await app.call(submitSignIn, { params, body: { email: mia.email, password } }, page.browser)).status,
      ).toBe(401);
    expect((await mia.call(contract.removeOneTimeCodes, {})).problem?.code).toBe('CONFLICT');
    expect((await page.passkey(device.get(await page.options()))).status).toBe(200);
  });
});

describe('a proof that it is still the same person', () => {
  const [engine = 'sqlite'] = engines;

  it('SES-13: what gives rights, secrets or factors, erases or changes the policy asks for one', async () => {
    const fresh = (await contractRoutes()).filter(([, route]) => route.fresh === true).map(([name]) => name);
    expect(fresh.toSorted()).toEqual([
      'addClientKey',
      'addFactor',
      'addGroupMapping',
      'addProjectKey',
      'addRole',
      'addWebhook',
      'beginFactor',
      'changeGroupMapping',
      'changePeople',
      'changeRole',
      'createApiToken',
      'erasePerson',
      'invitePerson',
      'issuePasswordLink',
      'removeOneTimeCodes',
      'removePasskey',
      'removePassword',
      'renewInvitation',
      'renewRecoveryCodes',
      'resetFactors',
      'setBackups',
      'setFlagReview',
      'setOwnRight',
      'setRoles',
      'setSignInPolicy',
    ]);
  });

  it('SES-13: ten minutes after the last one it is asked for again, by a factor where there is one', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    // Tokens live for five minutes.
    const call: SignedIn['call'] = async (route, parts) =>
      app.call(route, parts, { accessToken: (await operator.browser.renew()).body.accessToken });
    const give = () =>
      call(setRoles, { params: { personId: operator.id }, body: { roles: [], version: 99 } });
    const prove = (body: Parameters<typeof call<typeof contract.prove>>[1]['body']) =>
      call(contract.prove, { body });
    const { password } = operator;
    expect((await give()).problem?.code).not.toBe('PROOF_NEEDED');
    clock.move(10 * minute);
    const refused = await give();
    expect([refused.status, refused.problem?.code]).toEqual([401, 'PROOF_NEEDED']);
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_user_authentication');
    expect((await prove({ by: 'password', password: 'not it at all, no' })).status).toBe(401);
    expect((await give()).problem?.code).toBe('PROOF_NEEDED');
    expect((await prove({ by: 'password', password })).status).toBe(204);
    expect((await give()).problem?.code).not.toBe('PROOF_NEEDED');

    const { device } = await addPasskey(app, { ...operator, call });
    clock.move(10 * minute);
    const { body: ways } = await call(contract.howToProve, {});
    expect([ways.password, ways.code, ways.passkey === null]).toEqual([false, false, false]);
    // Neither a downgrade to the password, nor what another session was asked.
    expect((await prove({ by: 'password', password })).status).toBe(401);
    const page = await atSignIn(app);
    const step = (await page.password(operator)).second?.step ?? '';
    expect((await prove({ by: 'passkey', answer: device.get(await page.options(step)) })).status).toBe(401);
    expect((await prove({ by: 'passkey', answer: device.get(ways.passkey as Asked) })).status).toBe(204);
    expect((await give()).problem?.code).not.toBe('PROOF_NEEDED');

    // Another session of the same person, as in another tab, is not proved by it, nor by what the first was asked.
    const begun = await atSignIn(app);
    const second = (await begun.password(operator)).second?.step ?? '';
    const entered = await begun.passkey(device.get(await begun.options(second)), second);
    await begun.browser.go(entered.body.next);
    clock.move(10 * minute);
    const { body: asked } = await call(contract.howToProve, {});
    const { accessToken: elsewhere } = (await begun.browser.renew()).body;
    const answer = device.get(asked.passkey as Asked);
    const inOther = await app.call(
      contract.prove,
      { body: { by: 'passkey', answer } },
      { accessToken: elsewhere },
    );
    expect(inOther.status).toBe(401);
    expect((await prove({ by: 'passkey', answer })).status).toBe(204);
    const roles = { params: { personId: operator.id }, body: { roles: [], version: 99 } };
    const inOtherStill = await app.call(setRoles, roles, { accessToken: elsewhere });
    expect(inOtherStill.problem?.code).toBe('PROOF_NEEDED');

    // An API token, whose making was the proof, needs none.
    clock.move(10 * minute);
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE', 'PEOPLE_WRITE'], clock });
    const made = await app.call(
      createApiToken,
      { body: { name: 'a', rights: ['SETTINGS_WRITE'], expiresAt: clock.now() + day } },
      { accessToken },
    );
    expect(made.problem?.code).not.toBe('PROOF_NEEDED');
  });

  it('SES-10: an address without a host name offers no passkeys, and says so', async () => {
    expect(relyingPartyId('https://192.0.2.1')).toBeNull();
    expect(relyingPartyId('https://[2001:db8::1]:8443/x')).toBeNull();
    expect(relyingPartyId('http://portico.example')).toBeNull();
    expect(relyingPartyId('http://localhost:3000')).toBe('localhost');
    expect(relyingPartyId('https://portico.example:8443/below')).toBe('portico.example');
    const database = {} as Database;
    const parts = { database, clock: movableClock(), secret: '', productName: () => 'Portico' };
    const passkeys = createPasskeys({ ...parts, publicUrl: 'https://192.0.2.1' });
    await expect(passkeys.assertionOptions('sign-in', null)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('host name'),
    });
  });

  it('SES-10: at the start it is said how many passkeys a changed host has silenced', async () => {
    const first = await startApp({ engine });
    await addPasskey(first, await signIn(first));
    await first.stop();
    const app = await startApp({
      after: first,
      config: { publicUrl: 'https://other.example' },
    });
    expect(app.log).toContainEqual(expect.objectContaining({ passkeys: 1 }));
  });
});
