import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { namesIn } from '#server/platform/files/folders.ts';
import { packBackup, readerOf, unpackBackup } from './archive.ts';
import { BackupError, diskFailure } from './backup-error.ts';
import { type BackupPlace, type Destination, openDestination, requireFolder } from './destination.ts';
import { type BackupRequest, makeBackup } from './make-backup.ts';
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

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
async function* encrypted(plain: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
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
function isEncrypted(beginning: Uint8Array): boolean {
  return magic.equals(beginning.subarray(0, magic.length));
}

/**
 * Decrypts a stream. Throws BackupError where the passphrase is another one, or where the stream was altered or cut
 * off; no part of a frame is returned before the frame is authenticated.
 *
 * @param name the name of the stream in error messages
 */
async function* decrypted(
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

export type BackupFileRequest = Omit<BackupRequest, 'to'> & {
  place: BackupPlace;
  /** What the names of this installation's backups begin with. */
  label: string;
  passphrase: string | null;
  /** How many are kept. */
  keep: number;
};

export type BackupFile = {
  name: string;
  bytes: number;
  files: number;
  missing: number;
  /** How many older ones beyond `keep` could not be removed. */
  kept: number;
};

/** The prefix of backup names: the host of the installation, so that several installations can share a folder. */
export function labelOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  return `portico-${`${host}${pathname}`.replaceAll(/[^a-z0-9.]+/g, '-').replace(/-$/, '')}`;
}

/** The names of an installation's backups in a destination, the latest first. */
export async function backupNames(destination: Destination, label: string): Promise<string[]> {
  const pattern = /^_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar(?:\.encrypted)?$/;
  const names = await destination.list();
  return names
    .filter((name) => name.startsWith(label) && pattern.test(name.slice(label.length)))
    .toSorted()
    .toReversed();
}

/**
 * Makes a backup as a folder (next to the file; for an object store among temporary files), packs it into a file,
 * encrypted if there is a passphrase, then removes older ones beyond `keep`. Throws BackupError, leaving nothing.
 */
export async function makeBackupFile(request: BackupFileRequest): Promise<BackupFile> {
  const { place, label, passphrase, keep, dataDir, now, progress } = request;
  const folder = typeof place === 'string' ? place : tmpdir();
  await requireFolder(folder, dataDir);
  const destination = openDestination(place);
  await removeInterrupted(folder, label);
  const time = new Date(now()).toISOString().replaceAll(/[:.]/g, '-');
  const name = `${label}_${time}.tar${passphrase === null ? '' : '.encrypted'}`;
  const staging = join(folder, `${label}_${time}.making`);
  try {
    const { manifest } = await makeBackup({ ...request, to: staging });
    progress('Writing the archive…');
    const packed = packBackup(staging);
    const bytes = await destination.put(name, passphrase === null ? packed : encrypted(packed, passphrase));
    // A store may refuse to remove old backups, such as locked objects; the new backup is still valid.
    let kept = 0;
    for (const old of (await backupNames(destination, label)).slice(keep))
      await destination.remove(old).catch(() => (kept += 1));
    return { name, bytes, files: manifest.contents.length, missing: manifest.missing.length, kept };
  } catch (error) {
    throw diskFailure(error, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes what a killed process has left. */
async function removeInterrupted(folder: string, label: string): Promise<void> {
  for (const name of await namesIn(folder))
    if (name.startsWith(`${label}_`) && /\.(?:making|partial)$/.test(name))
      await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Gives `work` a backup as a folder: a folder as it is, a file unpacked into a folder that is removed afterwards.
 */
export async function withBackupFolder<T>(
  path: string,
  passphrase: string | null,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const beginning = await firstBytes(path);
  if (beginning === null) return work(path);
  const scratch = await mkdtemp(join(tmpdir(), 'portico-backup-'));
  try {
    const folder = join(scratch, 'backup');
    await mkdir(folder, { mode: 0o700 });
    const name = basename(path);
    const file = createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
    await unpackBackup(isEncrypted(beginning) ? decrypted(file, passphrase, name) : file, folder, name);
    return await work(folder);
  } catch (error) {
    throw diskFailure(error, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The first bytes of a file; null where the path is a folder or does not exist. */
async function firstBytes(path: string): Promise<Buffer | null> {
  if (!existsSync(path)) return null;
  const file = await open(path, 'r').catch((error: unknown) => {
    throw diskFailure(error, path);
  });
  try {
    if ((await file.stat()).isDirectory()) return null;
    const bytes = Buffer.alloc(8);
    await file.read(bytes);
    return bytes;
  } finally {
    await file.close();
  }
}
