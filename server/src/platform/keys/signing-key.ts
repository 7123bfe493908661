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

/** How the keys of a purpose take turns; milliseconds. */
export type KeyTurns = {
  purpose: string;
  /** A new key is shown for that long before it signs: who verifies may keep an older list of keys. */
  leadMs: number;
  /** A key is stored for that long after it signed last, until its last signature has expired. */
  keepMs: number;
};

/**
 * Makes the next key of a purpose, which signs after its lead, or at once: then the others are not accepted
 * any more, for a key that may have leaked. Answers when it signs; a key that waits already is left to its
 * time.
 */
export async function rotateKey(change: Change, turns: KeyTurns, atOnce = false): Promise<number> {
  const { purpose, leadMs } = turns;
  const [newest] = await storedKeys(change.tx, purpose);
  if (!atOnce && newest !== undefined && newest.signsFrom > change.at) return newest.signsFrom;
  if (atOnce) await change.tx.deleteFrom('signing_key').where('purpose', '=', purpose).execute();
  const signsFrom = atOnce || newest === undefined ? change.at : change.at + leadMs;
  await insertKey(change, purpose, newKey(), signsFrom);
  return signsFrom;
}

/**
 * Removes every key of every purpose: nothing that they have signed is believed any more. New ones are made
 * at their first use.
 */
export async function deleteSigningKeys(change: Change): Promise<void> {
  const gone = await change.tx.deleteFrom('signing_key').returning('purpose').execute();
  for (const purpose of new Set(gone.map((key) => key.purpose))) change.publish('signing-keys', purpose);
}

/**
 * Sees to it that no key signs for longer than `oldestMs` and none is stored without use. Safe on every
 * replica at once.
 */
export async function turnKeys(
  database: Database,
  turns: KeyTurns,
  now: number,
  oldestMs: number,
): Promise<{ made: boolean; removed: number }> {
  const before = await storedKeys(database.read, turns.purpose);
  if (before.length === 0 || (!isDue(before, now, oldestMs) && unused(before, now, turns).length === 0))
    return { made: false, removed: 0 };
  return database.change(async (change) => {
    const keys = await storedKeys(change.tx, turns.purpose);
    const made = isDue(keys, now, oldestMs);
    const gone = unused(keys, now, turns);
    if (made) await rotateKey(change, turns);
    for (const { kid } of gone) await change.tx.deleteFrom('signing_key').where('kid', '=', kid).execute();
    if (gone.length > 0) change.publish('signing-keys', turns.purpose);
    return { made, removed: gone.length };
  });
}

function isDue([newest]: readonly SigningKey[], now: number, oldestMs: number): boolean {
  return newest !== undefined && now >= Math.max(newest.createdAt, newest.signsFrom) + oldestMs;
}

/** Those whose successor has signed for so long that nothing of theirs is of use. */
function unused(keys: readonly SigningKey[], now: number, { keepMs }: KeyTurns): SigningKey[] {
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
