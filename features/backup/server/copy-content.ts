import { createHash } from 'node:crypto';
import { mkdir, open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from './backup-error.ts';

/** Bytes as they were read: how many, and their SHA-256 in hexadecimal. */
export type Summed = { bytes: number; sha256: string };

const pieceBytes = 1024 * 1024;

/** Reads a file to its end; null where there is none. */
export async function sumOf(path: string): Promise<Summed | null> {
  return withFile(path, (source) => sum(source));
}

/**
 * Copies a file into a new one that only its owner can read. Returns the checksum of the copied bytes once they are
 * on disk; null if there is no such file.
 */
export async function copySummed(from: string, to: string): Promise<Summed | null> {
  return withFile(from, async (source) => {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const target = await open(to, 'wx', 0o600);
    try {
      const summed = await sum(source, (piece) => target.writeFile(piece));
      await target.sync();
      return summed;
    } catch (error) {
      await rm(to, { force: true });
      throw error;
    } finally {
      await target.close();
    }
  });
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T | null> {
  let file;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function sum(source: FileHandle, take?: (piece: Uint8Array) => Promise<void>): Promise<Summed> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(pieceBytes);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await take?.(piece);
    bytes += bytesRead;
  }
}

/**
 * Works on a few items of a list at a time, which is faster on a disk than one after the other. After a failure it
 * starts no further item, and rejects when the running ones have ended, so that their files can be removed.
 */
export async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let rest = [...items];
  const workers = Array.from({ length: 4 }, async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      try {
        await work(item);
      } catch (error) {
        rest = [];
        throw error;
      }
    }
  });
  for (const outcome of await Promise.allSettled(workers))
    if (outcome.status === 'rejected') throw outcome.reason;
}

/** Throws BackupError where a folder's disk has less room than is needed, before anything is written. */
export async function requireFreeSpace(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new BackupError(
    `There is not enough room in ${folder}: ${inWords(needed)} are needed, ${inWords(free)} are free. Nothing was written.`,
    { reason: 'full' },
  );
}

/** A number of bytes as people read it. */
export function inWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
