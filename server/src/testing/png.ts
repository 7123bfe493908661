import { crc32, deflateSync } from 'node:zlib';

export type PngChunk = { type: string; data: Uint8Array };

/** A file of these chunks, with their checksums, whatever they are. */
export function pngOf(chunks: readonly PngChunk[]): Buffer<ArrayBuffer> {
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([
    signature,
    ...chunks.map(({ type, data }) => {
      const chunk = Buffer.alloc(data.length + 12);
      chunk.writeUInt32BE(data.length, 0);
      chunk.write(type, 4, 'latin1');
      chunk.set(data, 8);
      chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
      return chunk;
    }),
  ]);
}

/**
 * A picture that every decoder takes.
 *
 * @param pixels RGBA bytes, row by row; transparent black where they are left out
 */
export function pngFile({
  width,
  height,
  pixels = Buffer.alloc(width * height * 4),
  level = 6,
}: {
  width: number;
  height: number;
  pixels?: Uint8Array;
  /** Of the compression; 0: none. */
  level?: number;
}): Buffer<ArrayBuffer> {
  const rows = Array.from({ length: height }, (_row, row) =>
    Buffer.concat([Buffer.alloc(1), pixels.subarray(row * width * 4, (row + 1) * width * 4)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return pngOf([
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(Buffer.concat(rows), { level }) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ]);
}
