import { crc32 } from 'node:zlib';

/** Why bytes are no picture that is kept. */
export type PngFault = 'not_a_png' | 'too_many_pixels' | 'damaged';

/** A picture of which only what draws it is left. */
export type CleanPng = { bytes: Uint8Array; width: number; height: number };

/** Most pixels on one side, and altogether. */
export type PixelLimits = { side: number; pixels: number };

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Length, type and checksum of a chunk. */
const frameBytes = 12;
const headerBytes = 13;
/** Encoders write pieces of 4 KiB and more; a picture of crumbs would take long to walk through. */
const mostChunks = 10_000;

/** The bit depths of each colour type. */
const bitDepths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Chunks that change how the picture looks and can hold nothing else, and how long they may be. */
const drawing: Record<string, readonly [least: number, most: number]> = {
  tRNS: [1, 256],
  gAMA: [4, 4],
  cHRM: [32, 32],
  sRGB: [1, 1],
  cICP: [4, 4],
  sBIT: [1, 4],
  bKGD: [1, 6],
  pHYs: [9, 9],
};

type Chunk = { type: string; data: Uint8Array; start: number; end: number };

/**
 * Takes bytes for a picture only if they are one PNG from the first to the last (W3C PNG, third edition: 5 and 11), and
 * leaves out of it every chunk that draws nothing: texts, times, EXIF, animations, colour profiles. What is compressed
 * in it is not unpacked: it draws at most the pixels that the header tells.
 */
export function cleanPng(bytes: Uint8Array, most: PixelLimits): CleanPng | PngFault {
  if (!signature.every((byte, index) => bytes[index] === byte)) return 'not_a_png';
  const chunks = chunksOf(bytes);
  const header = chunks?.[0];
  if (chunks === null || header?.type !== 'IHDR') return 'damaged';
  const size = sizeOf(header.data);
  if (size === null) return 'damaged';
  const { width, height } = size;
  if (width > most.side || height > most.side || width * height > most.pixels) return 'too_many_pixels';
  const kept = keptOf(chunks, header.data[9] ?? 0);
  return kept === null ? 'damaged' : { bytes: joined(bytes, kept), width, height };
}

/** The chunks up to IEND, or null where they do not follow on each other to the last byte, with their checksums. */
function chunksOf(bytes: Uint8Array): Chunk[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let start = signature.length; start + frameBytes <= bytes.length;) {
    const length = view.getUint32(start);
    const end = start + frameBytes + length;
    if (end > bytes.length) return null;
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
    if (!/^[A-Za-z]{4}$/.test(type) || chunks.length === mostChunks) return null;
    if (crc32(bytes.subarray(start + 4, end - 4)) !== view.getUint32(end - 4)) return null;
    chunks.push({ type, data: bytes.subarray(start + 8, end - 4), start, end });
    if (type === 'IEND') return length === 0 && end === bytes.length ? chunks : null;
    start = end;
  }
  return null;
}

function sizeOf(header: Uint8Array): { width: number; height: number } | null {
  if (header.length !== headerBytes) return null;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.subarray(8);
  const isLegal =
    [width, height].every((side) => side > 0 && side < 2 ** 31) &&
    bitDepths[colour]?.includes(depth) === true &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1;
  return isLegal ? { width, height } : null;
}

/** What draws the picture, in its order, or null where it cannot be drawn from these chunks. */
function keptOf(chunks: readonly Chunk[], colour: number): Chunk[] | null {
  const firstData = chunks.findIndex(({ type }) => type === 'IDAT');
  const lastData = chunks.findLastIndex(({ type }) => type === 'IDAT');
  const data = chunks.slice(firstData, lastData + 1);
  if (firstData < 0 || data.some(({ type }) => type !== 'IDAT') || !isCompressed(data)) return null;
  const palettes = chunks.filter(({ type }) => type === 'PLTE');
  if (!isPalette(palettes, colour) || palettes.some((each) => chunks.indexOf(each) > firstData)) return null;

  const kept: Chunk[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const { type } = chunk;
    const isCritical = /^[A-Z]/.test(type);
    if (isCritical && !['IHDR', 'PLTE', 'IDAT', 'IEND'].includes(type)) return null;
    if (type === 'IHDR' && index > 0) return null;
    const [least, most] = drawing[type] ?? [1, 0];
    const draws =
      index < firstData &&
      chunk.data.length >= least &&
      chunk.data.length <= most &&
      !kept.some((before) => before.type === type);
    if (isCritical || draws) kept.push(chunk);
  }
  return kept;
}

/** Whether the data begins as zlib writes it (RFC 1950, 2.2). */
function isCompressed(data: readonly Chunk[]): boolean {
  const filled = data.filter((chunk) => chunk.data.length > 0).slice(0, 2);
  const [first = 0, second = 0] = filled.flatMap((chunk) => [...chunk.data.subarray(0, 2)]);
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function isPalette(palettes: readonly Chunk[], colour: number): boolean {
  const [palette] = palettes;
  if (palette === undefined) return colour !== 3;
  const { length } = palette.data;
  return palettes.length === 1 && ![0, 4].includes(colour) && length > 0 && length <= 768 && length % 3 === 0;
}

function joined(bytes: Uint8Array, kept: readonly Chunk[]): Uint8Array {
  const length = kept.reduce((sum, { start, end }) => sum + end - start, signature.length);
  if (length === bytes.length) return bytes;
  const clean = new Uint8Array(length);
  clean.set(signature);
  let place = signature.length;
  for (const { start, end } of kept) {
    clean.set(bytes.subarray(start, end), place);
    place += end - start;
  }
  return clean;
}
