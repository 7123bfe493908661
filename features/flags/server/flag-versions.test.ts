import {
  createFlag,
  deleteFlag,
  listFlagVersions,
  switchFlag,
  updateFlag,
  type Flag,
} from '#features/flags/contract/flags.ts';
import { expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';

const draft = { type: 'boolean' as const, description: '', defaultValue: false, rules: [], tags: [] };

it('FLAG-14: each change of a flag is a version, with who and when, page by page, also after a deletion', async () => {
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
  expect((await read()).versions[0]?.version).toBe(flag.version);
  const accessToken = await addToken(app, { rights: ['MAP_VIEW'] });
  expect((await app.call(listFlagVersions, { params, query: {} }, { accessToken })).status).toBe(403);
});
