import { describe, expect, it } from 'vitest';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import type { ProposedChange } from '#features/permissions/contract/administration.ts';
import type { Change } from '#server/platform/database/database.ts';
import { engines, openFresh, type Engine } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, aTest, giveRight } from '#server/testing/people.ts';
import { replaceGroups } from '#features/outside-provider/server/follow-person.ts';
import { setRolesOf } from './permissions.store.ts';
import { insertMapping, insertRight, insertRole, type MappingDraft } from './rules.store.ts';
import {
  peopleInGroups,
  peopleWithRight,
  peopleWithRoles,
  previewOf,
  publishAffected,
} from './affected-people.ts';

const now = 1_800_000_000_000;

/**
 * Two own rights and an own role with the first of them; Ada has the role, Ben is in `/staff/a`, Cem in
 * `/staff`, and Dan has nothing.
 */
async function seeded(engine: Engine) {
  const database = await openFresh(engine, movableClock(now));
  const named = (firstName: string) => addPerson({ database }, { firstName, lastName: 'X' });
  const ids = {
    ada: await named('Ada'),
    ben: await named('Ben'),
    cem: await named('Cem'),
    dan: await named('Dan'),
  };
  const change = <T>(work: (change: Change) => Promise<T>) => database.change(work);
  const texts = { label: 'A label', description: '', area: 'An area' };
  await change(async (each) => {
    await insertRight(each, 'ORDERS_SEE', texts);
    await insertRight(each, 'ORDERS_CHANGE', texts);
    await insertRole(each, 'clerks', { name: 'Clerks', description: '', rights: ['ORDERS_SEE'] });
    await setRolesOf(each, ids.ada, ['clerks']);
    await replaceGroups(each, ids.ben, { roles: [], groups: ['/staff/a'] });
    await replaceGroups(each, ids.cem, { roles: ['/staff/a'], groups: ['/staff'] });
  });
  const nameOf = (id: string) =>
    Object.entries(ids).find(([, each]) => each === id)?.[0] ?? (id === '' ? 'everybody' : id);
  return {
    database,
    ids,
    change,
    nameOf,
    map: (mapping: MappingDraft) => change((each) => insertMapping(each, mapping, aTest)),
    async preview(draft: ProposedChange, managers: string[] = []) {
      const { people, ...rest } = await previewOf(database.read, draft, now, () => Promise.resolve(managers));
      return {
        ...rest,
        people: people.map(({ id, gained, lost }) => [nameOf(id), gained.join(' '), lost.join(' ')]),
      };
    },
  };
}

const onStaff = (match: 'exact' | 'prefix', roles = ['clerks']) =>
  ({ kind: 'group', match, name: '/staff', roles }) as const;
const untouched = { touched: 0, gaining: 0, losing: 0, people: [], roles: [], mappings: 0 };

