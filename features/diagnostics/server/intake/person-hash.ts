import { createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { installationSecret, readSetting } from '#server/platform/database/setting.ts';

/**
 * A keyed hash of what names a person in events: an email address, an id, a user name or an IP address,
 * whatever its case. Without the installation's secret it cannot be computed from a list of addresses.
 */
export type PersonHash = (name: string) => string;

/** Uses a secret of the installation, which all replicas share and which stays in its database. */
export async function createPersonHash(database: Database): Promise<PersonHash> {
  return hashWith(await installationSecret(database, secretName));
}

/** As `createPersonHash`, but creates no secret: null where there is none, so that no hash is stored. */
export async function readPersonHash(read: Reader): Promise<PersonHash | null> {
  const secret = await readSetting(read, secretName);
  return secret === null ? null : hashWith(secret);
}

const secretName = 'diagnostics.person';

/** Names whose hashes are remembered: one person's errors come by the hundred, and a hash costs 20 µs. */
const mostRemembered = 5_000;

function hashWith(secret: string): PersonHash {
  const key = createSecretKey(secret, 'utf8');
  const known = new LRUCache<string, string>({ maxSize: mostRemembered, sizeCalculation: () => 1 });
  return (name) => {
    const plain = name.trim().toLowerCase();
    const found = known.get(plain);
    if (found !== undefined) return found;
    const hash = createHmac('sha256', key).update(plain).digest('base64url').slice(0, 24);
    known.set(plain, hash);
    return hash;
  };
}
