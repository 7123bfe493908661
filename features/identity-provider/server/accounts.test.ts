import { argon2Sync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Change } from '#server/platform/database/database.ts';
import { engines, openFresh, provedOn, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { quickHashing } from '#server/testing/people.ts';
import { sweepAccounts } from './accounts.store.ts';
import { createAccounts, type PasswordLink } from './accounts.ts';
import type { HashParameters } from './password-hash.ts';

const mia = 'mia@example.org';
const password = 'wobbly-kettle-9-harbour';
const day = 24 * 3_600_000;
const from = (address: string) => ({ address, knownTo: () => null });
const stranger = from('192.0.2.1');
const todays = { memory: 7_168, passes: 5, parallelism: 1 };

async function accountsOn(engine: Engine, hashing: HashParameters = quickHashing) {
  const clock = movableClock();
  const database = await openFresh(engine, clock);
  const accounts = createAccounts({ database, clock, publicUrl: 'https://portico.example', hashing });
  const change = <T>(work: (change: Change) => Promise<T>) => database.change(work);
  const tokenOf = ({ link }: PasswordLink) => new URL(link).hash.slice(1);
  return {
    accounts,
    clock,
    database,
    change,
    tokenOf,
    invite: (email = mia) => change((each) => accounts.invite(each, { email })),
    renew: (accountId: string) => change((each) => accounts.renewLink(each, accountId)),
    async create(email = mia) {
      const prepared = await accounts.prepare(password, { email });
      return change((each) =>
        accounts.create(each, {
          email,
          password: prepared,
        }),
      );
    },
    opens: async (link: PasswordLink) =>
      (await accounts.byLinkToken(database.read, tokenOf(link)))?.account.email ?? null,
    purposes: async () =>
      (await database.read.selectFrom('one_time_link').select('purpose').execute()).map((row) => row.purpose),
  };
}

describe.each(engines)('accounts on %s', (engine) => {
  const once = provedOn(engine);
  it('SES-3: an address has one account, invited or not', async () => {
    const { invite, create, accounts, database } = await accountsOn(engine);
    const { accountId } = await invite();
    const taken = {
      code: 'CONFLICT',
      details: { errors: [{ pointer: '/email', code: 'taken', message: expect.any(String) }] },
    };
    await expect(invite()).rejects.toMatchObject(taken);
    await expect(create()).rejects.toMatchObject(taken);
    expect(await accounts.byEmail(database.read, mia)).toMatchObject({
      id: accountId,
      email: mia,
      passwordHash: null,
    });
    await create('sam@example.org');
    expect((await accounts.byEmail(database.read, 'sam@example.org'))?.passwordHash).toMatch(/^\$argon2id/);
  });

  it('SES-3: an invitation works for seven days and a link for a new password for one, in the fragment, and a new one takes its place', async () => {
    const { invite, renew, opens, clock, purposes, change, accounts } = await accountsOn(engine);
    const first = await invite();
    expect(first.link).toMatch(/^https:\/\/portico\.example\/invitation#[\w-]{43}$/);
    expect(first.expiresAt - clock.now()).toBeGreaterThanOrEqual(7 * day);
    expect(first.expiresAt - clock.now()).toBeLessThan(7 * day + 1_000);
    expect(await purposes()).toEqual(['invitation']);
    expect(await opens(first)).toBe(mia);

    const second = await renew(first.accountId);
    expect([await opens(first), await opens(second)]).toEqual([null, mia]);
    expect(await opens({ ...second, link: `${second.link}x` })).toBeNull();
    clock.move(second.expiresAt - clock.now() - 1);
    expect(await opens(second)).toBe(mia);
    clock.move(1);
    expect(await opens(second)).toBeNull();

    const prepared = await accounts.prepare(password, { email: mia });
    await change((each) => accounts.setPassword(each, first.accountId, prepared));
    expect(await purposes()).toEqual([]);
    const reset = await renew(first.accountId);
    expect(await purposes()).toEqual(['reset']);
    clock.move(day - 1);
    expect(await opens(reset)).toBe(mia);
    clock.move(reset.expiresAt - clock.now());
    expect([await opens(reset), reset.expiresAt - clock.now()]).toEqual([null, 0]);
    await expect(renew('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('SES-3: an additional link has its own time, and is taken back alone', async () => {
    const { invite, opens, clock, accounts } = await accountsOn(engine);
    const first = await invite();
    const [valid, revoked] = [
      await accounts.addLink(first.accountId, { lifetimeMs: day }),
      await accounts.addLink(first.accountId, { lifetimeMs: day }),
    ];
    expect(valid.expiresAt - clock.now()).toBeLessThan(day + 1_000);
    expect(Object.keys(valid).toSorted()).toEqual(['accountId', 'expiresAt', 'link', 'revoke']);
    await revoked.revoke();
    expect([await opens(first), await opens(valid), await opens(revoked)]).toEqual([mia, mia, null]);
    await expect(accounts.addLink('nobody', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('SES-3: a new password ends what the account had: links, waiting time, and what the provider remembers', async () => {
    const { invite, create, renew, change, accounts, database } = await accountsOn(engine);
    const [{ accountId }, other] = [await invite(), await create('sam@example.org')];
    await renew(other);
    for (const [id, email] of [
      [accountId, mia],
      [other, 'sam@example.org'],
    ] as const) {
      await accounts.check(email, 'wrong', stranger);
      const record = { model: 'Session', id, payload: '{}', grant_id: null, uid: null, account_id: id };
      await database.transaction((tx) =>
        tx
          .insertInto('oidc_record')
          .values({ ...record, expires_at: null, consumed_at: null })
          .execute(),
      );
    }
    const prepared = await accounts.prepare(password, { email: mia });
    await change((each) => accounts.setPassword(each, accountId, prepared));
    for (const table of ['one_time_link', 'sign_in_guess', 'oidc_record'] as const)
      expect([table, (await database.read.selectFrom(table).selectAll().execute()).length]).toEqual([
        table,
        // One count for the network, and one for the account.
        table === 'sign_in_guess' ? 2 : 1,
      ]);
    expect((await accounts.check(mia, password, stranger))?.id).toBe(accountId);
    await expect(change((each) => accounts.setPassword(each, 'nobody', prepared))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('SES-3: a password opens its own account alone; nothing opens one without a password', async () => {
    const { create, invite, accounts } = await accountsOn(engine);
    const id = await create();
    await invite('ina@example.org');
    expect((await accounts.check(mia, password, stranger))?.id).toBe(id);
    expect(await accounts.check(mia, `${password}x`, stranger)).toBeNull();
    expect(await accounts.check('ina@example.org', password, stranger)).toBeNull();
    expect(await accounts.check('nobody@example.org', password, stranger)).toBeNull();
  });

  it('SES-3: guesses wait, known address or not, with the time left; the right password forgets them', async () => {
    const { create, accounts, clock } = await accountsOn(engine);
    const id = await create();
    for (const email of [mia, 'nobody@example.org']) {
      for (let guess = 0; guess < 5; guess += 1)
        expect(await accounts.check(email, 'wrong', stranger)).toBeNull();
      const wait = (retryAfter: number) =>
        expect(accounts.check(email, password, stranger)).rejects.toMatchObject({
          code: 'TOO_MANY_REQUESTS',
          details: { retryAfter },
        });
      await wait(1);
      clock.move(1_000);
      expect(await accounts.check(email, 'wrong', stranger)).toBeNull();
      await wait(2);
      clock.move(1);
      await wait(2);
      clock.move(999);
      await wait(1);
      clock.move(1_000);
    }
    expect((await accounts.check(mia, password, stranger))?.id).toBe(id);
    for (let guess = 0; guess < 5; guess += 1)
      expect(await accounts.check(mia, 'wrong', stranger)).toBeNull();
  });

  it('SES-3: guesses of one network, or of all networks of a /48, leave those of others free', async () => {
    const { create, accounts } = await accountsOn(engine);
    const id = await create();
    const guess = (address: string) =>
      accounts.check(mia, 'wrong', from(address)).then(
        () => 'wrong',
        () => 'refused',
      );
    const guesses = async (addresses: readonly string[]) => {
      const outcomes: string[] = [];
      for (const address of addresses) outcomes.push(await guess(address));
      return outcomes.filter((each) => each === 'wrong').length;
    };
    expect(await guesses(Array.from({ length: 8 }, () => '192.0.2.1'))).toBe(5);
    expect(await guesses(Array.from({ length: 8 }, (_, host) => `2001:db8:1:1::${host}`))).toBe(5);
    expect(await guesses(Array.from({ length: 20 }, (_, net) => `2001:db8:1:${net + 2}::1`))).toBe(12);
    expect((await accounts.check(mia, password, from('192.0.2.2')))?.id).toBe(id);
    expect((await accounts.check(mia, password, from('2001:db8:2::1')))?.id).toBe(id);
  });

  it('SES-3: guesses from many networks are 50, then one in five minutes; a known browser has its own', async () => {
    const { create, accounts, clock } = await accountsOn(engine);
    const id = await create();
    const known = (browser: string) => ({ address: '192.0.2.1', knownTo: () => browser });
    const guess = (net: number) => accounts.check(mia, 'wrong', from(`198.51.100.${net}`));
    for (let net = 0; net < 50; net += 1) expect(await guess(net)).toBeNull();
    const refused = (retryAfter: number) => ({ code: 'TOO_MANY_REQUESTS', details: { retryAfter } });
    await expect(guess(50)).rejects.toMatchObject(refused(300));
    await expect(accounts.check(mia, password, stranger)).rejects.toMatchObject(refused(300));
    expect((await accounts.check(mia, password, known('hers')))?.id).toBe(id);
    for (let count = 0; count < 5; count += 1)
      expect(await accounts.check(mia, 'wrong', known('other'))).toBeNull();
    await expect(accounts.check(mia, password, known('other'))).rejects.toMatchObject(refused(1));
    expect((await accounts.check(mia, password, known('hers')))?.id).toBe(id);
    clock.move(5 * 60_000);
    // Refused tries were not counted: the right password is accepted, and makes room again.
    expect((await accounts.check(mia, password, stranger))?.id).toBe(id);
    expect(await guess(50)).toBeNull();
    await expect(guess(51)).rejects.toMatchObject(refused(300));
  });

  it('SES-3: as many guesses are stored as there may be, the latest ones', async () => {
    const { accounts, database, clock } = await accountsOn(engine);
    for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
      await accounts.check(email, 'wrong', stranger);
      clock.move(1_000);
    }
    const sweep = (most: number) => database.transaction((tx) => sweepAccounts(tx, clock.now(), 100, most));
    expect([await sweep(6), await sweep(5), await sweep(2)]).toEqual([0, 2, 2]);
    expect(await sweep(2)).toBe(0);
  });

  it('SES-3: a wish for a new password is taken at once, the next after a minute, apart from the guesses', async () => {
    const { accounts, clock } = await accountsOn(engine);
    await accounts.countRequest('forgotten', mia, '192.0.2.1');
    clock.move(500);
    await expect(accounts.countRequest('forgotten', mia, '192.0.2.1')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      details: { retryAfter: 60 },
    });
    await accounts.countRequest('forgotten', 'sam@example.org', '192.0.2.1');
    expect(await accounts.check(mia, 'wrong', stranger)).toBeNull();
    clock.move(59_500);
    await accounts.countRequest('forgotten', mia, '192.0.2.1');
    clock.move(60_000);
    await expect(accounts.countRequest('forgotten', mia, '192.0.2.1')).rejects.toMatchObject({
      details: { retryAfter: 60 },
    });
    for (let net = 2; net < 10; net += 1) await accounts.countRequest('forgotten', mia, `192.0.2.${net}`);
    await expect(accounts.countRequest('forgotten', mia, '192.0.2.10')).rejects.toMatchObject({
      details: { retryAfter: 3_600 - 120 },
    });
  });

  it.each(once)('SES-3: the right password renews a hash of older parameters, and no other', async () => {
    const { create, accounts, database } = await accountsOn(engine, todays);
    const id = await create();
    const hash = async () => (await accounts.byId(database.read, id))?.passwordHash ?? '';
    const today = await hash();
    await accounts.check(mia, password, stranger);
    expect(await hash()).toBe(today);
    const nonce = randomBytes(16);
    const older = argon2Sync('argon2id', {
      message: password,
      nonce,
      memory: 8,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    });
    const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const outdated = `$argon2id$v=19$m=8,t=1,p=1$${bare(nonce)}$${bare(older)}`;
    await database.transaction((tx) => tx.updateTable('account').set({ password_hash: outdated }).execute());
    await accounts.check(mia, 'wrong', stranger);
    expect(await hash()).toBe(outdated);
    expect((await accounts.check(mia, password, stranger))?.id).toBe(id);
    expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=7168/);
    expect((await accounts.check(mia, password, stranger))?.id).toBe(id);
  });

  it.each(once)('SES-3: a common password is refused, and the answer points at its field', async () => {
    const { accounts } = await accountsOn(engine);
    const errors = (pointer: string) => ({
      code: 'INVALID_BODY',
      details: {
        errors: [
          {
            pointer,
            code: 'common',
          },
        ],
      },
    });
    await expect(accounts.prepare('password12345', { email: mia })).rejects.toMatchObject(
      errors('/password'),
    );
    await expect(accounts.prepare(mia, { email: mia }, '/newPassword')).rejects.toMatchObject(
      errors('/newPassword'),
    );
  });
});
