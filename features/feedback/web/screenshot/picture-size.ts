import type { Size } from './geometry.ts';

/**
 * The size of a picture by its own first bytes, before anything is decoded: a small file can unpack to
 * more than a tab can hold. PNG, JPEG, GIF, WebP, BMP, AVIF and HEIC; null where it cannot be determined.
 *
 * @param head the beginning of the file
 */
export function pictureSize(head: Uint8Array): Size | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    return (
      sizeOfPng(view) ??
      sizeOfJpeg(view) ??
      sizeOfGif(view) ??
      sizeOfWebp(view) ??
      sizeOfBmp(view) ??
      sizeOfBoxes(view)
    );
  } catch (error) {
    // It ends before the size.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function hasText(view: DataView, offset: number, text: string): boolean {
  if (view.byteLength < offset + text.length) return false;
  for (let index = 0; index < text.length; index += 1)
    if (view.getUint8(offset + index) !== text.charCodeAt(index)) return false;
  return true;
}

function sizeOfPng(view: DataView): Size | null {
  if (!hasText(view, 0, '\x89PNG\r\n\x1a\n') || !hasText(view, 12, 'IHDR')) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function sizeOfJpeg(view: DataView): Size | null {
  if (!hasText(view, 0, '\xff\xd8\xff')) return null;
  let offset = 2;
  while (offset < view.byteLength) {
    const marker = view.getUint8(offset + 1);
    if (view.getUint8(offset) !== 0xff) return null;
    // Padding before a marker.
    if (marker === 0xff) offset += 1;
    else if (isFrame(marker))
      return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    else offset += 2 + view.getUint16(offset + 2);
  }
  return null;
}

/** Whether a marker is a start of frame; three codes of that range mark tables instead. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function sizeOfGif(view: DataView): Size | null {
  if (!hasText(view, 0, 'GIF8')) return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function sizeOfWebp(view: DataView): Size | null {
  if (!hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP')) return null;
  if (hasText(view, 12, 'VP8X')) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (hasText(view, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!hasText(view, 12, 'VP8 ')) return null;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x1_0000;
}

function sizeOfBmp(view: DataView): Size | null {
  if (!hasText(view, 0, 'BM') || view.getUint32(14, true) < 40) return null;
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

/** AVIF and HEIC: the largest of the image sizes in the file's boxes. */
function sizeOfBoxes(view: DataView): Size | null {
  if (!hasText(view, 4, 'ftyp')) return null;
  let largest: Size | null = null;
  for (let offset = 8; offset + 16 <= view.byteLength; offset += 1) {
    if (!hasText(view, offset, 'ispe')) continue;
    const size = { width: view.getUint32(offset + 8), height: view.getUint32(offset + 12) };
    if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
