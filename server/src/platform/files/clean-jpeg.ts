/** Segments that draw nothing: application data but for JFIF, colour profiles and Adobe's, and comments. */
const removed = new Set([0xe1, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xef, 0xfe]);
const startOfScan = 0xda;
const endOfImage = 0xd9;

/**
 * Accepts bytes as a picture only if they are one JPEG (ITU T.81, B.1), and removes what draws nothing: EXIF with
 * places and previews, XMP, comments, and what stands behind the end of the picture.
 *
 * @returns null where the bytes are no JPEG, or are damaged or cut off
 */
export function cleanJpeg(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const retained = [bytes.subarray(0, 2)];
  let hasScan = false;
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    // Fill bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) {
      retained.push(bytes.subarray(at, at + 2));
      return hasScan ? Buffer.concat(retained) : null;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    let end = at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (marker === startOfScan) {
      hasScan = true;
      end = endOfScan(bytes, end);
    }
    if (!removed.has(marker)) retained.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** Compressed data ends at the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}
