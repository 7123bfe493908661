import { crc32 } from 'node:zlib';

/**
 * The files of a ZIP by name, read from its directory as unpackers do; throws where a checksum or a place is
 * wrong.
 */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006'));
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [crc, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const head = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
    const bytes = zip.subarray(start, start + size);
    if (zip.readUInt32LE(head) !== 0x0403_4b50 || crc32(bytes) !== crc)
      throw new Error(`${name} is not what the directory states.`);
    files.set(name, bytes);
    at += 46 + nameLength + extraLength;
  }
  if (at !== end) throw new Error('The directory does not end where it should.');
  return files;
}
