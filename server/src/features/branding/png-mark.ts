import { crc32 } from 'node:zlib';
import { MarkError } from './mark-error.ts';

/** What a picture is made of; everything else (who made it and where, further frames) is left out. */
const drawn = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'cHRM', 'IDAT', 'IEND']);
const signatureBytes = 8;
/** Length, type and checksum. */
const aroundBytes = 12;

/**
 * A PNG, chunk by chunk (PNG, third edition, 5.3), without what is not drawn. It has been sniffed before. Throws MarkError for
 * one that is cut off or damaged.
 */
export function readPngMark(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, signatureBytes)];
  let last = '';
  for (let at = signatureBytes; last !== 'IEND';) {
    if (at + aroundBytes > bytes.length) throw new MarkError('broken', 'is cut off');
    const length = bytes.readUInt32BE(at);
    const end = at + aroundBytes + length;
    if (end > bytes.length) throw new MarkError('broken', 'is cut off');
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new MarkError('broken', 'is damaged');
    last = bytes.toString('latin1', at + 4, at + 8);
    if (drawn.has(last)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
