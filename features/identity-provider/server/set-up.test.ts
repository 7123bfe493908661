import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimSetUp } from '#features/identity-provider/contract/identity-provider.ts';
import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { getPerson, setBlocked, setRoles } from '#features/people/contract/people.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { systemClock } from '#server/platform/time/clock.ts';
import type { Database } from '#server/platform/database/database.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { engines, freshDatabase, oneEngine, openDatabase, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { wasSetUp } from '#features/permissions/server/permissions.store.ts';
import { createAccounts } from './accounts.ts';
import { createSetUp } from './set-up.ts';

const olivia = {
  email: 'olivia@example.org',
  firstName: 'Olivia',
  lastName: 'Operator',
  password: 'wobbly-kettle-9-harbour',
};
const otto = {
  email: 'otto@example.org',
  firstName: 'Otto',
  lastName: 'Other',
  password: 'cactus under the fjord',
};
const hour = 3_600_000;

const file = (app: TestApp) => join(app.config.dataDir, 'set-up-token');
const tokenIn = (app: TestApp) => readFileSync(file(app), 'utf8').trim();

describe.each(engines)('the first operator on %s', (engine) => {
  const once = provedOn(engine);
  it('START-6: is created with the token in the file, which is for its owner alone and stored as a hash', async () => {
    const app = await startApp({ engine });
    const token = tokenIn(app);
    expect(statSync(file(app)).mode & 0o777).toBe(0o600);
    expect(app.setUpOffer()).toMatchObject({ link: `${app.url}/set-up#${token}`, file: file(app) });
    const rows = await app.database.read.selectFrom('one_time_link').selectAll().execute();
    expect(rows).toMatchObject([{ purpose: 'set-up' }]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(app.log)).not.toContain(token);

    // Until then there is no account, and a sign-in would lead nowhere.
    const wayIn = async () =>
      (await fetch(`${app.url}/flags`, { headers: { accept: 'text/html' }, redirect: 'manual' })).headers.get(
        'location',
      );
    expect(await wayIn()).toBe('/set-up');
    const claimed = await app.call(claimSetUp, { body: { token, ...olivia } });
    expect([claimed.status, claimed.body.next]).toEqual([201, '/auth/login']);

    const browser = openBrowser(app.url);
    expect(await wayIn()).toBe('/auth/login?returnTo=%2Fflags');
    expect((await browser.signIn(olivia)).path).toBe('/console');
    const { accessToken } = (await browser.renew()).body;
    const rights = await app.call(getPermissions, { params: { userId: 'current' } }, { accessToken });
    expect(rights.body).toContain('PEOPLE_WRITE');
    expect(existsSync(file(app))).toBe(false);
    const audit = await app.database.read
      .selectFrom('audit')
      .select(['action', 'actor_name', 'after'])
      .execute();
    expect(audit).toMatchObject([{ action: 'set-up.claim', actor_name: olivia.email }]);
    expect(JSON.stringify(audit)).not.toContain(olivia.password);

    // The same where others run the installation, by roles of their own.
    await app.database.transaction((tx) => tx.deleteFrom('person_role').execute());
    expect(await wayIn()).toBe('/auth/login?returnTo=%2Fflags');
  });

  it('START-6: of two claims at once one creates the operator; afterwards the route answers 404', async () => {
    const app = await startApp({ engine });
    const token = tokenIn(app);
    const answers = await Promise.all(
      [olivia, otto].map((operator) => app.call(claimSetUp, { body: { token, ...operator } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404]);
    expect((await app.call(claimSetUp, { body: { token, ...otto } })).status).toBe(404);
    expect(await app.database.read.selectFrom('person').select('id').execute()).toHaveLength(1);
    expect(await app.database.read.selectFrom('account').select('id').execute()).toHaveLength(1);
    expect(await app.database.read.selectFrom('one_time_link').selectAll().execute()).toEqual([]);
  });

  it.each(once)('START-6: a wrong or expired token creates no account; the link is renewed', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const token = tokenIn(app);
    for (const guess of ['x'.repeat(43), token.slice(0, 42), `${token}x`, token.toLowerCase()]) {
      expect((await app.call(claimSetUp, { body: { token: guess, ...olivia } })).problem?.code).toBe(
        'LINK_INVALID',
      );
    }
    clock.move(24 * hour);
    expect((await app.call(claimSetUp, { body: { token, ...olivia } })).problem?.code).toBe('LINK_INVALID');
    await app.sweep();
    const renewed = tokenIn(app);
    expect(renewed).not.toBe(token);
    expect((await app.call(claimSetUp, { body: { token, ...olivia } })).problem?.code).toBe('LINK_INVALID');
    expect((await app.call(claimSetUp, { body: { token: renewed, ...olivia } })).status).toBe(201);
  });

  it.each(once)('START-6: a restart leaves the link valid that a person may have open', async () => {
    const app = await startApp({ engine });
    const token = tokenIn(app);
    await app.stop();
    const again = await startApp({ after: app });
    expect(tokenIn(again)).toBe(token);
    await expect
      .poll(async () => (await again.call(claimSetUp, { body: { token, ...olivia } })).status)
      .toBe(201);
  });

  it('START-6: OPERATOR_EMAIL and OPERATOR_PASSWORD create the operator unattended, once', async () => {
    const operator = { email: olivia.email, password: olivia.password };
    const app = await startApp({ engine, config: { operator } });
    expect([app.setUpOffer(), existsSync(file(app))]).toEqual([null, false]);
    expect((await openBrowser(app.url).signIn(operator)).path).toBe('/console');
    await app.stop();
    const again = await startApp({
      after: app,
      config: { operator: { email: otto.email, password: otto.password } },
    });
    expect(await again.database.read.selectFrom('person').select('email').execute()).toEqual([
      { email: olivia.email },
    ]);
  });
});

describe.each(oneEngine)('after the first operator on %s', (engine) => {
  const isClosed = async (app: TestApp, token: string) => {
    expect((await fetch(`${app.url}/set-up`)).status).toBe(404);
    await app.sweep();
    expect([app.setUpOffer(), existsSync(file(app))]).toEqual([null, false]);
    expect((await app.call(claimSetUp, { body: { token, ...otto } })).status).toBe(404);
    const page = await fetch(`${app.url}/flags`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect(page.headers.get('location')).toBe('/auth/login?returnTo=%2Fflags');
  };
  const claimed = async () => {
    const app = await startApp({ engine });
    const token = tokenIn(app);
    await app.call(claimSetUp, { body: { token, ...olivia } });
    const { id } = await app.database.read.selectFrom('person').select('id').executeTakeFirstOrThrow();
    const other = await signIn(app, { roles: ['operator'] });
    return { app, token, id, other };
  };
  const rolesIn = (app: TestApp) => app.database.read.selectFrom('person_role').selectAll().execute();

  it('START-6: set-up never opens again, also after the operator was blocked', async () => {
    const { app, token, id, other } = await claimed();
    const person = { params: { personId: id } };
    const { version } = (await other.call(getPerson, person)).body;
    const changed = await other.call(setRoles, { ...person, body: { roles: ['member'], version } });
    await other.call(setBlocked, {
      ...person,
      body: { blocked: true, version: changed.body.version },
    });
    // Others run it by roles of their own.
    await app.database.transaction((tx) =>
      tx.deleteFrom('person_role').where('role', '=', 'operator').execute(),
    );
    await isClosed(app, token);
    expect((await openBrowser(app.url).signIn(olivia)).path).toBe('/auth/failed?reason=blocked');

    await app.stop();
    const { email, password } = olivia;
    const again = await startApp({ after: app, config: { operator: { email, password } } });
    await isClosed(again, token);
    expect(await rolesIn(again)).toMatchObject([{ person_id: id, role: 'member' }]);
    expect((await openBrowser(again.url).signIn(olivia)).path).toBe('/auth/failed?reason=blocked');
  });

  it('START-6: set-up stays closed after all operators were erased', async () => {
    const { app, token, id, other } = await claimed();
    const erased = await other.call(erasePerson, {
      params: { personId: id },
      body: { confirmation: olivia.email, reports: 'keep' },
    });
    expect(erased.status).toBe(200);
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('person_role').execute();
      await tx.deleteFrom('account').execute();
    });
    await isClosed(app, token);
  });

  it('START-6: removes its token file when another process makes the operator', async () => {
    const app = await startApp({ engine });
    const other = await openDatabase(app.place.location);
    await addPerson({ database: other }, { email: otto.email, password: null, roles: ['operator'] });
    await other.close();
    await expect.poll(() => existsSync(file(app))).toBe(false);
  });
});

