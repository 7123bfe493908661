import { beforeEach, describe, expect, it } from 'vitest';
import { setRoles } from '#features/people/contract/people.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { getOwnAccess, getPermissions } from '#features/permissions/contract/own-access.ts';
import { rightCatalogue } from '#contract/features.ts';
import {
  addGroupMapping,
  addRight,
  addRole,
  changeGroupMapping,
  changeRight,
  changeRole,
  listGroupMappings,
  listGroups,
  listRights,
  listRightsOfPerson,
  listRoles,
  previewChange,
  removeGroupMapping,
  removeOwnRight,
  removeRight,
  removeRole,
  setOwnRight,
  whyHasRight,
} from '#features/permissions/contract/administration.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { setRolesOf, writeOwnRight } from './permissions.store.ts';

const orders = { right: 'ORDERS_CHANGE', label: 'Change orders', description: '', area: 'Orders' };
const clerks = { role: 'clerks', name: 'Clerks', description: '', rights: ['ORDERS_CHANGE', 'MAP_VIEW'] };
const odd = 'CN=Éditeurs, OU="50 %_"; 🗺 ';
const mapping = { kind: 'group' as const, match: 'exact' as const, name: odd, roles: ['clerks'] };

describe.each(engines)('rights at full strength on %s', (engine) => {
  const once = provedOn(engine);
  let app: TestApp;
  let clock: MovableClock;
  let script: { accessToken: string };

  beforeEach(async () => {
    clock = movableClock();
    app = await startApp({ engine, clock });
    script = {
      accessToken: await addToken(app, { rights: [...builtInRoles.operator, 'ORDERS_CHANGE'], clock }),
    };
  });

  const rightsOf = async (userId: string) =>
    (await app.call(getPermissions, { params: { userId } }, script)).body;
  const why = async (personId: string, right: string) =>
    (await app.call(whyHasRight, { params: { personId, right } }, script)).body;
  const putIn = (personId: string, ...names: string[]) =>
    app.database.change(async (change) => {
      const rows = names.map((name) => ({ person_id: personId, kind: 'group', name }));
      await change.tx.insertInto('person_group').values(rows).execute();
      change.publish('rights', personId);
    });
  const outcome = (answer: { status: number; problem: { code: string } | null }) =>
    answer.problem === null ? answer.status : `${answer.status} ${answer.problem.code}`;
  const audited = async () =>
    (
      await app.database.read
        .selectFrom('audit')
        .select(['action', 'subject', 'before', 'after'])
        .orderBy('at')
        .execute()
    ).map(({ before, after, ...row }) => ({
      ...row,
      before: JSON.parse(before ?? 'null') as unknown,
      after: JSON.parse(after ?? 'null') as unknown,
    }));

  it('RIGHT-2: own rights are added, described, listed behind the built-in ones, and removed from all people', async () => {
    const added = await app.call(addRight, { body: orders }, script);
    expect([added.status, added.body]).toEqual([201, { ...orders, builtIn: false, version: 1 }]);
    await app.call(addRole, { body: clerks }, script);
    const [byRole, byGrant] = [await addPerson(app), await addPerson(app)];
    await app.call(
      setRoles,
      { params: { personId: byRole }, body: { roles: ['clerks'], version: 1 } },
      script,
    );
    await app.call(
      setOwnRight,
      {
        params: { personId: byGrant, right: 'ORDERS_CHANGE', effect: 'grant' },
        body: { expiresAt: null, reason: 'Stands in' },
      },
      script,
    );
    expect([await rightsOf(byRole), await rightsOf(byGrant)]).toEqual([
      ['MAP_VIEW', 'ORDERS_CHANGE'],
      ['ORDERS_CHANGE'],
    ]);

    const body = { label: 'Edit orders', description: 'All of them', area: 'Orders', version: 1 };
    const changed = await app.call(changeRight, { params: { right: 'ORDERS_CHANGE' }, body }, script);
    expect(changed.body).toMatchObject({ label: 'Edit orders', version: 2 });
    expect(outcome(await app.call(changeRight, { params: { right: 'ORDERS_CHANGE' }, body }, script))).toBe(
      '409 VERSION_CONFLICT',
    );
    expect((await app.call(listRights, {}, script)).body.rights.at(-1)).toEqual(changed.body);

    const preview = await app.call(
      previewChange,
      { body: { change: 'remove-right', right: 'ORDERS_CHANGE' } },
      script,
    );
    expect(preview.body).toMatchObject({
      touched: 2,
      gaining: 0,
      losing: 2,
      roles: ['clerks'],
      lastAdministrator: false,
    });
    expect(preview.body.people.map(({ lost }) => lost)).toEqual([['ORDERS_CHANGE'], ['ORDERS_CHANGE']]);
    expect(outcome(await app.call(removeRight, { params: { right: 'ORDERS_CHANGE' } }, script))).toBe(204);
    expect([await rightsOf(byRole), await rightsOf(byGrant)]).toEqual([['MAP_VIEW'], []]);
    expect((await audited()).at(-1)).toMatchObject({
      action: 'right.delete',
      subject: 'ORDERS_CHANGE',
      before: {
        label: 'Edit orders',
        roles: ['clerks'],
        people: [{ personId: byGrant, reason: 'Stands in' }],
      },
      after: null,
    });
    // Under the same name it starts without holders.
    await app.call(addRight, { body: orders }, script);
    expect([await rightsOf(byRole), await rightsOf(byGrant)]).toEqual([['MAP_VIEW'], []]);
  });

  it.each(once)(
    'RIGHT-2: a name of another form, or of a right that is there, is refused with its place',
    async () => {
      await app.call(addRight, { body: { ...orders, right: 'TWICE' } }, script);
      const invalid = [
        'FF_ORDERS',
        'orders',
        'ORDERS CHANGE',
        '7_SEAS',
        'O'.repeat(65),
        'МАР_VIEW',
        '__proto__',
      ];
      for (const [right, refusal] of [
        ...invalid.map((name) => [name, '422 INVALID_BODY'] as const),
        ['MAP_VIEW', '409 CONFLICT'],
        ['TWICE', '409 CONFLICT'],
      ] as const) {
        const answer = await app.call(addRight, { body: { ...orders, right } }, script);
        expect([right, outcome(answer), answer.problem?.errors?.[0]?.pointer]).toEqual([
          right,
          refusal,
          '/right',
        ]);
      }
      const { rights } = (await app.call(listRights, {}, script)).body;
      expect(rights.filter(({ builtIn }) => !builtIn).map(({ right }) => right)).toEqual(['TWICE']);
    },
  );

  it.each(once)('RIGHT-3: what comes with Portico stays as it is', async () => {
    const texts = { label: 'x', description: '', area: 'x', version: 1 };
    const role = { name: 'x', description: '', rights: [], version: 1 };
    const answers = [
      await app.call(changeRight, { params: { right: 'MAP_VIEW' }, body: texts }, script),
      await app.call(removeRight, { params: { right: 'MAP_VIEW' } }, script),
      await app.call(changeRole, { params: { role: 'operator' }, body: role }, script),
      await app.call(removeRole, { params: { role: 'member' } }, script),
      await app.call(addRole, { body: { ...clerks, role: 'support', rights: [] } }, script),
    ];
    expect(answers.map(outcome)).toEqual(Array(5).fill('409 CONFLICT'));
    expect(await audited()).toEqual([]);
  });

  it('RIGHT-3: own roles hold rights of the catalogue; a change and a removal reach all people who have them', async () => {
    await app.call(addRight, { body: orders }, script);
    const added = await app.call(addRole, { body: clerks }, script);
    expect(added.body).toEqual({
      ...clerks,
      rights: ['MAP_VIEW', 'ORDERS_CHANGE'],
      builtIn: false,
      people: 0,
      version: 1,
    });
    const refused = [
      await app.call(addRole, { body: clerks }, script),
      await app.call(addRole, { body: { ...clerks, role: 'others', name: 'CLERKS' } }, script),
      await app.call(addRole, { body: { ...clerks, role: 'x', name: 'x', rights: ['NOT_THERE'] } }, script),
      await app.call(addRole, { body: { ...clerks, role: 'X!' } }, script),
    ];
    expect(refused.map((answer) => [outcome(answer), answer.problem?.errors?.[0]?.pointer])).toEqual([
      ['409 CONFLICT', '/role'],
      ['409 CONFLICT', '/name'],
      ['422 INVALID_BODY', '/rights/0'],
      ['422 INVALID_BODY', '/role'],
    ]);

    const [given, grouped] = [await addPerson(app, { firstName: 'Ada' }), await addPerson(app)];
    const roles = { roles: ['clerks'], version: 1 };
    expect(
      (await app.call(setRoles, { params: { personId: given }, body: roles }, script)).body.roles,
    ).toEqual(['clerks']);
    await putIn(grouped, odd);
    await app.call(addGroupMapping, { body: mapping }, script);
    expect([await rightsOf(given), await rightsOf(grouped)]).toEqual([
      ['MAP_VIEW', 'ORDERS_CHANGE'],
      ['MAP_VIEW', 'ORDERS_CHANGE'],
    ]);
    const rights = ['ORDERS_CHANGE', 'FLAGS_READ'];
    const preview = await app.call(
      previewChange,
      { body: { change: 'set-role', role: 'clerks', rights } },
      script,
    );
    expect(preview.body).toMatchObject({ touched: 2, gaining: 2, losing: 2, mappings: 1 });
    expect(preview.body.people.find(({ id }) => id === given)).toMatchObject({
      name: 'Ada',
      gained: ['FLAGS_READ'],
      lost: ['MAP_VIEW'],
    });
    const texts = { name: 'Clerks', description: '', rights, version: 1 };
    await app.call(changeRole, { params: { role: 'clerks' }, body: texts }, script);
    expect([await rightsOf(given), await rightsOf(grouped)]).toEqual([
      ['FLAGS_READ', 'ORDERS_CHANGE'],
      ['FLAGS_READ', 'ORDERS_CHANGE'],
    ]);
    expect((await app.call(listRoles, {}, script)).body.roles.at(-1)).toMatchObject({
      role: 'clerks',
      people: 1,
      version: 2,
    });

    await app.call(removeRole, { params: { role: 'clerks' } }, script);
    expect([await rightsOf(given), await rightsOf(grouped)]).toEqual([[], []]);
    // The mapping gave nothing else.
    expect((await app.call(listGroupMappings, {}, script)).body.mappings).toEqual([]);
    expect((await audited()).at(-1)).toMatchObject({
      action: 'role.delete',
      before: { rights: ['FLAGS_READ', 'ORDERS_CHANGE'], people: [given], mappings: [{ name: odd }] },
    });
  });

  it('RIGHT-3: groups give roles at once, whatever their names hold; the preview names to whom', async () => {
    await app.call(addRight, { body: orders }, script);
    await app.call(addRole, { body: clerks }, script);
    const [inside, outside, already] = [
      await addPerson(app, { firstName: 'In' }),
      await addPerson(app),
      await addPerson(app, { roles: ['operator'] }),
    ];
    await putIn(inside, odd, '/other');
    await putIn(already, '/other/more');
    for (const search of ['ÉDIT', 'édit', '50 %_'])
      expect((await app.call(listGroups, { query: { search } }, script)).body.groups).toEqual([
        { kind: 'group', name: odd, people: 1 },
      ]);

    const proposed = await app.call(previewChange, { body: { change: 'add-mapping', mapping } }, script);
    expect(proposed.body).toMatchObject({ touched: 1, gaining: 1, losing: 0 });
    expect(proposed.body.people).toMatchObject([
      { id: inside, name: 'In', gained: clerks.rights.toSorted() },
    ]);
    expect(await rightsOf(inside)).toEqual([]);

    const added = (await app.call(addGroupMapping, { body: mapping }, script)).body;
    expect([await rightsOf(inside), await rightsOf(outside)]).toEqual([clerks.rights.toSorted(), []]);
    expect(outcome(await app.call(addGroupMapping, { body: mapping }, script))).toBe('409 CONFLICT');

    const wider = { ...mapping, match: 'prefix' as const, name: '/other', roles: ['support'] };
    const { id: mappingId, version } = added;
    const widened = await app.call(
      previewChange,
      { body: { change: 'set-mapping', mappingId, mapping: wider } },
      script,
    );
    // The operator has these rights already and is not counted.
    expect(widened.body).toMatchObject({ touched: 1, gaining: 1, losing: 1 });
    await app.call(changeGroupMapping, { params: { mappingId }, body: { ...wider, version } }, script);
    expect((await why(inside, 'PEOPLE_READ')).sources).toEqual([
      { kind: 'group', role: 'support', group: { kind: 'group', name: '/other' }, mappingId },
    ]);
    await app.call(removeGroupMapping, { params: { mappingId } }, script);
    expect(await rightsOf(inside)).toEqual([]);
    expect((await audited()).slice(-3).map(({ action }) => action)).toEqual([
      'group-mapping.create',
      'group-mapping.update',
      'group-mapping.delete',
    ]);
    for (const name of ['', 'a\u0000b', 'x'.repeat(501)]) {
      expect(outcome(await app.call(addGroupMapping, { body: { ...mapping, name } }, script))).toBe(
        '422 INVALID_BODY',
      );
    }
  });

  it('RIGHT-3 RIGHT-4: single rights are granted and denied, with reason and end, and the explanation lists them', async () => {
    const personId = await addPerson(app, { roles: ['member'] });
    const params = { personId, right: 'MAP_VIEW', effect: 'denial' } as const;
    const body = { expiresAt: null, reason: 'Left the project' };
    expect(outcome(await app.call(setOwnRight, { params, body }, script))).toBe(200);
    expect(await rightsOf(personId)).toEqual([]);
    expect(await why(personId, 'MAP_VIEW')).toMatchObject({
      held: false,
      sources: [{ kind: 'role', role: 'member' }],
      denial: { reason: 'Left the project', givenBy: 'a test', expiresAt: null },
    });
    expect(await why(personId, 'FLAGS_READ')).toMatchObject({
      held: false,
      sources: [],
      denial: null,
      ways: { roles: ['operator'], groups: [] },
    });
    expect(outcome(await app.call(removeOwnRight, { params }, script))).toBe(204);
    expect(outcome(await app.call(removeOwnRight, { params }, script))).toBe('404 NOT_FOUND');
    expect(await rightsOf(personId)).toEqual(['MAP_VIEW']);

    const grant = { personId, right: 'FLAGS_READ', effect: 'grant' } as const;
    const past = { expiresAt: clock.now() - 1, reason: '' };
    const refusals = [
      await app.call(setOwnRight, { params: grant, body: past }, script),
      await app.call(setOwnRight, { params: { ...grant, right: 'NOT_THERE' }, body }, script),
      await app.call(setOwnRight, { params: { ...grant, personId: 'nobody' }, body }, script),
      await app.call(setOwnRight, { params: { ...grant, right: 'FF_X' }, body }, script),
      await app.call(setOwnRight, { params: { ...grant, effect: 'both' as 'grant' }, body }, script),
    ];
    expect(refusals.map(outcome)).toEqual([
      '422 INVALID_BODY',
      '404 NOT_FOUND',
      '404 NOT_FOUND',
      '400 INVALID_REQUEST',
      '400 INVALID_REQUEST',
    ]);
    const { rights, roles, own } = (await app.call(listRightsOfPerson, { params: { personId } }, script))
      .body;
    expect(rights.filter(({ held }) => held).map(({ right }) => right)).toEqual(['MAP_VIEW']);
    expect([roles.map(({ role }) => role), own]).toEqual([['member'], []]);
    expect((await audited()).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['person.deny-right', null, { right: 'MAP_VIEW', ...body }],
      ['person.take-back-denial', { right: 'MAP_VIEW', ...body }, null],
    ]);
  });

  it.each(once)('RIGHT-4: the reason names a giver by address, else by name, else by id', async () => {
    const grace = await addPerson(app, { email: '', firstName: 'Grace', lastName: 'Moss' });
    const nameless = await addPerson(app, { email: '' });
    const personId = await addPerson(app);
    const by = (id: string) => ({ kind: 'person', id, name: `person ${id}`, sessionId: null }) as const;
    await app.database.change(async (change) => {
      await setRolesOf(change, personId, ['member'], by(grace));
      const own = { effect: 'grant', expiresAt: null, reason: '' } as const;
      await writeOwnRight(change, personId, { ...own, right: 'FLAGS_READ', givenBy: by(grace) });
      await writeOwnRight(change, personId, { ...own, right: 'AUDIT_READ', givenBy: by(nameless) });
    });
    const giver = async (right: string) =>
      (await why(personId, right)).sources.map((source) => 'givenBy' in source && source.givenBy);
    expect(await giver('MAP_VIEW')).toEqual(['Grace Moss']);
    expect(await giver('FLAGS_READ')).toEqual(['Grace Moss']);
    expect(await giver('AUDIT_READ')).toEqual([`person ${nameless}`]);
    const all = (await app.call(listRightsOfPerson, { params: { personId } }, script)).body;
    expect(all.roles.map(({ givenBy }) => givenBy)).toEqual(['Grace Moss']);
    expect(all.own.map(({ givenBy }) => givenBy)).toEqual([`person ${nameless}`, 'Grace Moss']);
  });

  it.each(once)('RIGHT-4: a person reads what they may do, without who decided it and why', async () => {
    const ada = await signIn(app, { roles: ['member'] });
    await app.call(addRight, { body: orders }, script);
    await app.call(addRole, { body: clerks }, script);
    await app.call(addGroupMapping, { body: mapping }, script);
    await putIn(ada.id, odd);
    const until = clock.now() + 60_000;
    const set = (right: string, effect: 'grant' | 'denial', expiresAt: number | null) =>
      app.call(
        setOwnRight,
        { params: { personId: ada.id, right, effect }, body: { expiresAt, reason: 'a secret reason' } },
        script,
      );
    await set('FLAGS_READ', 'grant', until);
    await set('ORDERS_CHANGE', 'denial', null);
    const answer = await ada.call(getOwnAccess, { params: { userId: 'current' } });
    const builtIn = { builtIn: true, label: '', description: '', allowed: true, denied: null };
    expect(answer.body).toEqual({
      rights: [
        {
          ...builtIn,
          right: 'FLAGS_READ',
          area: 'flags',
          sources: [{ kind: 'exception', expiresAt: until }],
        },
        {
          ...builtIn,
          right: 'MAP_VIEW',
          area: 'map',
          sources: [
            { kind: 'role', role: 'member' },
            { kind: 'group', role: 'clerks', group: odd },
          ],
        },
        {
          ...orders,
          builtIn: false,
          allowed: false,
          denied: { expiresAt: null },
          sources: [{ kind: 'group', role: 'clerks', group: odd }],
        },
      ],
      roleNames: { clerks: 'Clerks' },
    });
  });

  it('RIGHT-3: a grant ends in time, without a restart; open tabs are notified, once', async () => {
    const ada = await signIn(app, { roles: [] });
    const end = clock.now() + 60_000;
    await app.call(
      setOwnRight,
      {
        params: { personId: ada.id, right: 'PEOPLE_READ', effect: 'grant' },
        body: { expiresAt: end, reason: '' },
      },
      script,
    );
    const stream = await openLive(app, ada.accessToken);
    const before = stream.events().length;
    expect(await rightsOf(ada.id)).toEqual(['PEOPLE_READ']);
    clock.move(59_999);
    expect(await rightsOf(ada.id)).toEqual(['PEOPLE_READ']);
    clock.move(1);
    // The right has ended before any browser is notified.
    expect(await rightsOf(ada.id)).toEqual([]);
    expect((await stream.until(before + 1)).at(-1)).toEqual({ type: 'rights', within: 0 });
    stream.close();
    const rows = await app.database.read.selectFrom('person_right').select('expiry_told').execute();
    expect(rows).toEqual([{ expiry_told: 1 }]);
  });

  it('RIGHT-1 RIGHT-2: 10,000 rights are no trouble: listed, in a role, held, and one more is refused', async () => {
    const names = Array.from(
      { length: 10_000 - rightCatalogue.length },
      (_, index) => `LAYER_${String(index).padStart(5, '0')}`,
    );
    await app.database.change(async (change) => {
      for (let start = 0; start < names.length; start += 1_000) {
        const rows = names
          .slice(start, start + 1_000)
          .map((right_name) => ({ right_name, area: 'Map', label: right_name, description: '', version: 1 }));
        await change.tx.insertInto('own_right').values(rows).execute();
      }
      change.publish('right-rules');
    });
    expect((await app.call(listRights, {}, script)).body.rights).toHaveLength(10_000);
    const refused = await app.call(addRight, { body: orders }, script);
    expect([outcome(refused), refused.problem?.detail]).toEqual([
      '409 CONFLICT',
      'There can be 10000 rights at most.',
    ]);
    const surveyors = { role: 'surveyors', name: 'Surveyors', description: '', rights: names };
    const oneUnknown = { ...surveyors, rights: [...names.slice(1), 'NOT_THERE'] };
    const tooMany = { ...surveyors, rights: [...names, ...names.slice(0, rightCatalogue.length + 1)] };
    for (const body of [oneUnknown, tooMany])
      expect(outcome(await app.call(addRole, { body }, script))).toBe('422 INVALID_BODY');
    // Nothing is half done.
    expect((await app.call(listRights, {}, script)).body.rights).toHaveLength(10_000);
    expect((await app.call(listRoles, {}, script)).body.roles.filter(({ builtIn }) => !builtIn)).toEqual([]);
    expect(await audited()).toEqual([]);
    const owner = { accessToken: await addToken(app, { rights: ['PEOPLE_WRITE', ...names], clock }) };
    expect(outcome(await app.call(addRole, { body: surveyors }, owner))).toBe(201);
    const personId = await addPerson(app, { roles: [] });
    const body = { roles: ['surveyors'], version: 1 };
    await app.call(setRoles, { params: { personId }, body }, owner);
    expect(await rightsOf(personId)).toEqual(names);
    expect((await app.call(listRightsOfPerson, { params: { personId } }, script)).body.rights).toHaveLength(
      10_000,
    );
  });
});

it('RUN-1: a changed role, a mapping and an end reach another replica', async () => {
  const clock = movableClock();
  const app = await startApp({ engine: 'postgres', clock });
  const replica = await startApp({ replicaOf: app, clock });
  const script = { accessToken: await addToken(app, { rights: builtInRoles.operator, clock }) };
  const personId = await addPerson(app);
  const there = async () =>
    (await replica.call(getPermissions, { params: { userId: personId } }, script)).body;
  expect(await there()).toEqual([]);
  await app.call(addRole, { body: { ...clerks, rights: ['MAP_VIEW'] } }, script);
  await app.call(setRoles, { params: { personId }, body: { roles: ['clerks'], version: 1 } }, script);
  await expect.poll(there).toEqual(['MAP_VIEW']);
  const body = { name: 'Clerks', description: '', rights: ['FLAGS_READ'], version: 1 };
  await app.call(changeRole, { params: { role: 'clerks' }, body }, script);
  await expect.poll(there).toEqual(['FLAGS_READ']);
});
