import { describe, expect, it } from 'vitest';
import {
  createApiToken,
  listApiTokens,
  revokeApiToken,
  type ApiToken,
} from '#features/api-tokens/contract/api-tokens.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { addRight, removeRight, setOwnRight } from '#features/permissions/contract/administration.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';
import { setRolesOf } from '#features/permissions/server/permissions.store.ts';

const hour = 3_600_000;
const year = 366 * 24 * hour;

describe.each(engines)('API tokens by route on %s', (engine) => {
  const once = provedOn(engine);
  async function installation() {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const draft = (change: Partial<{ name: string; rights: string[]; expiresAt: number }> = {}) => ({
      body: { name: 'Nightly export', rights: ['PEOPLE_READ'], expiresAt: clock.now() + hour, ...change },
    });
    return { app, clock, operator, draft };
  }

  async function opens(app: TestApp, accessToken: string): Promise<number | string | undefined> {
    const answer = await app.call(listPeople, {}, { accessToken });
    return answer.problem?.code ?? answer.status;
  }

  async function listed(app: TestApp, accessToken: string): Promise<ApiToken[]> {
    return (await app.call(listApiTokens, {}, { accessToken })).body.tokens;
  }

  it('SES-9 AUD-1: is created, used, listed and revoked, and the audit holds no secret', async () => {
    const { app, clock, operator, draft } = await installation();
    const created = await operator.call(
      createApiToken,
      draft({ rights: ['PEOPLE_READ', 'MAP_VIEW', 'MAP_VIEW'] }),
    );
    expect(created.status).toBe(201);
    const { token, secret } = created.body;
    expect(token).toMatchObject({
      name: 'Nightly export',
      rights: ['MAP_VIEW', 'PEOPLE_READ'],
      inForce: ['MAP_VIEW', 'PEOPLE_READ'],
      createdBy: { kind: 'person', name: operator.email },
      state: 'active',
      lastUsedAt: null,
    });
    expect(created.text.split(secret)).toHaveLength(2);
    expect(await opens(app, secret)).toBe(200);

    const answer = await operator.call(listApiTokens, {});
    expect(answer.text).not.toContain(secret);
    expect(answer.body.tokens).toEqual([{ ...token, lastUsedAt: clock.now() }]);

    const revoke = { params: { tokenId: token.id } };
    expect((await operator.call(revokeApiToken, revoke)).status).toBe(204);
    expect(await opens(app, secret)).toBe('TOKEN_INVALID');
    expect(await listed(app, operator.accessToken)).toMatchObject([
      { id: token.id, state: 'revoked', inForce: [], revokedBy: operator.email },
    ]);
    // A second time changes nothing and is not audited.
    expect((await operator.call(revokeApiToken, revoke)).status).toBe(204);
    expect((await operator.call(revokeApiToken, { params: { tokenId: 'nobody' } })).status).toBe(404);

    const rows = await app.database.read
      .selectFrom('audit')
      .select(['action', 'subject', 'before', 'after', 'actor_name'])
      .where('action', 'like', 'api-token.%')
      .orderBy('at')
      .execute();
    expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
      ['api-token.create', token.id],
      ['api-token.revoke', token.id],
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(app.log)).not.toContain(secret);
  });

  it.each(once)('SES-9: is refused with rights its creator lacks, and with a wrong end', async () => {
    const { app, clock, operator, draft } = await installation();
    const wrong = async (change: Parameters<typeof draft>[0]) => {
      const answer = await operator.call(createApiToken, draft(change));
      return [answer.status, answer.problem?.errors?.map(({ pointer, code }) => `${pointer} ${code}`)];
    };
    expect(await wrong({ rights: ['PEOPLE_READ', 'NO_SUCH_RIGHT'] })).toEqual([422, ['/rights/1 not-held']]);
    expect(await wrong({ rights: [] })).toEqual([422, ['/rights too_small']]);
    expect(await wrong({ expiresAt: clock.now() })).toEqual([422, ['/expiresAt too_small']]);
    expect(await wrong({ expiresAt: clock.now() + year + 1 })).toEqual([422, ['/expiresAt too_big']]);
    for (const name of ['', ' ', 'a\nb', 'a\u0000b', '\u202eabc', 'x'.repeat(101)])
      expect([name, (await wrong({ name }))[0]]).toEqual([name, 422]);
    expect(await listed(app, operator.accessToken)).toEqual([]);

    const marked = await operator.call(
      createApiToken,
      draft({ name: '<b>bold</b> & "quoted"', expiresAt: clock.now() + year }),
    );
    expect(marked.body.token.name).toBe('<b>bold</b> & "quoted"');
  });

  it.each(once)('SES-9: creates none with more rights than its own, and none that outlives it', async () => {
    const { app, clock, operator, draft } = await installation();
    const parentRights = ['SETTINGS_WRITE', 'PEOPLE_READ'];
    const parent = (await operator.call(createApiToken, draft({ name: 'parent', rights: parentRights })))
      .body;
    const asParent = async (change: Parameters<typeof draft>[0]) => {
      const answer = await app.call(createApiToken, draft(change), { accessToken: parent.secret });
      return answer.problem?.errors?.map(({ code }) => code) ?? answer.body;
    };
    expect(await asParent({ rights: ['FLAGS_READ'] })).toEqual(['not-held']);
    expect(await asParent({ expiresAt: clock.now() + hour + 1 })).toEqual(['outlives-creator']);
    const child = await app.call(createApiToken, draft({ name: 'child', rights: parentRights }), {
      accessToken: parent.secret,
    });
    expect(child.body.token.createdBy).toEqual({ kind: 'token', name: 'parent' });
    const grandchild = await app.call(createApiToken, draft({ name: 'grandchild' }), {
      accessToken: child.body.secret,
    });
    const { secret } = grandchild.body;
    expect(await opens(app, secret)).toBe(200);

    // The rights of the first token's creator limit them all.
    await app.database.change((change) => setRolesOf(change, operator.id, ['member']));
    expect(await opens(app, secret)).toBe('RIGHT_MISSING');
    await app.database.change((change) => setRolesOf(change, operator.id, ['operator']));
    expect(await opens(app, secret)).toBe(200);

    await operator.call(revokeApiToken, { params: { tokenId: parent.token.id } });
    expect(
      await Promise.all([parent.secret, child.body.secret, secret].map((each) => opens(app, each))),
    ).toEqual(['TOKEN_INVALID', 'TOKEN_INVALID', 'TOKEN_INVALID']);
    const audited = await app.database.read
      .selectFrom('audit')
      .select('subject')
      .where('action', '=', 'api-token.revoke')
      .execute();
    expect(audited).toHaveLength(3);
  });

  it('SES-9: the list shows which ones have expired, are suspended, or can do less than they were given', async () => {
    const { app, clock, operator, draft } = await installation();
    const other = await signIn(app, { roles: ['operator'] });
    await other.call(createApiToken, draft({ name: 'short' }));
    await other.call(
      createApiToken,
      draft({ rights: ['PEOPLE_READ', 'FLAGS_WRITE'], expiresAt: clock.now() + 3 * hour }),
    );
    const states = async () =>
      (await listed(app, operator.accessToken)).map(({ name, state, inForce }) => [name, state, inForce]);
    await app.database.change((change) => setRolesOf(change, other.id, ['support']));
    expect(await states()).toEqual([
      ['Nightly export', 'active', ['PEOPLE_READ']],
      ['short', 'active', ['PEOPLE_READ']],
    ]);
    await app.database.change((change) => writeBlocked(change, other.id, change.at));
    clock.move(2 * hour);
    // The operator's own access token has expired as well.
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'], name: 'watch', clock });
    expect(
      (await listed(app, accessToken)).map(({ name, state, inForce }) => [name, state, inForce]),
    ).toEqual([
      ['watch', 'active', ['SETTINGS_WRITE']],
      ['Nightly export', 'suspended', []],
      ['short', 'expired', []],
    ]);
  });

  it.each(once)('SES-9 RIGHT-2: holds own rights, and loses one that is removed for good', async () => {
    const { app, operator, draft } = await installation();
    const texts = { label: 'Water mains', description: '', area: 'maps' };
    const own = ['LAYER_MAINS', 'LAYERXMAINS'];
    const add = async (right: string) => {
      expect((await operator.call(addRight, { body: { right, ...texts } })).status).toBe(201);
      const params = { personId: operator.id, right, effect: 'grant' } as const;
      const given = await operator.call(setOwnRight, { params, body: { expiresAt: null, reason: 'Maps' } });
      expect(given.status).toBe(200);
    };
    for (const right of own) await add(right);
    await operator.call(createApiToken, draft({ name: 'mine', rights: ['PEOPLE_READ', ...own] }));
    await addToken(app, { name: 'of the command line', rights: own });
    const inForce = async () =>
      Object.fromEntries(
        (await listed(app, operator.accessToken)).map(({ name, rights, inForce: now }) => [
          name,
          [rights, now],
        ]),
      );
    const mine = [...own, 'PEOPLE_READ'].toSorted();
    expect(await inForce()).toEqual({
      mine: [mine, mine],
      'of the command line': [own.toSorted(), own.toSorted()],
    });

    await operator.call(removeRight, { params: { right: 'LAYER_MAINS' } });
    const left = {
      mine: [
        ['LAYERXMAINS', 'PEOPLE_READ'],
        ['LAYERXMAINS', 'PEOPLE_READ'],
      ],
      'of the command line': [['LAYERXMAINS'], ['LAYERXMAINS']],
    };
    expect(await inForce()).toEqual(left);
    // Another right of that name is another right.
    await add('LAYER_MAINS');
    expect(await inForce()).toEqual(left);
  });

  it('SES-9: those that ended more than 90 days ago are gone', async () => {
    const { app, clock, operator, draft } = await installation();
    await operator.call(createApiToken, draft());
    clock.move(90 * 24 * hour);
    await app.sweep();
    const count = async () => (await app.database.read.selectFrom('api_token').select('id').execute()).length;
    expect(await count()).toBe(1);
    clock.move(2 * hour);
    await app.sweep();
    expect(await count()).toBe(0);
  });
});

describe('API tokens on two replicas', () => {
  it('SES-9 RUN-1: are refused by the replica that did not revoke them', async () => {
    const one = await startApp({ engine: 'postgres' });
    const other = await startApp({ replicaOf: one });
    const operator = await signIn(one, { roles: ['operator'] });
    const body = { name: 'a script', rights: ['PEOPLE_READ'], expiresAt: Date.now() + hour };
    const { token, secret } = (await operator.call(createApiToken, { body })).body;
    const atOther = async () => (await other.call(listPeople, {}, { accessToken: secret })).status;
    expect(await atOther()).toBe(200);
    await operator.call(revokeApiToken, { params: { tokenId: token.id } });
    await expect.poll(atOther).toBe(401);
  });
});
