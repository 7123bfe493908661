import { describe, expect, it, vi } from 'vitest';
import type { Person } from '#features/people/contract/people.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Change } from '#server/platform/database/database.ts';
import { oneEngine, openFresh, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, giveRight, type PersonToAdd } from '#server/testing/people.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { createAccounts, embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import { readFacts, setRolesOf } from '#features/permissions/server/permissions.store.ts';
import { insertSession } from '#features/session/server/session.store.ts';
import {
  createAdministration,
  makeOperator,
  recover,
  type Administration,
  type AdministrationParts,
} from './administration.ts';
import { requireAdministrator } from '#features/permissions/server/last-administrator.ts';
import { createDirectory } from '#features/directory/server/directory.ts';
import { identityOf, invitedIssuer, writeBlocked } from '#features/directory/server/people.store.ts';

const root: Actor = { kind: 'command-line', id: null, name: 'root' };
const ada = { email: 'ada@example.org', firstName: 'Ada', lastName: 'King', roles: ['member'] };

async function administrationOn(engine: Engine) {
  const clock = movableClock();
  const database = await openFresh(engine, clock);
  const accounts = createAccounts({ database, clock, publicUrl: 'https://portico.example' });
  const awaitPerson = vi.fn<NonNullable<AdministrationParts['awaitPerson']>>(() => Promise.resolve());
  const parts = {
    accounts: { issuer: embeddedIssuer, invite: accounts.invite, renewLink: accounts.renewLink },
    notifyPerson: async () => {},
    awaitPerson: null,
  };
  const change = <T>(work: (change: Change) => Promise<T>) => database.change(work);
  const [embedded, outside] = [createAdministration(parts), createAdministration({ ...parts, awaitPerson })];
  const operator = await addPerson({ database }, { roles: ['operator'] });
  return {
    database,
    clock,
    accounts,
    change,
    embedded,
    outside,
    awaitPerson,
    operator,
    signIn: (personId: string) =>
      database.transaction((tx) =>
        insertSession(tx, {
          id: `session of ${personId}`,
          secretHash: personId,
          personId,
          idToken: '',
          createdAt: clock.now(),
          provedAt: clock.now(),
          seenAt: clock.now(),
          expiresAt: clock.now() + 1_000,
          browser: '',
          system: '',
        }),
      ),
    sessionsOf: async (personId: string) =>
      (await database.read.selectFrom('session').select('id').where('person_id', '=', personId).execute())
        .length,
    add: (person: PersonToAdd) => addPerson({ database }, person),
    invite: (by: Administration, draft = ada) => change((each) => by.invite(each, root, draft)),
    renew: (by: Administration, personId: string) =>
      change((each) => by.renewInvitation(each, root, personId)),
    block: (personId: string, blocked: boolean, version: number) =>
      change((each) =>
        embedded.setBlocked(each, root, personId, {
          blocked,
          version,
        }),
      ),
    row: (personId: string) =>
      database.read.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirstOrThrow(),
    rolesOf: async (personId: string) =>
      (await readFacts(database.read, [personId])).get(personId)?.roles.map(({ role }) => role) ?? [],
    actions: async () =>
      (await database.read.selectFrom('audit').select('action').orderBy('at').execute()).map(
        ({ action }) => action,
      ),
  };
}

