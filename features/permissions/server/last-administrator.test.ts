import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setBlocked, setRoles } from '#features/people/contract/people.ts';
import {
  changeGroupMapping,
  changeRole,
  removeGroupMapping,
  removeOwnRight,
  removeRole,
  setOwnRight,
} from '#features/permissions/contract/administration.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { addPerson, addToken, aTest, giveRight } from '#server/testing/people.ts';
import { decideRights, prepareRules } from './decide-rights.ts';
import { readFacts, setRolesOf } from './permissions.store.ts';
import {
  deleteMapping,
  deleteRole,
  insertMapping,
  insertRole,
  readMappings,
  readRuleSet,
  updateRole,
} from './rules.store.ts';
import type { Change } from '#server/platform/database/database.ts';
import { requireAdministrator, lastingManagers } from './last-administrator.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';
import { holdsRight } from './right-holders.ts';

const managers = { name: 'Managers', description: '', rights: ['PEOPLE_WRITE'] };
const crew = { kind: 'group', match: 'prefix', name: '/crew/', roles: ['managers'] } as const;
const forGood = { expiresAt: null, reason: '' };

/** An installation in which one person alone manages people, in this way. */
type Way = {
  /** Gives it to the person. */
  give(change: Change, personId: string): Promise<unknown>;
  /** The call that would take it away. */
  take(app: TestApp, personId: string): Promise<{ path: Parameters<TestApp['call']>[0]; call: object }>;
};

const ways: Record<string, Way> = {
  'a role that is taken': {
    give: (change, id) => setRolesOf(change, id, ['operator']),
    take: (_app, personId) =>
      Promise.resolve({ path: setRoles, call: { params: { personId }, body: { roles: [], version: 1 } } }),
  },
  'a person who is blocked': {
    give: (change, id) => setRolesOf(change, id, ['operator']),
    take: (_app, personId) =>
      Promise.resolve({
        path: setBlocked,
        call: { params: { personId }, body: { blocked: true, version: 1 } },
      }),
  },
  'a denial': {
    give: (change, id) => setRolesOf(change, id, ['operator']),
    take: (_app, personId) =>
      Promise.resolve({
        path: setOwnRight,
        call: { params: { personId, right: 'PEOPLE_WRITE', effect: 'denial' }, body: forGood },
      }),
  },
  'an own role that loses the right': {
    async give(change, id) {
      await insertRole(change, 'managers', managers);
      await setRolesOf(change, id, ['managers']);
    },
    take: () =>
      Promise.resolve({
        path: changeRole,
        call: { params: { role: 'managers' }, body: { ...managers, rights: ['MAP_VIEW'], version: 1 } },
      }),
  },
  'an own role that is removed': {
    async give(change, id) {
      await insertRole(change, 'managers', managers);
      await setRolesOf(change, id, ['managers']);
    },
    take: () => Promise.resolve({ path: removeRole, call: { params: { role: 'managers' } } }),
  },
  'a grant that is taken back': {
    give: (change, id) => giveRight(change, id, 'PEOPLE_WRITE'),
    take: (_app, personId) =>
      Promise.resolve({
        path: removeOwnRight,
        call: { params: { personId, right: 'PEOPLE_WRITE', effect: 'grant' } },
      }),
  },
  'a grant that gets an end': {
    give: (change, id) => giveRight(change, id, 'PEOPLE_WRITE'),
    take: (_app, personId) =>
      Promise.resolve({
        path: setOwnRight,
        call: {
          params: { personId, right: 'PEOPLE_WRITE', effect: 'grant' },
          body: { expiresAt: Date.now() + 86_400_000, reason: '' },
        },
      }),
  },
  'a mapping that is removed': {
    give: giveByGroup,
    take: async (app) => ({
      path: removeGroupMapping,
      call: { params: { mappingId: (await readMappings(app.database.read))[0]?.id } },
    }),
  },
  'a mapping that means another group': {
    give: giveByGroup,
    take: async (app) => ({
      path: changeGroupMapping,
      call: {
        params: { mappingId: (await readMappings(app.database.read))[0]?.id },
        body: { ...crew, match: 'exact', version: 1 },
      },
    }),
  },
};

