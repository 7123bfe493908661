import { describe, expect, it } from 'vitest';
import {
  addClientKey,
  createFlag,
  listClientKeys,
  listManagedClientKeys,
  readFeatures,
  renameClientKey,
  revokeClientKey,
} from '#features/flags/contract/flags.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { flagClient, openStream } from '#server/testing/flag-client.ts';
import { engines } from '#server/testing/fresh-database.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { newFlag } from './testing/new-flag.ts';

const feature = newFlag('NEW_SEARCH');

describe.each(engines)('client keys on %s', (engine) => {
  it('CON-1 FLAG-1: one is made, read with, renamed and revoked; its streams close and its SDKs stay away', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    await operator.call(createFlag, { body: feature });
    const managed = async () => (await operator.call(listManagedClientKeys, {})).body.clientKeys;

    const made = (await operator.call(addClientKey, { body: { kind: 'plain', name: 'The shop' } })).body;
    expect(made).toMatchObject({
      kind: 'plain',
      name: 'The shop',
      builtIn: false,
      createdBy: operator.email,
    });
    expect(made.key).toMatch(/^sdk-\w{16}$/);
    const client = await flagClient(app.url, made.key);
    expect(client.isOn('NEW_SEARCH')).toBe(true);
    await expect.poll(async () => (await managed()).find(({ key }) => key === made.key)?.connected).toBe(1);

    const renamed = { params: { clientKey: made.key }, body: { name: 'The old shop', version: 1 } };
    expect((await operator.call(renameClientKey, renamed)).body).toMatchObject({
      name: 'The old shop',
      version: 2,
    });
    expect((await operator.call(renameClientKey, renamed)).problem?.code).toBe('VERSION_CONFLICT');

    const stream = await openStream(`${app.url}/sub/${made.key}`);
    const others = await openStream(`${app.url}/sub/${await keyOf(app, 'plain')}`);
    await stream.until(1);
    expect((await operator.call(revokeClientKey, { params: { clientKey: made.key } })).status).toBe(204);
    await stream.ended;
    const refused = await app.call(readFeatures, { params: { clientKey: made.key } });
    expect([refused.status, refused.headers.get('x-unrecoverable')]).toEqual([400, '1']);
    expect((await operator.call(listClientKeys, {})).body.clientKeys.map(({ key }) => key)).not.toContain(
      made.key,
    );
    expect((await managed()).find(({ key }) => key === made.key)).toMatchObject({
      revokedBy: operator.email,
      connected: 0,
    });
    // The streams of other keys go on.
    await others.until(1);
    await operator.call(createFlag, { body: { ...feature, key: 'ANOTHER' } });
    expect((await others.until(2)).at(-1)?.data).toContain('ANOTHER');

    const again = await operator.call(renameClientKey, { ...renamed, body: { name: 'x', version: 3 } });
    expect(again.problem?.code).toBe('CONFLICT');
    const audited = await app.database.read
      .selectFrom('audit')
      .select('action')
      .where('action', 'like', 'client-key.%')
      .orderBy('at')
      .execute();
    expect(audited.map(({ action }) => action)).toEqual([
      'client-key.create',
      'client-key.rename',
      'client-key.revoke',
    ]);
  });

  it("CON-1: the key of Portico's own screens stays, also where others of its kind were made", async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
    const personal = await keyOf(app, 'personal');
    const added = await app.call(addClientKey, { body: { kind: 'personal', name: 'Ours' } }, { accessToken });
    const refused = await app.call(revokeClientKey, { params: { clientKey: personal } }, { accessToken });
    expect(refused.problem?.code).toBe('CONFLICT');
    const revoked = await app.call(
      revokeClientKey,
      { params: { clientKey: added.body.key } },
      { accessToken },
    );
    expect(revoked.status).toBe(204);
    const { clientKeys } = (await app.call(listManagedClientKeys, {}, { accessToken })).body;
    expect(clientKeys.filter(({ builtIn }) => builtIn).map(({ key }) => key)).toEqual([personal]);
    for (const name of ['', 'a\u0000b', 'a\nb', '\u202e', 'x'.repeat(101)]) {
      const wrong = await app.call(addClientKey, { body: { kind: 'plain', name } }, { accessToken });
      expect([name, wrong.status]).toEqual([name, 422]);
    }
  });
});

describe('client keys on two replicas', () => {
  it('CON-1 RUN-1: one that is revoked is refused by the other, and its streams there close', async () => {
    const one = await startApp({ engine: 'postgres' });
    const other = await startApp({ replicaOf: one });
    const accessToken = await addToken(one, { rights: ['SETTINGS_WRITE'] });
    const { key } = (await one.call(addClientKey, { body: { kind: 'plain', name: 'a' } }, { accessToken }))
      .body;
    const atOther = async () => (await other.call(readFeatures, { params: { clientKey: key } })).status;
    await expect.poll(atOther).toBe(200);
    const stream = await openStream(`${other.url}/sub/${key}`);
    await stream.until(1);
    await one.call(revokeClientKey, { params: { clientKey: key } }, { accessToken });
    await expect.poll(atOther).toBe(400);
    await stream.ended;
  });
});

async function keyOf(app: TestApp, kind: string): Promise<string> {
  const rows = await app.database.read.selectFrom('client_key').select(['key', 'kind']).execute();
  return rows.find((row) => row.kind === kind)?.key ?? '';
}
