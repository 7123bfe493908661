import {
  createFlag,
  deleteFlag,
  getFlag,
  listArchivedFlags,
  listFlags,
  listFlagVersions,
  switchFlag,
  unarchiveFlag,
  updateFlag,
  type Flag,
} from '#features/flags/contract/flags.ts';
import { createSegment, deleteSegment } from '#features/flags/contract/segments.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';

const draft = { type: 'boolean' as const, description: '', defaultValue: false, rules: [], tags: [] };

it('FLAG-14: each change of a flag is a version, with who and when, page by page, also once it is archived', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const operator = await signIn(app, { roles: ['operator'] });
  const params = { flagKey: 'MAP' };
  const read = async (cursor?: string) =>
    (await operator.call(listFlagVersions, { params, query: cursor === undefined ? {} : { cursor } })).body;
  expect((await operator.call(listFlagVersions, { params, query: {} })).status).toBe(404);
  let flag: Flag = (await operator.call(createFlag, { body: { ...draft, key: 'MAP', enabled: false } })).body;
  for (let share = 1; share <= 20; share += 1) {
    const rules = [{ force: true, coverage: share / 20 }];
    flag = (await operator.call(updateFlag, { params, body: { ...draft, rules, version: flag.version } }))
      .body;
  }
  const body = { enabled: true, version: flag.version };
  flag = (await operator.call(switchFlag, { params, body })).body;
  const first = await read();
  expect(first.versions).toHaveLength(20);
  const { key: _key, createdAt: _created, changedAt, changedBy: _by, version, ...state } = flag;
  expect(first.versions[0]).toMatchObject({ by: operator.email, at: changedAt, version, flag: state });
  expect(first.versions[1]?.flag).toEqual({ ...state, enabled: false });
  const rest = await read(first.next ?? '');
  expect(rest.versions.map((one) => one.flag.rules)).toEqual([[{ force: true, coverage: 0.05 }], []]);
  expect(rest.next).toBeNull();

  await operator.call(deleteFlag, { params, query: { version: flag.version } });
  expect((await read()).versions[0]).toMatchObject({ version: flag.version + 1, flag: { enabled: false } });
  const accessToken = await addToken(app, { rights: ['MAP_VIEW'] });
  expect((await app.call(listFlagVersions, { params, query: {} }, { accessToken })).status).toBe(403);
});

it('FLAG-19: an archived flag is in no list, its key stays taken, and it comes back off unless its rules name what is gone', async () => {
  const app = await startApp({ engine: 'postgres' });
  const operator = await signIn(app, { roles: ['operator'] });
  const make = async (key: string, rules: Flag['rules'] = []) =>
    operator.call(createFlag, { body: { ...draft, key, rules, killSwitch: true, enabled: true } });
  const archive = (flagKey: string, version: number) =>
    operator.call(deleteFlag, { params: { flagKey }, query: { version } });
  const takeBack = (flagKey: string, version: number) =>
    operator.call(unarchiveFlag, { params: { flagKey }, body: { version } });
  const segment = {
    id: 'grp_pilots',
    kind: 'list',
    name: 'Pilots',
    description: '',
    attribute: 'id',
  } as const;
  await operator.call(createSegment, { body: { ...segment, numbers: false, values: 'ada' } });
  await make('PARENT');
  await make('CHILD', [{ condition: { id: { $inGroup: 'grp_pilots' } }, force: true }]);
  expect((await archive('CHILD', 1)).status).toBe(204);
  expect((await archive('PARENT', 1)).status).toBe(204);
  expect((await operator.call(listFlags, {})).body.flags).toEqual([]);
  expect((await operator.call(getFlag, { params: { flagKey: 'CHILD' } })).status).toBe(404);
  expect((await operator.call(listArchivedFlags, {})).body.flags).toMatchObject([
    { key: 'CHILD', enabled: false, killSwitch: true, version: 2, archivedAt: expect.any(Number) },
    { key: 'PARENT' },
  ]);
  expect((await make('CHILD')).problem).toMatchObject({ code: 'CONFLICT', errors: [{ pointer: '/key' }] });

  await operator.call(deleteSegment, { params: { segmentId: 'grp_pilots' }, query: { version: 1 } });
  expect((await takeBack('CHILD', 2)).problem).toMatchObject({
    code: 'INVALID_BODY',
    errors: [{ pointer: '/rules/0/condition/id/$inGroup' }],
  });
  expect((await takeBack('PARENT', 1)).problem?.code).toBe('VERSION_CONFLICT');
  expect((await takeBack('PARENT', 2)).body).toMatchObject({ enabled: false, killSwitch: true, version: 3 });
  expect((await takeBack('PARENT', 3)).status).toBe(404);
  expect((await operator.call(listFlags, {})).body.flags.map(({ key }) => key)).toEqual(['PARENT']);
});

it('FLAG-20: webhooks receive each change of a flag once, without its values and rules', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const operator = await signIn(app, { roles: ['operator'] });
  const receiver = await startReceiver();
  await operator.call(addWebhook, {
    body: { url: `${receiver.url}/hook`, description: '', enabled: true, areas: ['flag'] },
  });
  const params = { flagKey: 'MAP' };
  const rules = [{ condition: { email: 'ada@example.org' }, force: true }];
  await operator.call(createFlag, { body: { ...draft, key: 'MAP', enabled: false } });
  await operator.call(updateFlag, { params, body: { ...draft, rules, version: 1 } });
  await operator.call(switchFlag, { params, body: { enabled: true, version: 2 } });
  await operator.call(switchFlag, { params, body: { enabled: true, version: 2 } });
  await operator.call(deleteFlag, { params, query: { version: 3 } });
  await operator.call(unarchiveFlag, { params, body: { version: 4 } });
  await receiver.arrived(5);
  const messages = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: object });
  const told = { key: 'MAP', by: operator.email, link: `${app.url}/flags/MAP` };
  expect(messages).toMatchObject([
    { type: 'flag.changed', data: { ...told, change: 'create', enabled: false, version: 1 } },
    { data: { change: 'update', version: 2 } },
    { data: { change: 'on', enabled: true, version: 3 } },
    { data: { change: 'archive', enabled: false, version: 4 } },
    { data: { change: 'unarchive', enabled: false, version: 5 } },
  ]);
  expect(JSON.stringify(messages)).not.toContain('ada@');
});