describe.each(engines)('the preview of a change on %s', (engine) => {
  it('RIGHT-3: a mapping gives, changes and takes: to the people in its groups alone, before and after', async () => {
    const { preview, map, change, ids } = await seeded(engine);
    expect(await preview({ change: 'add-mapping', mapping: onStaff('exact') })).toMatchObject({
      touched: 1,
      gaining: 1,
      losing: 0,
      lastAdministrator: false,
      people: [['cem', 'ORDERS_SEE', '']],
    });
    const added = await preview({ change: 'add-mapping', mapping: onStaff('prefix') });
    expect(added.people).toEqual([
      ['ben', 'ORDERS_SEE', ''],
      ['cem', 'ORDERS_SEE', ''],
    ]);

    const mappingId = await map(onStaff('prefix'));
    // Another mapping goes on giving what it gives.
    await map({ ...onStaff('exact'), name: '/staff/a' });
    const changed = await preview({
      change: 'set-mapping',
      mappingId,
      mapping: onStaff('exact', ['support']),
    });
    expect(changed).toMatchObject({ touched: 1, gaining: 1, losing: 1 });
    expect(changed.people).toEqual([['cem', builtInRoles.support.toSorted().join(' '), 'ORDERS_SEE']]);
    expect(await preview({ change: 'remove-mapping', mappingId })).toMatchObject({
      touched: 1,
      gaining: 0,
      losing: 1,
      people: [['cem', '', 'ORDERS_SEE']],
    });
    // A person who has the right in another way loses nothing, and a missing mapping changes nothing.
    await change((each) => setRolesOf(each, ids.cem, ['clerks']));
    expect(await preview({ change: 'remove-mapping', mappingId })).toMatchObject(untouched);
    expect(await preview({ change: 'remove-mapping', mappingId: 'gone' })).toMatchObject(untouched);
  });

  it('RIGHT-3: a role gives and takes, and so does its removal, also where a group gives it', async () => {
    const { preview, map } = await seeded(engine);
    const rights = ['ORDERS_CHANGE'];
    const set = { change: 'set-role', role: 'clerks', rights } as const;
    expect(await preview(set)).toMatchObject({
      touched: 1,
      gaining: 1,
      losing: 1,
      mappings: 0,
      roles: [],
      people: [['ada', 'ORDERS_CHANGE', 'ORDERS_SEE']],
    });
    await map(onStaff('prefix'));
    await map(onStaff('exact', ['support']));
    expect(await preview(set)).toMatchObject({ touched: 3, mappings: 1 });
    expect(await preview({ change: 'remove-role', role: 'clerks' })).toMatchObject({
      touched: 3,
      gaining: 0,
      losing: 3,
      mappings: 1,
      people: ['ada', 'ben', 'cem'].map((name) => [name, '', 'ORDERS_SEE']),
    });
  });

  it('RIGHT-3: a removed right is taken from roles and grants; a grant that has ended, or was denied, is no loss', async () => {
    const { preview, change, ids } = await seeded(engine);
    const give = (personId: string, effect: 'grant' | 'denial', expiresAt: number | null) =>
      change((each) => giveRight(each, personId, 'ORDERS_SEE', effect, expiresAt));
    await give(ids.ben, 'grant', now + 1);
    await give(ids.cem, 'grant', now);
    await give(ids.dan, 'grant', null);
    await give(ids.dan, 'denial', null);
    expect(await preview({ change: 'remove-right', right: 'ORDERS_SEE' })).toMatchObject({
      touched: 2,
      gaining: 0,
      losing: 2,
      roles: ['clerks'],
      people: [
        ['ada', '', 'ORDERS_SEE'],
        ['ben', '', 'ORDERS_SEE'],
      ],
    });
  });

  it('RIGHT-3: reports where no one would be left who can manage people for good', async () => {
    const { preview, change, ids, map } = await seeded(engine);
    await change(async (each) => {
      await insertRole(each, 'managers', { name: 'M', description: '', rights: ['PEOPLE_WRITE'] });
      for (const id of [ids.ada, ids.ben]) await setRolesOf(each, id, ['managers']);
    });
    const gone = { change: 'remove-role', role: 'managers' } as const;
    const last = async (managers: string[], draft: ProposedChange = gone) =>
      (await preview(draft, managers)).lastAdministrator;
    expect(await last([ids.ada, ids.ben])).toBe(true);
    // A person whom the change does not touch is enough.
    expect(await last([ids.ada, ids.ben, ids.dan])).toBe(false);
    // Where no one managed people before, none is lost.
    expect(await last([])).toBe(false);
    expect(await last([ids.ada], { change: 'set-role', role: 'managers', rights: ['PEOPLE_WRITE'] })).toBe(
      false,
    );

    const grant = (expiresAt: number | null, effect: 'grant' | 'denial' = 'grant') =>
      change((each) => giveRight(each, ids.ada, 'PEOPLE_WRITE', effect, expiresAt));
    // A grant that ends by itself does not count as managing for good; one without an end does, unless it is
    // denied.
    await grant(now + 1_000);
    expect(await last([ids.ada])).toBe(true);
    await grant(null);
    expect(await last([ids.ada])).toBe(false);
    await grant(now + 1_000, 'denial');
    expect(await last([ids.ada])).toBe(true);
    // A mapping that takes nothing from a manager.
    await map(onStaff('exact', ['managers']));
    expect(await last([ids.ada, ids.ben], { change: 'add-mapping', mapping: onStaff('exact') })).toBe(false);
  });

  it('RIGHT-3: fifty people are named with fifty rights each, all are counted, however many they are', async () => {
    const { preview, database, change } = await seeded(engine);
    const many = Array.from({ length: 51 }, (_, n) => `R_${String(n).padStart(2, '0')}`);
    const crowd: string[] = [];
    for (let n = 0; n < 101; n += 1) crowd.push(await addPerson({ database }, { firstName: `P ${n}` }));
    await change(async (each) => {
      for (const right of many.toReversed())
        await insertRight(each, right, { label: 'A label', description: '', area: 'An area' });
      for (const id of crowd) await setRolesOf(each, id, ['clerks']);
    });
    const found = await preview({
      change: 'set-role',
      role: 'clerks',
      rights: ['ORDERS_SEE', ...many.toReversed()],
    });
    expect(found).toMatchObject({ touched: 102, gaining: 102, losing: 0 });
    expect(found.people).toHaveLength(50);
    expect(found.people[0]).toEqual(['ada', many.slice(0, 50).join(' '), '']);
  });
});