async function giveByGroup(change: Change, id: string): Promise<void> {
  await insertRole(change, 'managers', managers);
  await insertMapping(change, crew, aTest);
  await change.tx
    .insertInto('person_group')
    .values({ person_id: id, kind: 'group', name: '/crew/lead' })
    .execute();
}

describe.each(engines)('the last who can manage people on %s', (engine) => {
  it.each(Object.entries(ways))(
    'RIGHT-3: stays: %s is refused, until another person has it for good',
    async (_, way) => {
      const app = await startApp({ engine });
      const script = {
        accessToken: await addToken(app, { rights: builtInRoles.operator }),
      };
      const id = await addPerson(app);
      await app.database.change((change) => way.give(change, id));
      // None of them counts: blocked, not here yet, or only for a while.
      const blocked = await addPerson(app, { roles: ['operator'] });
      await app.database.change((change) => writeBlocked(change, blocked, change.at));
      await addPerson(app, { roles: ['operator'], password: null });
      const passing = await addPerson(app);
      await app.database.change((change) =>
        giveRight(change, passing, 'PEOPLE_WRITE', 'grant', change.at + 86_400_000),
      );
      const { path, call } = await way.take(app, id);
      const before = await app.database.read.selectFrom('audit').select('id').execute();
      const refused = await app.call(path, call, script);
      expect([refused.status, refused.problem?.code]).toEqual([409, 'LAST_ADMINISTRATOR']);
      expect(await lastingManagers(app.database.read, Date.now(), 10)).toEqual([id]);
      expect(await app.database.read.selectFrom('audit').select('id').execute()).toEqual(before);

      await addPerson(app, { roles: ['operator'] });
      expect((await app.call(path, call, script)).status).toBeLessThan(300);
      expect(await lastingManagers(app.database.read, Date.now(), 10)).not.toContain(id);
    },
  );
});

it('RIGHT-3 RUN-1: of two operators who deny or demote each other at once on two replicas one is refused', async () => {
  const app = await startApp({ engine: 'postgres' });
  const replica = await startApp({ replicaOf: app });
  const script = { accessToken: await addToken(app, { rights: builtInRoles.operator }) };
  for (let round = 0; round < 8; round += 1) {
    const [one, other] = [
      await addPerson(app, { roles: ['operator'] }),
      await addPerson(app, { roles: ['operator'] }),
    ];
    await app.database.transaction((tx) =>
      tx.updateTable('person').set({ blocked_at: 1 }).where('id', 'not in', [one, other]).execute(),
    );
    const demote = (where: TestApp, personId: string) =>
      where.call(setRoles, { params: { personId }, body: { roles: [], version: 1 } }, script);
    const deny = (where: TestApp, personId: string) =>
      where.call(
        setOwnRight,
        { params: { personId, right: 'PEOPLE_WRITE', effect: 'denial' }, body: forGood },
        script,
      );
    const answers = await Promise.all([
      demote(app, one),
      round % 2 === 0 ? demote(replica, other) : deny(replica, other),
    ]);
    expect(answers.filter(({ problem }) => problem?.code === 'LAST_ADMINISTRATOR')).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await lastingManagers(app.database.read, Date.now(), 10)).toHaveLength(1);
  }
});

