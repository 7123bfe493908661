import { listErrors } from '#features/diagnostics/contract/diagnostics.ts';
import {
  addProject,
  addProjectKey,
  changeProject,
  listProjects,
  projectLimits,
  removeProject,
  revokeProjectKey,
} from '#features/diagnostics/contract/projects.ts';
import { describe, expect, it } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { errorEnvelope, ownProjectKey, sendEnvelope } from '#server/testing/envelopes.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { uploadMap } from '#server/testing/source-map.ts';

describe.each(engines)('projects of diagnostics on %s', (engine) => {
  const once = provedOn(engine);
  async function start() {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    return { app, operator };
  }

  it('DIAG-2: are added with a key, whose revocation counts at once', async () => {
    const { app, operator } = await start();
    const shop = (await operator.call(addProject, { body: { name: 'Shop' } })).body;
    expect(shop).toMatchObject({ id: 2, name: 'Shop', forwardTo: null, version: 1 });
    const [first] = shop.keys;
    const { host } = new URL(app.config.publicUrl);
    expect(first?.dsn).toBe(`http://${first?.key}@${host}/2`);
    const send = async (key = '') =>
      (await sendEnvelope(app.url, key, errorEnvelope(), { project: shop.id })).status;
    await expect.poll(() => send(first?.key)).toBe(200);
    const params = { projectId: shop.id };
    const second = (await operator.call(addProjectKey, { params })).body;
    await expect.poll(() => send(second.key)).toBe(200);
    await operator.call(revokeProjectKey, { params: { ...params, key: second.key } });
    await expect.poll(() => send(second.key)).toBe(403);
    expect((await operator.call(revokeProjectKey, { params: { ...params, key: second.key } })).status).toBe(
      404,
    );
    const { projects } = (await operator.call(listProjects, {})).body;
    expect(projects.map(({ id, keys }) => [id, keys.length])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('DIAG-2: one that is removed goes with its errors and maps, its number is not given again, and Portico’s own stays', async () => {
    const { app, operator } = await start();
    const shop = (await operator.call(addProject, { body: { name: 'Shop' } })).body;
    const key = shop.keys[0]?.key ?? '';
    const own = await ownProjectKey(app);
    await expect
      .poll(async () => (await sendEnvelope(app.url, key, errorEnvelope(), { project: 2 })).status)
      .toBe(200);
    expect((await sendEnvelope(app.url, own, errorEnvelope())).status).toBe(200);
    const query = 'project=2&release=1&file=/a.js';
    expect((await uploadMap(app.url, operator.accessToken, { query })).status).toBe(201);
    expect((await operator.call(listErrors, {})).body.errors).toHaveLength(2);
    expect((await operator.call(removeProject, { params: { projectId: 1 } })).problem?.code).toBe('CONFLICT');
    await operator.call(removeProject, { params: { projectId: 2 } });
    const shown = (await operator.call(listErrors, {})).body;
    expect([shown.errors.map(({ projectId }) => projectId), shown.counts.open]).toEqual([[1], 1]);
    await app.sweep();
    const { read } = app.database;
    expect(await read.selectFrom('error_group').select('project_id').execute()).toEqual([{ project_id: 1 }]);
    expect(await read.selectFrom('error_event').select('n').execute()).toHaveLength(1);
    expect(await read.selectFrom('file').select('id').execute()).toEqual([]);
    expect((await operator.call(addProject, { body: { name: 'Shop' } })).body.id).toBe(3);
    expect((await operator.call(removeProject, { params: { projectId: 2 } })).status).toBe(404);
  });

  it.each(once)('DIAG-2: there are at most so many, with so many keys', async () => {
    const { app, operator } = await start();
    for (let n = 2; n <= projectLimits.projects; n += 1)
      await operator.call(addProject, { body: { name: `No. ${n}` } });
    expect((await operator.call(addProject, { body: { name: 'More' } })).problem?.code).toBe('CONFLICT');
    for (let n = 2; n <= projectLimits.keysEach; n += 1)
      await operator.call(addProjectKey, { params: { projectId: 2 } });
    expect((await operator.call(addProjectKey, { params: { projectId: 2 } })).problem?.code).toBe('CONFLICT');
    expect(app.log.filter(({ level }) => level >= 50)).toEqual([]);
  });
});

it('DIAG-2: envelopes are forwarded to another host’s DSN, and never back to this installation', async () => {
  const app = await startApp({ engine: 'sqlite' });
  const operator = await signIn(app, { roles: ['operator'] });
  const set = (forwardTo: string | null, version: number) =>
    operator.call(changeProject, {
      params: { projectId: 1 },
      body: { name: 'Portico', forwardTo, version },
    });
  const key = 'a'.repeat(32);
  for (const wrong of [
    'x',
    `ftp://${key}@errors.test/1`,
    'https://errors.test/1',
    `https://${key}@errors.test/`,
    `https://${key}@errors.test/a/b`,
    `https://${key}@errors.test/1?x=1`,
    `https://${key}@errors.test/../1x`,
    `http://${key}@${new URL(app.config.publicUrl).host}/1`,
  ])
    expect([wrong, (await set(wrong, 1)).problem?.errors?.[0]?.pointer]).toEqual([wrong, '/forwardTo']);
  const right = `https://${key}@errors.test/base/7`;
  expect((await set(right, 1)).body).toMatchObject({ forwardTo: right, version: 2 });
  const audited = await app.database.read
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'diagnostics-project.update')
    .executeTakeFirstOrThrow();
  expect(audited.after).toContain('//…@errors.test/base/7');
  expect((await set(null, 2)).body.forwardTo).toBeNull();
  expect((await set(right, 2)).problem?.code).toBe('VERSION_CONFLICT');
});
