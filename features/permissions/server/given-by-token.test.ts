import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { issuePasswordLink } from '#features/identity-provider/contract/identity-provider.ts';
import {
  changePeople,
  invitePerson,
  renewInvitation,
  setBlocked,
  setRoles,
} from '#features/people/contract/people.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import {
  addGroupMapping,
  addRole,
  changeGroupMapping,
  changeRole,
  removeOwnRight,
  setOwnRight,
} from '#features/permissions/contract/administration.ts';
import type { CallOf, Route } from '#contract/route.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { dump } from '#server/testing/dump.ts';
import { oneEngine } from '#server/testing/fresh-database.ts';
import { addPerson, addToken, aTest, giveRight } from '#server/testing/people.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';
import { setRolesOf } from './permissions.store.ts';
import { insertMapping, insertRight, insertRole, readMappings } from './rules.store.ts';

const later = Date.now() + 3_600_000;
const texts = { description: '' };
/** Manages people and sees the map; changes no flags. */
const few = ['PEOPLE_READ', 'PEOPLE_WRITE', 'SETTINGS_WRITE', 'MAP_VIEW'];

describe.each(oneEngine)('what an API token gives on %s', (engine) => {
  let app: TestApp;
  const people = { mia: '', blocked: '', invited: '', operator: '', denied: '' };
  let mappingId: string;
  let [little, all] = ['', ''];

  beforeAll(async () => {
    app = await startApp({ engine });
    people.mia = await addPerson(app);
    people.denied = await addPerson(app);
    people.blocked = await addPerson(app);
    people.invited = await addPerson(app, { roles: ['operator'], password: null });
    people.operator = await addPerson(app, { roles: ['operator'], password: 'seven green lanterns' });
    await app.database.change(async (change) => {
      await insertRight(change, 'ORDERS_CHANGE', { label: '', description: '', area: '' });
      await insertRole(change, 'flaggers', {
        ...texts,
        name: 'Flaggers',
        rights: ['FLAGS_WRITE', 'MAP_VIEW'],
      });
      await insertRole(change, 'viewers', { ...texts, name: 'Viewers', rights: ['MAP_VIEW'] });
      const staff = { kind: 'group', match: 'exact', name: 'staff', roles: ['flaggers'] } as const;
      mappingId = await insertMapping(change, staff, aTest);
      await setRolesOf(change, people.blocked, ['flaggers']);
      await writeBlocked(change, people.blocked, change.at);
      await giveRight(change, people.denied, 'FLAGS_WRITE', 'denial');
      change.publish('right-rules');
    });
    little = await addToken(app, { rights: few });
    all = await addToken(app, { rights: [...builtInRoles.operator, 'ORDERS_CHANGE'] });
    return () => endApp(app);
  });

  type Way = [what: string, ask: (accessToken: string) => Promise<string>];

  async function ask<const R extends Route>(accessToken: string, route: R, call: CallOf<R>): Promise<string> {
    const { status, problem } = await app.call(route, call, { accessToken });
    return problem === undefined || problem === null ? 'done' : `${status} ${problem.code}`;
  }
  const draft = { firstName: '', lastName: '' };
  const oneOf = (right: string, effect: 'grant' | 'denial', personId: string) => ({
    params: { personId, right, effect },
  });
  const until = (expiresAt: number | null) => ({ body: { expiresAt, reason: '' } });

  const ways: Way[] = [
    [
      'an invitation with a role',
      (token) =>
        ask(token, invitePerson, { body: { ...draft, email: 'ivy@example.org', roles: ['flaggers'] } }),
    ],
    [
      'an invitation of a person who may give themselves anything',
      (token) =>
        ask(token, invitePerson, { body: { ...draft, email: 'eve@example.org', roles: ['operator'] } }),
    ],
    [
      'a role',
      (token) =>
        ask(token, setRoles, { params: { personId: people.mia }, body: { roles: ['flaggers'], version: 1 } }),
    ],
    [
      'a new role',
      (token) =>
        ask(token, addRole, {
          body: { ...texts, role: 'new', name: 'New', rights: ['MAP_VIEW', 'FLAGS_WRITE'] },
        }),
    ],
    [
      'a right in a role',
      (token) =>
        ask(token, changeRole, {
          params: { role: 'viewers' },
          body: { ...texts, name: 'Viewers', rights: ['MAP_VIEW', 'ORDERS_CHANGE'], version: 1 },
        }),
    ],
    [
      'a mapping',
      (token) =>
        ask(token, addGroupMapping, {
          body: { kind: 'group', match: 'prefix', name: 'a', roles: ['flaggers'] },
        }),
    ],
    [
      'a mapping for other groups',
      (token) =>
        ask(token, changeGroupMapping, {
          params: { mappingId },
          body: { kind: 'group', match: 'prefix', name: 's', roles: ['flaggers'], version: 1 },
        }),
    ],
    [
      'a grant',
      (token) => ask(token, setOwnRight, { ...oneOf('FLAGS_WRITE', 'grant', people.mia), ...until(null) }),
    ],
    [
      'a grant of the right to manage people',
      (token) => ask(token, setOwnRight, { ...oneOf('PEOPLE_WRITE', 'grant', people.mia), ...until(later) }),
    ],
    [
      'an end of a denial',
      (token) =>
        ask(token, setOwnRight, { ...oneOf('FLAGS_WRITE', 'denial', people.denied), ...until(later) }),
    ],
    [
      'a denial that is removed',
      (token) => ask(token, removeOwnRight, oneOf('FLAGS_WRITE', 'denial', people.denied)),
    ],
    [
      'an end of a block',
      (token) =>
        ask(token, setBlocked, {
          params: { personId: people.blocked },
          body: { blocked: false, version: 2 },
        }),
    ],
    [
      'a new link for an invited person',
      (token) => ask(token, renewInvitation, { params: { personId: people.invited } }),
    ],
    [
      'a link for a new password',
      (token) => ask(token, issuePasswordLink, { params: { personId: people.operator } }),
    ],
  ];

  it.each(ways)('RIGHT-3: %s takes all the rights that it gives', async (_what, give) => {
    const before = await dump(app.database);
    expect(await give(little)).toBe('403 RIGHT_MISSING');
    const without = ({ api_token: _used, ...rest }: typeof before) => rest;
    expect(without(await dump(app.database))).toEqual(without(before));
    expect(await give(all)).toBe('done');
  });

  it('RIGHT-3: a change of many reports whom it could not give a role, and a token makes no stronger one', async () => {
    const wanted = { change: 'give-role', role: 'flaggers' } as const;
    const body = { people: [people.denied], wanted };
    const many = async (accessToken: string) =>
      (await app.call(changePeople, { body }, { accessToken })).body;
    const refused = [{ personId: people.denied, code: 'RIGHT_MISSING' }];
    expect(await many(little)).toEqual({ changed: 0, refused });
    expect(await many(all)).toEqual({ changed: 1, refused: [] });
    const token = { name: 'x', rights: ['FLAGS_WRITE'], expiresAt: later - 1_800_000 };
    expect(await ask(little, createApiToken, { body: token })).toBe('422 INVALID_BODY');
  });

  it('RIGHT-3: a token gives what it holds, and takes what it does not hold', async () => {
    const body = { ...draft, email: 'una@example.org', roles: ['member'] };
    expect(await ask(little, invitePerson, { body })).toBe('done');
    const params = { personId: people.operator };
    const own = oneOf('FLAGS_WRITE', 'denial', people.operator);
    expect(await ask(little, setOwnRight, { ...own, ...until(null) })).toBe('done');
    // For as long as before: a denial that ends sooner would give the right back.
    expect(await ask(little, setOwnRight, { ...own, ...until(null) })).toBe('done');
    expect(
      await ask(little, setBlocked, {
        params: { personId: people.mia },
        body: { blocked: true, version: 2 },
      }),
    ).toBe('done');
    const mapping = (await readMappings(app.database.read)).find(({ id }) => id === mappingId);
    const kept = { kind: 'group', match: 'prefix', name: 's', version: mapping?.version ?? 0 } as const;
    const change = { params: { mappingId }, body: { ...kept, roles: ['flaggers', 'viewers'] } };
    // The role viewers has got another right since.
    expect(await ask(little, changeGroupMapping, change)).toBe('403 RIGHT_MISSING');
    const member = { ...change, body: { ...change.body, roles: ['flaggers', 'member'] } };
    expect(await ask(little, changeGroupMapping, member)).toBe('done');
    expect(await ask(little, issuePasswordLink, { params })).toBe('403 RIGHT_MISSING');
  });

  it('RIGHT-3: a token gives no right that its creator has lost', async () => {
    const creator = await addPerson(app, { roles: ['operator'] });
    const token = await addToken(app, { rights: few, createdBy: creator });
    const grant = { ...oneOf('MAP_VIEW', 'grant', people.mia), ...until(null) };
    expect(await ask(token, setOwnRight, grant)).toBe('done');
    await app.database.change((change) => giveRight(change, creator, 'MAP_VIEW', 'denial'));
    expect(await ask(token, setOwnRight, grant)).toBe('403 RIGHT_MISSING');
  });
});
