import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureSize } from './picture-size.ts';
import { readPicture } from './read-picture.ts';

const side = fc.integer({ min: 1, max: 16_383 });

function bytes(...parts: (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((letter) => letter.codePointAt(0) ?? 0) : part,
    ),
  );
}

const high = (value: number, length: number) =>
  Array.from({ length }, (_, index) => (value >>> (8 * (length - 1 - index))) & 0xff);
const low = (value: number, length: number) => high(value, length).toReversed();
const zeros = (length: number) => Array.from({ length }, () => 0);

const files: Record<string, (width: number, height: number) => Uint8Array> = {
  png: (width, height) =>
    bytes('\x89PNG\r\n\x1a\n', high(13, 4), 'IHDR', high(width, 4), high(height, 4), zeros(5)),
  'jpeg with a preview before its size': (width, height) =>
    bytes(
      [0xff, 0xd8],
      // A preview that holds a size of its own.
      [0xff, 0xe1, ...high(12, 2)],
      [0xff, 0xc0, ...high(17, 2), 8, ...high(7, 2), ...high(9, 2)],
      [0],
      [0xff, 0xff],
      [0xc4, ...high(4, 2), 0, 0],
      [0xff, 0xc2, ...high(17, 2), 8, ...high(height, 2), ...high(width, 2)],
      zeros(10),
    ),
  gif: (width, height) => bytes('GIF89a', low(width, 2), low(height, 2), zeros(3)),
  'webp, lossy': (width, height) =>
    bytes(
      'RIFF',
      zeros(4),
      'WEBPVP8 ',
      zeros(4),
      zeros(3),
      [0x9d, 0x01, 0x2a],
      low(width, 2),
      low(height, 2),
    ),
  'webp, lossless': (width, height) =>
    bytes('RIFF', zeros(4), 'WEBPVP8L', zeros(4), [0x2f], low(((width - 1) | ((height - 1) << 14)) >>> 0, 4)),
  'webp, extended': (width, height) =>
    bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(8), low(width - 1, 3), low(height - 1, 3)),
  bmp: (width, height) => bytes('BM', zeros(12), low(40, 4), low(width, 4), low(-height, 4)),
  avif: (width, height) =>
    bytes(
      high(16, 4),
      'ftypavif',
      zeros(8),
      high(20, 4),
      'ispe',
      zeros(4),
      high(1, 4),
      high(1, 4),
      high(20, 4),
      'ispe',
      zeros(4),
      high(width, 4),
      high(height, 4),
    ),
};

describe('BUG-3: the size of a picture before it is decoded', () => {
  it.each(Object.keys(files))('BUG-3: %s', (kind) => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(pictureSize(files[kind]?.(width, height) ?? new Uint8Array())).toEqual({
          width,
          height,
        });
      }),
    );
  });

  it('BUG-3: any bytes give a size or none, and never an error', () => {
    const start = fc.constantFrom(...Object.values(files).map((make) => [...make(300, 200)]));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.tuple(start, fc.nat(60)).map(([file, length]) => Uint8Array.from(file.slice(0, length))),
        ),
        (head) => {
          const size = pictureSize(head);
          expect(size === null || (size.width >= 0 && size.height >= 0)).toBe(true);
        },
      ),
    );
  });

  it('BUG-3: is what refuses a picture, as does the weight of its file', async () => {
    expect(await readPicture(new Blob([Uint8Array.from(files['png']?.(16_385, 1) ?? [])]))).toBe('TOO_LARGE');
    expect(await readPicture(new Blob([new Uint8Array(30 * 1024 * 1024 + 1)]))).toBe('TOO_HEAVY');
  });

  it('BUG-3: a text is no picture', () => {
    expect(pictureSize(new TextEncoder().encode('<svg width="99999" height="99999"/>'))).toBeNull();
    expect(pictureSize(new Uint8Array())).toBeNull();
  });
});
