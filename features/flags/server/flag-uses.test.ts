import {
  createFlag,
  deleteFlag,
  getFlag,
  listClientKeys,
  listFlags,
  switchFlag,
  updateFlag,
  type ClientKey,
  type Flag,
} from '#features/flags/contract/flags.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { oneEngine, type Engine } from '#server/testing/fresh-database.ts';
import { openStream } from '#server/testing/flag-client.ts';
import { addToken } from '#server/testing/people.ts';
import { usesOf } from './flag-uses.ts';

const asks = (id: string, condition: unknown = { value: true }) => ({
  parentConditions: [{ id, condition, gate: true }],
});

describe('the flags that depend on a flag', () => {
  const flag = (key: string, parents: string[], enabled = true) => ({
    key,
    enabled,
    rules: parents.map((id) => asks(id)),
  });
  const named = (all: ReturnType<typeof flag>[]) =>
    usesOf('P', all).map(({ key, enabled, conditions }) => [
      key,
      enabled,
      conditions.map(({ pointer }) => pointer),
    ]);

  it('FLAG-3: are those whose rules ask for it, at each place, and those behind them', () => {
    expect(
      named([
        flag('C', ['B']),
        flag('B', ['A', 'P', 'P']),
        flag('A', ['P', 'C']),
        flag('P', ['X']),
        flag('X', []),
      ]),
    ).toEqual([
      ['A', true, ['/rules/0/parentConditions/0']],
      ['B', true, ['/rules/1/parentConditions/0', '/rules/2/parentConditions/0']],
      ['C', true, []],
    ]);
  });

  it('FLAG-3: are not those behind a flag that is off', () => {
    expect(named([flag('A', ['P'], false), flag('B', ['A'])])).toEqual([
      ['A', false, ['/rules/0/parentConditions/0']],
    ]);
  });
});

async function open(engine: Engine) {
  const app = await startApp({ engine });
  const operator = { accessToken: await addToken(app, { rights: ['FLAGS_READ', 'FLAGS_WRITE'] }) };
  const draft = {
    type: 'boolean' as const,
    description: '',
    defaultValue: true as unknown,
    rules: [] as Flag['rules'],
    tags: [],
  };
  return {
    app,
    operator,
    draft,
    async make(key: string, change: Partial<Pick<Flag, 'rules' | 'enabled' | 'type' | 'defaultValue'>> = {}) {
      return (await app.call(createFlag, { body: { ...draft, key, enabled: true, ...change } }, operator))
        .body;
    },
    read: async (flagKey: string) => (await app.call(getFlag, { params: { flagKey } }, operator)).body,
    turn: ({ key, version }: Flag, body: { enabled: boolean; affected?: string[] }) =>
      app.call(switchFlag, { params: { flagKey: key }, body: { version, ...body } }, operator),
    edit: ({ key, version }: Flag, body: Partial<Flag> & { affected?: string[] }) =>
      app.call(updateFlag, { params: { flagKey: key }, body: { ...draft, version, ...body } }, operator),
  };
}

const named = (keys: string[], pointer = '/affected') =>
  keys.map((message) => ({ pointer, code: 'flag', message }));

