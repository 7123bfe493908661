import { hash, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto';

// One call of the system's generator for many ids: it costs more than everything else about a small request.
const idBytes = 12;
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/**
 * A new id for a row: 96 random bits, 16 characters, safe in a URL. None begins with a hyphen, which would
 * make it an option on a command line and a formula in a spreadsheet.
 */
export function newId(): string {
  let id;
  do {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += idBytes;
    id = pool.toString('base64url', used - idBytes, used);
  } while (id.startsWith('-'));
  return id;
}

/** A new secret for its holder (session, link, API token): 256 random bits. Only its hash is stored. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What is stored of a secret: SHA-256, base64url. Enough for 256 random bits; passwords go through argon2id.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares two texts in constant time for their length. */
export function sameSecret(one: string, other: string): boolean {
  const a = Buffer.from(hashSecret(one));
  const b = Buffer.from(hashSecret(other));
  return timingSafeEqual(a, b);
}