describe.each(engines)('who holds a right on %s', (engine) => {
  it('RIGHT-3: whatever is done, the database decides as the rule does, and a manager is left', async () => {
    const app = await startApp({ engine });
    const { database } = app;
    const people = [await addPerson(app), await addPerson(app), await addPerson(app)];
    const person = fc.constantFrom(...people);
    const roles = fc.subarray(['operator', 'member', 'managers', 'others']);
    const groups = fc.subarray(['/crew/lead', '/crew/', '/crew', '/ĉrew/x']);
    const deed = fc.oneof(
      fc.record({ deed: fc.constant('roles' as const), who: person, roles }),
      fc.record({ deed: fc.constant('block' as const), who: person, blocked: fc.boolean() }),
      fc.record({
        deed: fc.constant('own' as const),
        who: person,
        effect: fc.constantFrom('grant' as const, 'denial' as const),
        expiresAt: fc.constantFrom(null, 1, Date.now() + 86_400_000),
      }),
      fc.record({ deed: fc.constant('groups' as const), who: person, groups }),
      fc.record({
        deed: fc.constant('role' as const),
        rights: fc.subarray(['PEOPLE_WRITE', 'MAP_VIEW']),
      }),
      fc.record({ deed: fc.constant('drop-role' as const) }),
      fc.record({
        deed: fc.constant('mapping' as const),
        match: fc.constantFrom('exact' as const, 'prefix' as const),
        name: fc.constantFrom('/', '/crew', '/crew/', '/ĉ'),
        roles: fc.subarray(['operator', 'managers'], { minLength: 1 }),
      }),
      fc.record({ deed: fc.constant('drop-mapping' as const) }),
    );

    async function act(change: Change, one: typeof deed extends fc.Arbitrary<infer D> ? D : never) {
      const known = await readRuleSet(change.tx);
      switch (one.deed) {
        case 'roles':
          return setRolesOf(change, one.who, one.roles);
        case 'block':
          return writeBlocked(change, one.who, one.blocked ? change.at : null);
        case 'own':
          return giveRight(change, one.who, 'PEOPLE_WRITE', one.effect, one.expiresAt);
        case 'groups': {
          await change.tx.deleteFrom('person_group').where('person_id', '=', one.who).execute();
          const rows = one.groups.map((name) => ({ person_id: one.who, kind: 'group', name }));
          if (rows.length > 0) await change.tx.insertInto('person_group').values(rows).execute();
          return undefined;
        }
        case 'role': {
          const texts = { name: 'Managers', description: '', rights: one.rights };
          return known.roles.has('managers')
            ? updateRole(change, 'managers', texts)
            : insertRole(change, 'managers', texts);
        }
        case 'drop-role':
          return deleteRole(change, 'managers');
        case 'mapping': {
          const { match, name, roles: given } = one;
          if (known.mappings.some((mapping) => mapping.match === match && mapping.name === name))
            return undefined;
          return insertMapping(change, { kind: 'group', match, name, roles: given }, aTest);
        }
        case 'drop-mapping': {
          const [first] = known.mappings;
          return first === undefined ? undefined : deleteMapping(change, first.id);
        }
      }
    }

    const decided = async (now: number, blockedCounts: boolean) => {
      const rules = prepareRules(await readRuleSet(database.read));
      const facts = await readFacts(database.read, people);
      return people.filter((id) => {
        const one = facts.get(id);
        if (one === undefined) return false;
        const asked = blockedCounts ? one : { ...one, blocked: false };
        return decideRights(asked, rules, now).rights.includes('PEOPLE_WRITE');
      });
    };

    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 12 }), async (deeds) => {
        for (const one of deeds) {
          const hadManagers = (await lastingManagers(database.read, Date.now(), 1)).length > 0;
          const outcome = await database
            .change((change) => requireAdministrator(change, () => act(change, one)))
            .then(
              () => 'done',
              (error: unknown) => (error as { code: string }).code,
            );
          expect(['done', 'LAST_ADMINISTRATOR']).toContain(outcome);
          const now = Date.now();
          const listed = await database.read
            .selectFrom('person')
            .select('id')
            .where((row) => holdsRight(row.ref('person.id'), 'PEOPLE_WRITE', now))
            .execute();
          expect(listed.map(({ id }) => id).toSorted()).toEqual((await decided(now, false)).toSorted());
          const left = await lastingManagers(database.read, now, 10);
          expect(left.length > 0 || !hadManagers).toBe(true);
          expect(await decided(now, true)).toEqual(expect.arrayContaining(left));
        }
      }),
      { numRuns: 15 },
    );
  });
});