describe.each(engines)('to whom changed rules are published on %s', (engine) => {
  it('RIGHT-3: those in the groups that a mapping means, and those who have a right by whatever way', async () => {
    const { database, nameOf, map, change, ids } = await seeded(engine);
    const found = async (people: ReturnType<typeof peopleInGroups>) =>
      [...new Set((await people.execute(database.read)).rows.map((row) => nameOf(row.person_id)))].toSorted();
    expect(await found(peopleInGroups(onStaff('exact')))).toEqual(['cem']);
    expect(await found(peopleInGroups(onStaff('prefix')))).toEqual(['ben', 'cem']);
    expect(await found(peopleInGroups({ ...onStaff('prefix'), kind: 'role' }))).toEqual(['cem']);
    expect(await found(peopleWithRoles([]))).toEqual([]);
    await map(onStaff('exact'));
    expect(await found(peopleWithRoles(['clerks', 'support']))).toEqual(['ada', 'cem']);
    await change((each) => giveRight(each, ids.dan, 'ORDERS_SEE', 'denial'));
    const rules = { roles: new Map([['clerks', ['ORDERS_SEE']]]) };
    expect(await found(peopleWithRight('ORDERS_SEE', rules))).toEqual(['ada', 'cem', 'dan']);
  });

  it('RIGHT-3: up to a thousand people one by one, more than that all at once', async () => {
    const { database, change, nameOf } = await seeded(engine);
    const publishedFor = async (roles: readonly string[]) => {
      const { promise, resolve } = Promise.withResolvers<string[]>();
      database.onChange((changes) => resolve(changes.map(({ topic, key }) => `${topic} ${nameOf(key)}`)));
      await change((each) => publishAffected(each, [peopleWithRoles(roles)]));
      return promise;
    };
    expect((await publishedFor(['clerks'])).toSorted()).toEqual(['right-rules everybody', 'rights ada']);
    const give = (from: number, to: number) =>
      change(async ({ tx }) => {
        for (let n = from; n < to; n += 1) {
          const person = {
            id: `p${n}`,
            issuer: 'x',
            subject: `${n}`,
            email: '',
            email_verified: 0,
            created_at: now,
          };
          await tx
            .insertInto('person')
            .values({ ...person, email_skeleton: null, last_seen_at: null, blocked_at: null, version: 1 })
            .execute();
          await tx
            .insertInto('person_role')
            .values({ person_id: person.id, role: 'clerks', given_at: null, given_by: null })
            .execute();
        }
      });
    await give(0, 999);
    expect(await publishedFor(['clerks'])).toHaveLength(1_001);
    await give(999, 1_000);
    expect((await publishedFor(['clerks'])).toSorted()).toEqual([
      'right-rules everybody',
      'rights everybody',
    ]);
  });
});