describe.each(oneEngine)('what depends on a flag, on %s', (engine) => {
  it('FLAG-3: is read with the flag, by its key', async () => {
    const { app, operator, make, read } = await open(engine);
    const made = await make('$holdout:hld_1', { type: 'string', defaultValue: 'genpop' });
    await make('CHILD', { rules: [{ force: false }, asks(made.key, { value: 'control' })] });
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const plain = clientKeys.find(({ kind }) => kind === 'plain');
    const personal = clientKeys.find(({ kind }) => kind === 'personal');
    for (const key of [plain, personal]) await (await openStream(`${app.url}/sub/${key?.key}`)).until(1);

    const { warnings, usedBy, clients, proposal, reviewed, ...flag } = await read(made.key);
    expect([proposal, reviewed]).toEqual([null, false]);
    expect(flag).toEqual(
      (await app.call(listFlags, {}, operator)).body.flags.find(({ key }) => key === made.key),
    );
    expect(warnings).toEqual([]);
    expect(usedBy).toEqual([
      {
        key: 'CHILD',
        enabled: true,
        conditions: [{ pointer: '/rules/1/parentConditions/0', condition: { value: 'control' } }],
      },
    ]);
    const connected = (key: ClientKey) => (key === plain ? 1 : 0);
    expect(clients).toEqual(clientKeys.map((key) => ({ ...key, connected: connected(key) })));
    // Portico's own pages are no clients of an application.
    expect((await app.call(listFlags, {}, operator)).body.connected).toBe(1);

    const missing = await app.call(getFlag, { params: { flagKey: 'NOT_THERE' } }, operator);
    expect([missing.status, missing.problem?.code]).toEqual([404, 'NOT_FOUND']);
    const withoutRight = { accessToken: await addToken(app, { rights: ['PEOPLE_READ'] }) };
    expect((await app.call(getFlag, { params: { flagKey: 'CHILD' } }, withoutRight)).problem?.code).toBe(
      'RIGHT_MISSING',
    );
  });

  it('FLAG-3: is named before a flag is switched off, and what came since as well', async () => {
    const { make, read, turn } = await open(engine);
    const parent = await make('PARENT');
    await make('CHILD', { rules: [asks('PARENT')] });
    await make('GRANDCHILD', { rules: [asks('CHILD')] });
    await make('IS_OFF', { rules: [asks('PARENT')], enabled: false });

    const asked = await turn(parent, { enabled: false });
    expect([asked.status, asked.problem?.code]).toEqual([409, 'FLAG_IN_USE']);
    expect(asked.problem?.errors).toEqual(named(['CHILD', 'GRANDCHILD']));
    expect((await turn(parent, { enabled: false, affected: ['CHILD'] })).problem?.code).toBe('FLAG_IN_USE');
    await make('ANOTHER', { rules: [asks('PARENT')] });
    const again = await turn(parent, { enabled: false, affected: ['CHILD', 'GRANDCHILD'] });
    expect(again.problem?.errors).toEqual(named(['ANOTHER', 'CHILD', 'GRANDCHILD']));
    expect((await read('PARENT')).enabled).toBe(true);

    const affected = ['ANOTHER', 'CHILD', 'GRANDCHILD', 'IS_OFF', 'NEVER_WAS'];
    const off = await turn(parent, { enabled: false, affected });
    expect(off.body.enabled).toBe(false);
    // On again, and off what is off already, needs no word.
    expect((await turn(off.body, { enabled: false })).status).toBe(200);
    expect((await turn(await read('PARENT'), { enabled: true })).status).toBe(200);
    const alone = await read('GRANDCHILD');
    expect((await turn(alone, { enabled: false })).status).toBe(200);
  });

  it('FLAG-3: is named before the type of a flag that is on changes', async () => {
    const { make, read, edit, turn } = await open(engine);
    const parent = await make('PARENT');
    await make('CHILD', { rules: [asks('PARENT')] });
    const change = { type: 'string' as const, defaultValue: 'yes' };

    const wrong = await edit(parent, { ...change, rules: [{ force: true }], affected: ['CHILD'] });
    expect(wrong.problem?.errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/rules/0/force', 'type'],
    ]);
    const asked = await edit(parent, change);
    expect([asked.status, asked.problem?.code, asked.problem?.errors]).toEqual([
      409,
      'FLAG_IN_USE',
      named(['CHILD']),
    ]);
    expect((await edit(parent, { ...change, affected: [] })).problem?.code).toBe('FLAG_IN_USE');
    expect((await read('PARENT')).type).toBe('boolean');
    const changed = (await edit(parent, { ...change, affected: ['CHILD'] })).body;
    expect(changed.type).toBe('string');
    // The same type, and a flag that is off, break nothing.
    expect((await edit(changed, { ...change, description: 'again' })).status).toBe(200);

    const alone = await make('ALONE');
    const unconfirmed = await edit(alone, change);
    expect([unconfirmed.problem?.code, unconfirmed.problem?.errors]).toEqual(['FLAG_IN_USE', []]);
    expect((await edit(alone, { ...change, affected: [] })).status).toBe(200);
    const off = (await turn(await make('OFF'), { enabled: false })).body;
    expect((await edit(off, change)).status).toBe(200);
  });

  it('FLAG-3: prevents the deletion of a flag, whether it is on or off', async () => {
    const { app, operator, make, edit, read } = await open(engine);
    const parent = await make('PARENT');
    const child = await make('CHILD', { rules: [asks('PARENT')], enabled: false });
    await make('GRANDCHILD', { rules: [asks('CHILD')] });
    const remove = async () =>
      app.call(deleteFlag, { params: { flagKey: 'PARENT' }, query: { version: parent.version } }, operator);
    const refused = await remove();
    expect([refused.problem?.code, refused.problem?.errors]).toEqual([
      'FLAG_IN_USE',
      named(['CHILD'], '/usedBy'),
    ]);
    expect((await edit(child, { rules: [] })).status).toBe(200);
    expect((await remove()).status).toBe(204);
    expect((await read('CHILD')).usedBy.map(({ key }) => key)).toEqual(['GRANDCHILD']);
  });
});
