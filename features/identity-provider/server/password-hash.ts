import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { createHashQueue, type Turn } from './hash-queue.ts';

/** The cost of a hash of argon2id: memory in KiB, passes over it, and lanes. */
export type HashParameters = { memory: number; passes: number; parallelism: number };

// OWASP counts several sets as equal; this one touches the least memory (docs/decisions/0004-argon2id-parameters.md).
const owasp: HashParameters = { memory: 7_168, passes: 5, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;

/**
 * At most two hashes at once: each takes a thread of the pool that files and DNS need too. A hundred that wait are
 * some three seconds of work; further requests are asked to retry later.
 */
const inTurn = createHashQueue({ atOnce: 2, mostWaiting: 100 });
const installation: Turn = { known: true, by: '' };

/**
 * Hashes a password for storage: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. The parameters stand in it, so that
 * they can change.
 *
 * @throws UNAVAILABLE when too many wait already
 */
export async function hashPassword(
  password: string,
  parameters: HashParameters = owasp,
  turn: Turn = installation,
): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await inTurn(turn, () => derive(password, salt, parameters, hashBytes));
  return encode(parameters, salt, hash);
}

/**
 * Whether the password is the one that was hashed; null stands for "there is nothing to compare with" and
 * takes as long.
 *
 * @throws UNAVAILABLE when too many wait already
 */
export async function verifyPassword(
  password: string,
  encoded: string | null,
  parameters: HashParameters = owasp,
  turn: Turn = installation,
): Promise<boolean> {
  const { salt, hash, ...made } =
    encoded === null
      ? { salt: randomBytes(saltBytes), hash: randomBytes(hashBytes), ...parameters }
      : decode(encoded);
  return timingSafeEqual(await inTurn(turn, () => derive(password, salt, made, hash.length)), hash);
}

/** Whether the hash was made with other parameters than those of today. */
export function isOutdated(encoded: string, parameters: HashParameters = owasp): boolean {
  const known = decode(encoded);
  return (['memory', 'passes', 'parallelism'] as const).some((name) => known[name] !== parameters[name]);
}

function derive(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: HashParameters,
  length: number,
): Promise<Buffer> {
  // The same text may be typed in composed and in decomposed form (RFC 8265 4.2.2).
  const message = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message, nonce: salt, memory, passes, parallelism, tagLength: length },
      (error, derived) => {
        if (error === null) resolve(derived);
        else reject(error);
      },
    );
  });
}

function encode({ memory, passes, parallelism }: HashParameters, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

function decode(encoded: string): HashParameters & { salt: Buffer; hash: Buffer } {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(
    encoded,
  );
  if (parts === null) throw new Error('A stored password hash is not in a form that is known here.');
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