describe.each(engines)('a race for the first operator on %s', (engine) => {
  /** The set-up of a place, with what happens while a password is hashed, and the database as it is read. */
  async function setUpWith(
    meanwhile: (database: Database) => Promise<unknown>,
    asRead = (database: Database): Database => database,
  ) {
    const { location, dataDir } = await freshDatabase(engine);
    const database = await openDatabase(location);
    const accounts = createAccounts({ database, clock: systemClock, publicUrl: '' });
    const setUp = createSetUp({
      database: asRead(database),
      feed: { on: () => undefined },
      clock: systemClock,
      publicUrl: '',
      dataDir,
      accounts: {
        ...accounts,
        async prepare(...given) {
          await meanwhile(database);
          return accounts.prepare(...given);
        },
      },
      administration: {
        addPerson: (_change, { email }) => Promise.reject(new Error(`${email} is one too many.`)),
      },
    });
    return setUp;
  }
  const byCommand = (database: Database) =>
    addPerson({ database }, { email: otto.email, password: null, roles: ['operator'] });

  it('START-6: a claim that others came before, while its password was hashed, creates no account', async () => {
    const setUp = await setUpWith(byCommand);
    const token = new URL((await setUp.offer())?.link ?? '', 'http://here').hash.slice(1);
    await expect(setUp.claim(token, olivia)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('START-6: a claim that another comes before, between two of its readings, hears that all is set up', async () => {
    const setUp = await setUpWith(byCommand, (database) => ({
      ...database,
      read: database.read.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (await wasSetUp(database.read)) return result;
          await byCommand(database);
          await database.transaction((tx) => tx.deleteFrom('one_time_link').execute());
          return result;
        },
      }),
    }));
    const token = 'x'.repeat(43);
    await expect(setUp.check(token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('START-6: a start that others came before, while the password was hashed, creates no account', async () => {
    const setUp = await setUpWith(byCommand);
    await expect(setUp.createUnattended(olivia)).resolves.toBeUndefined();
  });

  it('START-6: a link that was used up or replaced while the password was hashed creates no account', async () => {
    const setUp = await setUpWith((database) =>
      database.transaction((tx) => tx.deleteFrom('one_time_link').execute()),
    );
    const token = new URL((await setUp.offer())?.link ?? '', 'http://here').hash.slice(1);
    await expect(setUp.claim(token, olivia)).rejects.toMatchObject({ code: 'LINK_INVALID' });
  });
});

describe('the first operator', () => {
  it('SES-3: does not get a common password, nor one made of their name', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const token = tokenIn(app);
    for (const password of ['password12345', 'OliviaOperator1', 'olivia@example.org']) {
      const { problem } = await app.call(claimSetUp, { body: { token, ...olivia, password } });
      expect(problem).toMatchObject({
        code: 'INVALID_BODY',
        errors: [{ pointer: '/password', code: 'common' }],
      });
    }
    const short = await app.call(claimSetUp, { body: { token, ...olivia, password: 'short' } });
    expect(short.problem?.errors).toMatchObject([{ pointer: '/password', code: 'too_small' }]);
    expect(await app.database.read.selectFrom('account').selectAll().execute()).toEqual([]);
  });

  it('START-5: a common OPERATOR_PASSWORD stops the start with one line that does not repeat it', async () => {
    const operator = { email: olivia.email, password: 'password12345' };
    await expect(startApp({ engine: 'sqlite', config: { operator } })).rejects.toThrow(
      'OPERATOR_PASSWORD holds "(a secret)"; expected a password that is not a common one.',
    );
  });

  it('START-5: an OPERATOR_EMAIL that another person has stops the start with one line', async () => {
    const place = await freshDatabase('sqlite');
    const database = await openDatabase(place.location);
    await addPerson({ database }, { email: olivia.email, roles: ['member'] });
    await database.close();
    const operator = { email: olivia.email, password: olivia.password };
    await expect(startApp({ on: place, config: { operator } })).rejects.toThrow(
      'OPERATOR_EMAIL holds "olivia@example.org"; expected an address that no one else here has.',
    );
  });

  it('START-6: replicas each offer a token of their own, and one claim ends both', async () => {
    const app = await startApp({ engine: 'postgres' });
    const replica = await startApp({ replicaOf: app, config: { dataDir: `${app.config.dataDir}/replica` } });
    const [one, other] = [tokenIn(app), tokenIn(replica)];
    expect(one).not.toBe(other);
    expect((await app.call(claimSetUp, { body: { token: other, ...olivia } })).status).toBe(201);
    expect((await replica.call(claimSetUp, { body: { token: one, ...otto } })).status).toBe(404);
    await replica.sweep();
    expect([replica.setUpOffer(), existsSync(file(replica))]).toEqual([null, false]);
  });
});
