import { generateKeyPairSync } from 'node:crypto';
import type { Change, Database, Reader } from '../database/database.ts';
import { newId } from './ids.ts';

/**
 * A private ES256 key (RFC 7518 3.4) as JWK. It verifies for as long as it is stored, and signs from
 * `signsFrom` on (milliseconds) until the next one does.
 */
export type SigningKey = { kid: string; createdAt: number; signsFrom: number; jwk: EcKey };
export type EcKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string };

/**
 * The keys stored for a purpose, the newest first, the same on every replica: `signerAt` answers which one
 * signs, all of them verify. The first is made at the first use. Changes are published as topic
 * `signing-keys`, with the purpose as key.
 */
export async function signingKeys(database: Database, purpose: string): Promise<SigningKey[]> {
  const known = await storedKeys(database.read, purpose);
  if (known.length > 0) return known;
  const made = newKey();
  return database.change(async (change) => {
    const meanwhile = await storedKeys(change.tx, purpose);
    if (meanwhile.length > 0) return meanwhile;
    await insertKey(change, purpose, made, 0);
    return storedKeys(change.tx, purpose);
  });
}

/** The key that signs at a time. */
export function signerAt<Key extends { signsFrom: number }>(keys: readonly Key[], now: number): Key {
  const signer = keys.find(({ signsFrom }) => signsFrom <= now) ?? keys.at(-1);
  if (signer === undefined) throw new Error('There is no key to sign with.');
  return signer;
}

/** The rotation schedule of the keys of one purpose, in milliseconds. */
export type KeyRotation = {
  purpose: string;
  /** A new key is published this long before it signs, since verifiers may cache an older list of keys. */
  leadMs: number;
  /** A key is stored this long after its last signature, until that has expired. */
  keepMs: number;
};

/**
 * Makes the next key of a purpose, unless one is waiting already.
 *
 * @param atOnce the key signs now and all older ones are removed, for a key that may have leaked
 * @returns the time from which it signs
 */
export async function rotateKey(change: Change, rotation: KeyRotation, atOnce = false): Promise<number> {
  const { purpose, leadMs } = rotation;
  const [newest] = await storedKeys(change.tx, purpose);
  if (!atOnce && newest !== undefined && newest.signsFrom > change.at) return newest.signsFrom;
  if (atOnce) await change.tx.deleteFrom('signing_key').where('purpose', '=', purpose).execute();
  const signsFrom = atOnce || newest === undefined ? change.at : change.at + leadMs;
  await insertKey(change, purpose, newKey(), signsFrom);
  return signsFrom;
}

/** Removes all keys, which invalidates all signatures. New ones are made at their first use. */
export async function deleteSigningKeys(change: Change): Promise<void> {
  const deleted = await change.tx.deleteFrom('signing_key').returning('purpose').execute();
  for (const purpose of new Set(deleted.map((key) => key.purpose))) change.publish('signing-keys', purpose);
}

/** Replaces a key that has signed for `oldestMs`, and removes unused ones; safe on all replicas at once. */
export async function rotateDueKeys(
  database: Database,
  rotation: KeyRotation,
  now: number,
  oldestMs: number,
): Promise<{ made: boolean; removed: number }> {
  const before = await storedKeys(database.read, rotation.purpose);
  if (before.length === 0 || (!isDue(before, now, oldestMs) && unused(before, now, rotation).length === 0))
    return { made: false, removed: 0 };
  return database.change(async (change) => {
    const keys = await storedKeys(change.tx, rotation.purpose);
    const made = isDue(keys, now, oldestMs);
    const removed = unused(keys, now, rotation);
    if (made) await rotateKey(change, rotation);
    for (const { kid } of removed) await change.tx.deleteFrom('signing_key').where('kid', '=', kid).execute();
    if (removed.length > 0) change.publish('signing-keys', rotation.purpose);
    return { made, removed: removed.length };
  });
}

function isDue([newest]: readonly SigningKey[], now: number, oldestMs: number): boolean {
  return newest !== undefined && now >= Math.max(newest.createdAt, newest.signsFrom) + oldestMs;
}

/** Keys whose successor has signed for `keepMs`, so that none of their signatures is still valid. */
function unused(keys: readonly SigningKey[], now: number, { keepMs }: KeyRotation): SigningKey[] {
  return keys.filter((_key, index) => {
    const successor = keys[index - 1];
    return successor !== undefined && now >= successor.signsFrom + keepMs;
  });
}

function newKey(): EcKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' });
  return { kty, crv, x, y, d } as EcKey;
}

async function insertKey(change: Change, purpose: string, jwk: EcKey, signsFrom: number): Promise<void> {
  const key = {
    kid: newId(),
    purpose,
    jwk: JSON.stringify(jwk),
    created_at: change.at,
    signs_from: signsFrom,
  };
  await change.tx.insertInto('signing_key').values(key).execute();
  change.publish('signing-keys', purpose);
}

async function storedKeys(read: Reader, purpose: string): Promise<SigningKey[]> {
  const rows = await read
    .selectFrom('signing_key')
    .select(['kid', 'jwk', 'created_at', 'signs_from'])
    .where('purpose', '=', purpose)
    .orderBy('signs_from', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
  return rows.map((row) => ({
    kid: row.kid,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
    jwk: JSON.parse(row.jwk) as EcKey,
  }));
}
