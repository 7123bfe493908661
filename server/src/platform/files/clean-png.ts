import { crc32, createInflate } from 'node:zlib';

/** Why bytes are no picture that is accepted. */
export type PngFault = 'not_a_png' | 'too_many_pixels' | 'damaged';

/** A picture of which only what draws it is left. */
export type CleanPng = { bytes: Uint8Array; width: number; height: number };

/** Most pixels on one side, and altogether. */
export type PixelLimits = { side: number; pixels: number };

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Length, type and checksum of a chunk. */
const frameBytes = 12;
const headerBytes = 13;
/** Encoders write pieces of 4 KiB and more; a picture of tiny pieces would take long to walk through. */
const mostChunks = 10_000;

/** The bit depths of each colour type. */
const bitDepths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Chunks that change how the picture looks and cannot hold anything else, with their allowed lengths. */
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

/** A chunk; `bytes` is all of it. */
type Chunk = { type: string; data: Uint8Array; bytes: Uint8Array };

type Header = { width: number; height: number; bitsPerPixel: number; interlaced: boolean; colour: number };

/**
 * Accepts bytes as a picture only if they are one PNG from the first to the last (W3C PNG, third edition: 5
 * and 11), and removes everything that draws nothing: chunks with texts, times, EXIF, animations, colour
 * profiles, and what stands in the data behind the end of its compressed stream. That stream is unpacked, off
 * the event loop and without being held, to see that it holds as many pixels as the header declares, no fewer
 * and no more.
 */
export async function cleanPng(bytes: Uint8Array, most: PixelLimits): Promise<CleanPng | PngFault> {
  if (!signature.every((byte, index) => bytes[index] === byte)) return 'not_a_png';
  const chunks = chunksOf(bytes);
  const header = chunks?.[0];
  if (chunks === null || header?.type !== 'IHDR') return 'damaged';
  const read = headerOf(header.data);
  if (read === null) return 'damaged';
  const { width, height } = read;
  if (width > most.side || height > most.side || width * height > most.pixels) return 'too_many_pixels';
  const retained = retainedOf(chunks, read.colour);
  const pixels = retained === null ? null : await withPixelsAlone(retained, unpackedBytes(read));
  return pixels === null ? 'damaged' : { bytes: joined(bytes, pixels), width, height };
}

/** The chunks up to IEND with their checksums, or null where they do not fill the file. */
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
    chunks.push({ type, data: bytes.subarray(start + 8, end - 4), bytes: bytes.subarray(start, end) });
    if (type === 'IEND') return length === 0 && end === bytes.length ? chunks : null;
    start = end;
  }
  return null;
}

/** How many samples a pixel of each colour type has. */
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function headerOf(header: Uint8Array): Header | null {
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
  if (!isLegal) return null;
  return { width, height, colour, interlaced: interlace === 1, bitsPerPixel: depth * (samples[colour] ?? 0) };
}

/** What draws the picture, in its order, or null where it cannot be drawn from these chunks. */
function retainedOf(chunks: readonly Chunk[], colour: number): Chunk[] | null {
  const firstData = chunks.findIndex(({ type }) => type === 'IDAT');
  const lastData = chunks.findLastIndex(({ type }) => type === 'IDAT');
  const data = chunks.slice(firstData, lastData + 1);
  if (firstData < 0 || data.some(({ type }) => type !== 'IDAT')) return null;
  const palettes = chunks.filter(({ type }) => type === 'PLTE');
  if (!isPalette(palettes, colour) || palettes.some((each) => chunks.indexOf(each) > firstData)) return null;

  const retained: Chunk[] = [];
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
      !retained.some((before) => before.type === type);
    if (isCritical || draws) retained.push(chunk);
  }
  return retained;
}

function isPalette(palettes: readonly Chunk[], colour: number): boolean {
  const [palette] = palettes;
  if (palette === undefined) return colour !== 3;
  const { length } = palette.data;
  return palettes.length === 1 && ![0, 4].includes(colour) && length > 0 && length <= 768 && length % 3 === 0;
}

/** Where each pass of an interlaced picture begins, and its steps: x, y, dx, dy (PNG, 8). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The bytes of all rows, each behind the byte that names its filter (PNG, 7.2 and 8). */
function unpackedBytes({ width, height, bitsPerPixel, interlaced }: Header): number {
  const rows = (across: number, down: number) =>
    across === 0 ? 0 : down * (1 + Math.ceil((across * bitsPerPixel) / 8));
  if (!interlaced) return rows(width, height);
  return passes.reduce(
    (sum, [x, y, stepX, stepY]) =>
      sum + rows(Math.ceil(Math.max(0, width - x) / stepX), Math.ceil(Math.max(0, height - y) / stepY)),
    0,
  );
}

/** The chunks, with the data cut where its stream ends; null where the stream does not hold `expected` bytes. */
async function withPixelsAlone(chunks: readonly Chunk[], expected: number): Promise<Chunk[] | null> {
  const data = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  let left = await streamLength(
    data.length === 1 ? (data[0] ?? Buffer.alloc(0)) : Buffer.concat(data),
    expected,
  );
  if (left === null) return null;
  const retained: Chunk[] = [];
  for (const chunk of chunks) {
    const { type, data: all } = chunk;
    const within = type === 'IDAT' ? Math.min(left, all.length) : all.length;
    if (type === 'IDAT') left -= within;
    if (within < all.length && within > 0) retained.push(chunkOf(type, all.subarray(0, within)));
    else if (within > 0 || type !== 'IDAT') retained.push(chunk);
  }
  return retained;
}

/** The length of the zlib stream (RFC 1950) at the beginning; null: no stream of `expected` bytes is there. */
async function streamLength(packed: Uint8Array, expected: number): Promise<number | null> {
  const inflate = createInflate({ chunkSize: 256 * 1024 });
  let unpacked = 0;
  inflate.end(packed);
  try {
    for await (const part of inflate as AsyncIterable<Buffer>) {
      unpacked += part.length;
      if (unpacked > expected) return null;
    }
  } catch {
    return null;
  } finally {
    inflate.destroy();
  }
  return unpacked === expected ? inflate.bytesWritten : null;
}

function chunkOf(type: string, data: Uint8Array): Chunk {
  const bytes = Buffer.alloc(frameBytes + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return { type, data, bytes };
}

function joined(bytes: Uint8Array, retained: readonly Chunk[]): Uint8Array {
  const length = retained.reduce((sum, chunk) => sum + chunk.bytes.length, signature.length);
  // Only a chunk that was cut differs, and it is shorter.
  return length === bytes.length
    ? bytes
    : Buffer.concat([signature, ...retained.map((chunk) => chunk.bytes)]);
}
