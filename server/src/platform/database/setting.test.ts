import { describe, expect, it } from 'vitest';
import { engines, freshDatabase, openDatabase, type Place } from '../../testing/fresh-database.ts';
import type { Database } from './database.ts';
import { installationSecret, isNoted, noteOnce } from './setting.ts';
import { signingKeys } from '../keys/signing-key.ts';

const open = ({ location }: Place) => openDatabase(location);

/** Two replicas on PostgreSQL, one server on SQLite. */
async function replicas(engine: Place['engine']): Promise<Database[]> {
  const place = await freshDatabase(engine);
  return engine === 'postgres' ? [await open(place), await open(place)] : [await open(place)];
}

describe.each(engines)('what an installation keeps for itself on %s', (engine) => {
  it('SES-1: a secret is made once, however many ask at once, and is another for another purpose', async () => {
    const databases = await replicas(engine);
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        installationSecret(databases[index % databases.length] as Database, 'cookies'),
      ),
    );
    expect(new Set(asked).size).toBe(1);
    expect(asked[0]).toMatch(/^[\w-]{43}$/);
    const [database] = databases as [Database];
    expect(await installationSecret(database, 'cookies')).toBe(asked[0]);
    expect(await installationSecret(database, 'other')).not.toBe(asked[0]);
  });

  it('START-1: that something has happened is noted once, and stays noted', async () => {
    const [database] = (await replicas(engine)) as [Database];
    const note = () => database.change((change) => noteOnce(change, 'it'));
    expect(await isNoted(database.read, 'it')).toBe(false);
    expect([await note(), await note()]).toEqual([true, false]);
    expect([await isNoted(database.read, 'it'), await isNoted(database.read, 'else')]).toEqual([true, false]);
  });

  it('SES-2: a signing key is made once, however many ask at once, and published to the others', async () => {
    const databases = await replicas(engine);
    const published: string[] = [];
    for (const database of databases) {
      database.onChange((changes) => published.push(...changes.map(({ topic, key }) => `${topic} ${key}`)));
    }
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        signingKeys(databases[index % databases.length] as Database, 'access-token'),
      ),
    );
    expect(new Set(asked.map((keys) => keys.map((key) => key.kid).join())).size).toBe(1);
    expect(asked[0]).toHaveLength(1);
    expect(asked[0]?.[0]?.jwk).toMatchObject({
      kty: 'EC',
      crv: 'P-256',
      d: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(published).toEqual(['signing-keys access-token']);
    const [database] = databases as [Database];
    expect(await signingKeys(database, 'access-token')).toEqual(asked[0]);
    expect((await signingKeys(database, 'other'))[0]?.kid).not.toBe(asked[0]?.[0]?.kid);
  });

  it('SES-2: the newest of several signing keys comes first', async () => {
    const [database] = (await replicas(engine)) as [Database];
    const [first] = await signingKeys(database, 'access-token');
    await database.change(({ tx, at }) =>
      tx
        .insertInto('signing_key')
        .values({
          kid: 'second',
          purpose: 'access-token',
          jwk: JSON.stringify(first?.jwk),
          created_at: at + 1,
        })
        .execute(),
    );
    expect((await signingKeys(database, 'access-token')).map((key) => key.kid)).toEqual([
      'second',
      first?.kid,
    ]);
  });
});
