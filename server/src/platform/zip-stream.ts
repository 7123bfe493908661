import { crc32 } from 'node:zlib';

/** A file in a ZIP; its bytes are made when it is their turn. */
export type ZipEntry = { name: string; bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> };

type Written = { name: Buffer; crc: number; size: number; offset: number };

const version = 45;
/** Sizes follow the bytes, and names are UTF-8. */
const flags = 0x0808;
const most32 = 0xffff_ffff;
const most16 = 0xffff;

/**
 * A ZIP (PKWARE APPNOTE 6.3) made as it is read, with nothing held but a line for each file. Bytes are stored as they are, since
 * pictures are compressed already. Where it becomes longer than 4 GiB or has more than 65,534 files, ZIP64 says so.
 *
 * @param at the time that every file gets
 */
export async function* zipStream(
  entries: AsyncIterable<ZipEntry>,
  at: Date,
): AsyncGenerator<Buffer, void, undefined> {
  const time = dosTime(at);
  const written: Written[] = [];
  let offset = 0;

  for await (const entry of entries) {
    const name = Buffer.from(entry.name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x0403_4b50, 0);
    head.writeUInt16LE(version, 4);
    head.writeUInt16LE(flags, 6);
    head.writeUInt32LE(time, 10);
    head.writeUInt16LE(name.length, 26);
    yield Buffer.concat([head, name]);
    let crc = 0;
    let size = 0;
    for await (const bytes of entry.bytes) {
      crc = crc32(bytes, crc);
      size += bytes.byteLength;
      if (size >= most32) throw new Error(`${entry.name} is too large for one file of a ZIP.`);
      yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const after = Buffer.alloc(16);
    after.writeUInt32LE(0x0807_4b50, 0);
    after.writeUInt32LE(crc, 4);
    after.writeUInt32LE(size, 8);
    after.writeUInt32LE(size, 12);
    yield after;
    written.push({ name, crc, size, offset });
    offset += head.length + name.length + size + after.length;
  }

  const start = offset;
  for (const file of written) {
    const line = directoryLine(file, time);
    offset += line.length;
    yield line;
  }
  yield directoryEnd(written.length, start, offset);
}

function directoryLine({ name, crc, size, offset }: Written, time: number): Buffer {
  const far = offset >= most32;
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x0201_4b50, 0);
  // Made on Unix, so that the names are taken as they are.
  line.writeUInt16LE(0x0300 | version, 4);
  line.writeUInt16LE(version, 6);
  line.writeUInt16LE(flags, 8);
  line.writeUInt32LE(time, 12);
  line.writeUInt32LE(crc, 16);
  line.writeUInt32LE(size, 20);
  line.writeUInt32LE(size, 24);
  line.writeUInt16LE(name.length, 28);
  line.writeUInt16LE(far ? 12 : 0, 30);
  // A plain file that its owner may read and write.
  line.writeUInt32LE(0o100600 * 0x1_0000, 38);
  line.writeUInt32LE(far ? most32 : offset, 42);
  if (!far) return Buffer.concat([line, name]);
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  return Buffer.concat([line, name, extra]);
}

function directoryEnd(count: number, start: number, end: number): Buffer {
  const size = end - start;
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x0605_4b50, 0);
  last.writeUInt16LE(Math.min(count, most16), 8);
  last.writeUInt16LE(Math.min(count, most16), 10);
  last.writeUInt32LE(Math.min(size, most32), 12);
  last.writeUInt32LE(Math.min(start, most32), 16);
  if (count < most16 && end < most32) return last;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x0606_4b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(0x0300 | version, 12);
  large.writeUInt16LE(version, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(end), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, last]);
}

/** Date above, time below, in two seconds; UTC, since the format knows no zones. */
function dosTime(at: Date): number {
  const date =
    ((Math.max(at.getUTCFullYear(), 1980) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x1_0000 + time;
}
