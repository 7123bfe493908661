import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { readerOf } from './archive.ts';
import { BackupError } from './backup-error.ts';

/*
 * A stream under a passphrase: scrypt (RFC 7914) makes the key, and frames of 64 KiB are encrypted by AES-256-GCM each, as
 * the STREAM construction has it (Hoang, Reyhanitabar, Rogaway, Vizár 2015; age and Tink use it too): a nonce is a random
 * beginning, the number of the frame, and whether it is the last. So no frame can be altered, moved, repeated or left out,
 * and a stream that is cut off has no last frame.
 *
 * header: `PORTICO1`, log2 N, r, p, salt (16), beginning of the nonces (7), proof of the key (16)
 */

const magic = Buffer.from('PORTICO1');
const headerBytes = 50;
const frameBytes = 65_536;
const tagBytes = 16;
const cost = { log2N: 17, r: 8, p: 1 };

type Key = { key: Buffer; proof: Buffer };

async function keyOf(passphrase: string, salt: Buffer, { log2N, r, p }: typeof cost): Promise<Key> {
  const options = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r };
  const derive = promisify<string, Buffer, number, typeof options, Buffer>(scrypt);
  const derived = await derive(passphrase.normalize('NFKC'), salt, 48, options);
  return { key: derived.subarray(0, 32), proof: derived.subarray(32) };
}

function nonceOf(beginning: Buffer, frame: number, isLast: boolean): Buffer {
  const end = Buffer.alloc(5);
  end.writeUInt32BE(frame);
  end[4] = isLast ? 1 : 0;
  return Buffer.concat([beginning, end]);
}

/** Encrypts a stream. */
export async function* encrypted(
  plain: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(16);
  const beginning = randomBytes(7);
  const { key, proof } = await keyOf(passphrase, salt, cost);
  const header = Buffer.concat([magic, Buffer.from([cost.log2N, cost.r, cost.p]), salt, beginning, proof]);
  yield header;
  const reader = readerOf(plain);
  let piece = await reader.exactly(frameBytes, true);
  for (let frame = 0; ; frame += 1) {
    const next = piece?.length === frameBytes ? await reader.exactly(frameBytes, true) : null;
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(beginning, frame, next === null));
    cipher.setAAD(header);
    yield Buffer.concat([cipher.update(piece ?? Buffer.alloc(0)), cipher.final(), cipher.getAuthTag()]);
    if (next === null) return;
    piece = next;
  }
}

/** Whether a stream that begins with these bytes is an encrypted one. */
export function isEncrypted(beginning: Uint8Array): boolean {
  return magic.equals(beginning.subarray(0, magic.length));
}

/**
 * Decrypts a stream. Throws BackupError where the passphrase is another one, or where the stream was altered or cut
 * off; no part of a frame is returned before the frame is authenticated.
 *
 * @param name the name of the stream in error messages
 */
export async function* decrypted(
  sealed: AsyncIterable<Uint8Array>,
  passphrase: string | null,
  name: string,
): AsyncGenerator<Uint8Array> {
  if (passphrase === null)
    throw new BackupError(`${name} is encrypted. Set BACKUP_PASSPHRASE to its passphrase.`, {
      reason: 'passphrase',
    });
  const altered = new BackupError(`${name} was altered or is cut off. Use another backup.`);
  const reader = readerOf(sealed);
  const header = await reader.exactly(headerBytes);
  if (header === null) throw altered;
  const [log2N = 0, r = 0, p = 0] = header.subarray(8, 11);
  // Larger values would take memory and time that only an altered header asks for.
  if (log2N < 10 || log2N > 20 || r < 1 || r > 16 || p < 1 || p > 4) throw altered;
  const beginning = header.subarray(27, 34);
  const { key, proof } = await keyOf(passphrase, header.subarray(11, 27), { log2N, r, p });
  if (!proof.equals(header.subarray(34)))
    throw new BackupError(`${name} has another passphrase than BACKUP_PASSPHRASE, or was altered.`, {
      reason: 'passphrase',
    });
  let piece = await reader.exactly(frameBytes + tagBytes, true);
  for (let frame = 0; piece !== null; frame += 1) {
    const next = await reader.exactly(frameBytes + tagBytes, true);
    if (piece.length < tagBytes) throw altered;
    const cipher = createDecipheriv('aes-256-gcm', key, nonceOf(beginning, frame, next === null));
    cipher.setAAD(header).setAuthTag(piece.subarray(-tagBytes));
    let plain: Buffer;
    try {
      plain = Buffer.concat([cipher.update(piece.subarray(0, -tagBytes)), cipher.final()]);
    } catch {
      throw altered;
    }
    yield plain;
    if (next === null) return;
    piece = next;
  }
  throw altered;
}