describe.each(oneEngine)('people and where they sign in, on %s', (engine) => {
  it('SES-3: at the embedded provider an invitation is a link, and the operator’s word for the address is enough', async () => {
    const { embedded, invite, row, renew, awaitPerson } = await administrationOn(engine);
    const { person, invitation } = await invite(embedded);
    expect(person).toMatchObject({ email: 'ada@example.org', state: 'invited', roles: ['member'] });
    expect(invitation?.link).toContain('/invitation#');
    expect(Object.keys(invitation ?? {}).toSorted()).toEqual(['expiresAt', 'link']);
    expect(await row(person.id)).toMatchObject({ issuer: embeddedIssuer, email_verified: 1 });
    expect((await renew(embedded, person.id)).link).not.toBe(invitation?.link);
    expect(awaitPerson).not.toHaveBeenCalled();
  });

  it('SES-4: at another provider the person is waited for by an address that is still to be verified, without a link', async () => {
    const { outside, embedded, invite, row, awaitPerson, renew, actions } = await administrationOn(engine);
    const { person, invitation } = await invite(outside);
    expect([invitation, person.state]).toEqual([null, 'invited']);
    expect(await row(person.id)).toMatchObject({ issuer: invitedIssuer, email_verified: 0 });
    expect(awaitPerson.mock.calls).toEqual([[expect.anything(), person.id, 'ada@example.org']]);
    const elsewhere = { code: 'CONFLICT', message: expect.stringContaining('another provider') as string };
    await expect(renew(outside, person.id)).rejects.toMatchObject(elsewhere);
    // Also where the installation has gone back to the embedded provider.
    await expect(renew(embedded, person.id)).rejects.toMatchObject(elsewhere);
    // And the other way round: a person who was invited by a link before.
    const before = await invite(embedded, { ...ada, email: 'before@example.org' });
    await expect(renew(outside, before.person.id)).rejects.toMatchObject(elsewhere);
    expect(await actions()).toEqual(['person.invite', 'person.invite']);
  });

  it('SES-3: who needs no other link learns why', async () => {
    const { embedded, add, renew, block, invite } = await administrationOn(engine);
    const refused = (text: string) => ({
      code: 'CONFLICT',
      message: expect.stringContaining(text) as string,
    });
    await expect(renew(embedded, await add({ email: 'x@example.org' }))).rejects.toMatchObject(
      refused('signed up'),
    );
    const { person } = await invite(embedded);
    await block(person.id, true, person.version);
    await expect(renew(embedded, person.id)).rejects.toMatchObject(refused('blocked'));
    await expect(renew(embedded, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('SES-8: a block ends the sessions, its end does not; no one blocks themselves', async () => {
    const { add, block, signIn, sessionsOf, embedded, change, operator, actions } =
      await administrationOn(engine);
    const id = await add({ email: 'x@example.org' });
    await signIn(id);
    const blocked = await block(id, true, 1);
    expect([blocked.state, await sessionsOf(id)]).toEqual(['blocked', 0]);
    await signIn(id);
    const free = await block(id, false, blocked.version);
    expect([free.state, await sessionsOf(id)]).toEqual(['active', 1]);
    expect(await block(id, false, free.version)).toEqual(free);
    const self: Actor = { kind: 'person', id: operator, name: 'op', sessionId: null };
    const own = (wanted: boolean) =>
      change((each) => embedded.setBlocked(each, self, operator, { blocked: wanted, version: 1 }));
    await expect(own(true)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await own(false)).state).toBe('active');
    expect(await actions()).toEqual(['person.block', 'person.unblock']);
  });

  it('START-6: the first operator has the account that was made; others become it, or are unblocked, with all they had', async () => {
    const { embedded, accounts, change, add, rolesOf, row, signIn, sessionsOf, database } =
      await administrationOn(engine);
    const password = await accounts.prepare('wobbly-kettle-9-harbour', { email: ada.email });
    const person: Person = await change(async (each) =>
      embedded.addPerson(each, ada, await accounts.create(each, { email: ada.email, password })),
    );
    expect(person).toMatchObject({ email: ada.email, roles: ['member'], state: 'active' });
    expect(await identityOf(database.read, person.id)).toMatchObject({ issuer: embeddedIssuer });
    await expect(change((each) => embedded.addPerson(each, ada, 'another account'))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { errors: [{ pointer: '/email', code: 'taken' }] },
    });

    await change((each) => makeOperator(each, person.id));
    expect(await rolesOf(person.id)).toEqual(['member', 'operator']);
    expect((await row(person.id)).version).toBe(2);

    const out = await add({ email: 'out@example.org', roles: ['support'] });
    await change(async (each) => {
      await writeBlocked(each, out, each.at);
      await giveRight(each, out, 'PEOPLE_WRITE', 'denial');
    });
    for (const each of [person.id, out]) await signIn(each);
    const { before, after } = await change((each) => recover(each, out));
    expect([before.state, after.state, after.roles]).toEqual(['blocked', 'active', ['operator', 'support']]);
    expect(await database.read.selectFrom('person_right').selectAll().execute()).toEqual([]);
    expect([await sessionsOf(person.id), await sessionsOf(out)]).toEqual([1, 0]);
  });

  it('RIGHT-3: roles that are partly the same are a change; the same in another order are none', async () => {
    const { add, embedded, change, rolesOf } = await administrationOn(engine);
    const id = await add({ email: 'x@example.org', roles: ['member', 'support'] });
    const set = (roles: string[], version: number) =>
      change((each) => embedded.setRoles(each, root, id, { roles, version }));
    expect((await set(['support', 'member', 'support'], 1)).version).toBe(1);
    expect((await set(['member', 'operator'], 1)).version).toBe(2);
    expect(await rolesOf(id)).toEqual(['member', 'operator']);
    await expect(set(['member', 'emperor'], 2)).rejects.toMatchObject({
      details: { errors: [{ pointer: '/roles/1', code: 'unknown' }] },
    });
  });

  it('RIGHT-3: where only a grant that ends manages people, that one stays too; where no one does, anything goes', async () => {
    const { change, operator, add } = await administrationOn(engine);
    const guest = await add({ email: 'guest@example.org' });
    await change(async (each) => {
      await giveRight(each, guest, 'PEOPLE_WRITE', 'grant', each.at + 60_000);
      await setRolesOf(each, operator, []);
    });
    const block = () =>
      change((each) => requireAdministrator(each, () => writeBlocked(each, guest, each.at)));
    await expect(block()).rejects.toMatchObject({ code: 'LAST_ADMINISTRATOR' });
    const renewed = change((each) =>
      requireAdministrator(each, () => giveRight(each, guest, 'PEOPLE_WRITE', 'grant', each.at + 90_000)),
    );
    await expect(renewed).resolves.toBeUndefined();
    await change((each) => writeBlocked(each, guest, each.at));
    await expect(change((each) => requireAdministrator(each, () => Promise.resolve('done')))).resolves.toBe(
      'done',
    );
  });
});

it('SES-8: how a person stands is answered from memory until they change; of the invited it is asked each time', async () => {
  const database = await openFresh('sqlite', movableClock());
  const [active, invited] = [
    await addPerson({ database }, { email: 'active@example.org' }),
    await addPerson({ database }, { email: 'invited@example.org', password: null }),
  ];
  const listeners: ((key: string) => void)[] = [];
  const feed: ChangeFeed = {
    on: (topic, listener) =>
      void listeners.push((key) => topic === 'person' && listener({ topic, key, revision: 1, at: 1 })),
    publishedAt: () => 0,
    close: () => Promise.resolve(),
  };
  const people = createDirectory({ database, feed });
  for (const [id, state, inMemory] of [
    [active, 'active', true],
    [invited, 'invited', false],
  ] as const) {
    expect(people.accountState(id)).toBeInstanceOf(Promise);
    expect(await people.accountState(id)).toMatchObject({ state });
    expect(people.accountState(id) instanceof Promise).toBe(!inMemory);
  }
  for (const publish of listeners) publish(active);
  expect(people.accountState(active)).toBeInstanceOf(Promise);
  expect(await people.accountState('nobody')).toBeNull();
});
