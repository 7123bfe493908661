import { createReadStream } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupError } from './backup-error.ts';
import { contentPath, databaseName, manifestName, readManifest } from './manifest.ts';

/*
 * The files of a backup in one stream, as POSIX tar (ustar): `tar -x` unpacks it too. Sizes above 8 GiB are in base 256,
 * as GNU tar writes them.
 */

const block = 512;
const pathPattern = /^(?:manifest\.json|portico\.sqlite|files\/([0-9a-f]{2})\/\1[0-9a-f]{62})$/;
const cut = 'is cut off: its end is missing';

/** Packs a backup folder, its manifest first. */
export async function* packBackup(folder: string): AsyncGenerator<Uint8Array> {
  const { contents } = await readManifest(folder);
  const paths = [manifestName, databaseName, ...contents.map(({ sha256 }) => contentPath('', sha256))];
  for (const path of paths) {
    const { size } = await stat(join(folder, path));
    yield headerOf(path, size);
    yield* createReadStream(join(folder, path), { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * block);
}

/**
 * Unpacks an archive into an empty folder. Only the files of a backup are accepted, under their own names.
 *
 * @param name the name of the archive in error messages
 * @throws BackupError where it is no archive of a backup, is altered in its headers, or is cut off
 */
export async function unpackBackup(
  archive: AsyncIterable<Uint8Array>,
  folder: string,
  name: string,
): Promise<void> {
  const reader = readerOf(archive);
  const fail = (what: string) => new BackupError(`${name} ${what}. Use another backup.`);
  for (let entries = 0; ; entries += 1) {
    const header = await reader.exactly(block);
    if (header === null) throw fail(entries === 0 ? 'is no backup of Portico' : cut);
    if (header.every((byte) => byte === 0)) break;
    const entry = entryOf(header);
    if (entry === null) throw fail(entries === 0 ? 'is no backup of Portico' : 'is altered');
    if (!pathPattern.test(entry.path)) throw fail('is no backup of Portico: it holds other files');
    const path = join(folder, entry.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // The flag `wx` refuses a name that occurs twice.
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? fail('is altered: a file is there twice') : error;
    });
    try {
      if (!(await copyTo(file, reader, entry.size))) throw fail(cut);
    } finally {
      await file.close();
    }
    if ((await reader.exactly(paddingOf(entry.size))) === null) throw fail(cut);
  }
  const end = await reader.exactly(block);
  if (end === null || end.some((byte) => byte !== 0)) throw fail(cut);
  // Reads the stream to its end: only there an encrypted stream proves that no part is missing.
  while ((await reader.upTo(block)) !== null) continue;
}

async function copyTo(file: FileHandle, reader: ReturnType<typeof readerOf>, size: number): Promise<boolean> {
  for (let rest = size; rest > 0;) {
    const piece = await reader.upTo(rest);
    if (piece === null) return false;
    await file.writeFile(piece);
    rest -= piece.length;
  }
  return true;
}

function paddingOf(size: number): number {
  return (block - (size % block)) % block;
}

function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  header.write(path, 0, 100);
  header.write('0000600\0' + '0000000\0'.repeat(2), 100);
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header.writeBigUInt64BE(BigInt(size), 128);
    header[124] = 0x80;
  }
  header.write(`${'0'.repeat(11)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function entryOf(header: Buffer): { path: string; size: number } | null {
  const text = (from: number, to: number): string =>
    header.toString('latin1', from, to).replace(/\0.*$/s, '').trim();
  if (text(257, 262) !== 'ustar' || Number.parseInt(text(148, 156), 8) !== sumOf(header)) return null;
  const size =
    header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 136), 8);
  return Number.isSafeInteger(size) && size >= 0 && /^0?$/.test(text(156, 157))
    ? { path: text(0, 100), size }
    : null;
}

/** The checksum of a header, computed as if its checksum field were spaces. */
function sumOf(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
}

/** Reads a stream in pieces of a wanted length. */
export function readerOf(stream: AsyncIterable<Uint8Array>) {
  const pieces = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** Between 1 and `most` bytes; null at the end. */
  async function upTo(most: number): Promise<Buffer | null> {
    while (rest.length === 0) {
      const next = await pieces.next();
      if (next.done === true) return null;
      rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
    }
    const piece = rest.subarray(0, most);
    rest = rest.subarray(piece.length);
    return piece;
  }
  /** Exactly `length` bytes or, with `orLess`, what is left before the end; null where fewer bytes are left. */
  async function exactly(length: number, orLess = false): Promise<Buffer | null> {
    const found: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const piece = await upTo(missing);
      if (piece === null) return orLess && missing < length ? Buffer.concat(found) : null;
      found.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(found);
  }
  return { upTo, exactly };
}
