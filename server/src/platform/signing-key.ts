import { generateKeyPairSync } from 'node:crypto';
import type { Database, Reader } from './database.ts';
import { newId } from './ids.ts';

/** A private ES256 key (RFC 7518 3.4) as JWK. It signs and, its public half, verifies. */
export type SigningKey = { kid: string; createdAt: number; jwk: EcKey };
export type EcKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string };

/**
 * The keys kept for a purpose, the newest first, the same on every replica: the newest signs, all of them verify. The
 * first is made at the first use. A row that is added is told as topic `signing-keys`, its purpose the key.
 */
export async function signingKeys(database: Database, purpose: string): Promise<SigningKey[]> {
  const known = await storedKeys(database.read, purpose);
  if (known.length > 0) return known;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' });
  return database.change(async ({ tx, at, tell }) => {
    const made = await storedKeys(tx, purpose);
    if (made.length > 0) return made;
    const key = { kid: newId(), purpose, jwk: JSON.stringify({ kty, crv, x, y, d }), created_at: at };
    await tx.insertInto('signing_key').values(key).execute();
    tell('signing-keys', purpose);
    return storedKeys(tx, purpose);
  });
}

async function storedKeys(read: Reader, purpose: string): Promise<SigningKey[]> {
  const rows = await read
    .selectFrom('signing_key')
    .select(['kid', 'jwk', 'created_at'])
    .where('purpose', '=', purpose)
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
  return rows.map((row) => ({ kid: row.kid, createdAt: row.created_at, jwk: JSON.parse(row.jwk) as EcKey }));
}
