import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { imageSize } from 'image-size';
import { describe, expect, it } from 'vitest';
import { pngFile, pngOf, type PngChunk } from '../../testing/png.ts';
import { cleanPng } from './clean-png.ts';

const most = { side: 16_384, pixels: 50_000_000 };
const clean = (bytes: Uint8Array) => cleanPng(bytes, most);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const good = pngFile({ width: 7, height: 5 });

function chunk(type: string, data: Uint8Array = new Uint8Array()): PngChunk {
  return { type, data };
}

const header = (width: number, height: number, depth = 8, colour = 6, rest = [0, 0, 0]): PngChunk => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, ...rest], 8);
  return { type: 'IHDR', data };
};
const pixels = chunk('IDAT', deflateSync(Buffer.alloc(29 * 5)));
const end = chunk('IEND');
/** The data of a picture with so many bytes in a row. */
const rows = (bytes: number, height: number): PngChunk =>
  chunk('IDAT', deflateSync(Buffer.alloc((1 + bytes) * height)));

/** The types of a file's chunks, in their order. */
function typesIn(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  const types: string[] = [];
  for (let place = 8; place < file.length; place += 12 + file.readUInt32BE(place))
    types.push(file.toString('latin1', place + 4, place + 8));
  return types;
}

describe('a picture that is cleaned', () => {
  it('BUG-6: is a PNG, whose size in pixels stands in its header', async () => {
    expect(await clean(good)).toEqual({ bytes: good, width: 7, height: 5 });
    // In the middle of another buffer, as it comes out of a pool.
    const pooled = Buffer.concat([Buffer.alloc(3), good, Buffer.alloc(3)]).subarray(3, 3 + good.length);
    expect(await clean(pooled)).toMatchObject({ width: 7, height: 5 });
  });

  it('BUG-6: is not what only begins like one, nor anything else', async () => {
    for (const other of ['', 'GIF89a', '<!doctype html><script>alert(1)</script>', '\u0089PNG', '%PDF-1.7'])
      expect(await clean(text(other))).toBe('not_a_png');
    expect(await clean(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0))).toBe('not_a_png');
    const signature = good.subarray(0, 8);
    expect(await clean(signature)).toBe('damaged');
    expect(await clean(Buffer.concat([signature, text('<script>alert(1)</script>')]))).toBe('damaged');
  });

  it('BUG-6: ends where it ends: nothing hides behind it', async () => {
    expect(await clean(Buffer.concat([good, text('<script>alert(1)</script>')]))).toBe('damaged');
    expect(await clean(Buffer.concat([good, good]))).toBe('damaged');
    expect(await clean(Buffer.concat([good, Buffer.alloc(1)]))).toBe('damaged');
    expect(await clean(pngOf([header(7, 5), pixels, chunk('IEND', text('more'))]))).toBe('damaged');
  });

  it('BUG-6: is refused by its size in pixels, before they are unpacked', async () => {
    const bomb = pngOf([header(20_000, 20_000), chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))), end]);
    expect(bomb.length).toBeLessThan(2_000);
    expect(await clean(bomb)).toBe('too_many_pixels');
    expect(await clean(pngOf([header(16_385, 1), pixels, end]))).toBe('too_many_pixels');
    expect(await clean(pngOf([header(1, 16_385), pixels, end]))).toBe('too_many_pixels');
    expect(await clean(pngOf([header(10_000, 5_001), pixels, end]))).toBe('too_many_pixels');
    expect(await clean(pngOf([header(2 ** 31 - 1, 2 ** 31 - 1), pixels, end]))).toBe('too_many_pixels');
    const bits = (width: number, height: number) =>
      pngOf([
        header(width, height, 1, 0),
        chunk('IDAT', deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))),
        end,
      ]);
    expect(await clean(bits(10_000, 5_000))).toMatchObject({ width: 10_000 });
    expect(await clean(bits(16_384, 3_000))).toMatchObject({ height: 3_000 });
  });

  it.each([
    ['no width', [header(0, 5), pixels, end]],
    ['no height', [header(5, 0), pixels, end]],
    ['a width beyond 31 bits', [header(2 ** 31, 5), pixels, end]],
    ['a depth that is none', [header(7, 5, 3), pixels, end]],
    ['a depth of another colour type', [header(7, 5, 4, 2), pixels, end]],
    ['a colour type that is none', [header(7, 5, 8, 1), pixels, end]],
    ['another compression', [header(7, 5, 8, 6, [1, 0, 0]), pixels, end]],
    ['another filter', [header(7, 5, 8, 6, [0, 1, 0]), pixels, end]],
    ['another interlacing', [header(7, 5, 8, 6, [0, 0, 2]), pixels, end]],
    ['a header too long', [chunk('IHDR', Buffer.alloc(14)), pixels, end]],
    ['two headers', [header(7, 5), header(7, 5), pixels, end]],
    ['no header', [pixels, end]],
    ['a header of another name', [chunk('iHDR', header(7, 5).data), pixels, end]],
    [
      'two palettes',
      [header(7, 5, 8, 3), chunk('PLTE', Buffer.alloc(3)), chunk('PLTE', Buffer.alloc(3)), rows(7, 5), end],
    ],
    ['an empty palette', [header(7, 5, 8, 3), chunk('PLTE'), rows(7, 5), end]],
    ['something before the header', [chunk('gAMA', Buffer.alloc(4)), header(7, 5), pixels, end]],
    ['no data', [header(7, 5), end]],
    ['empty data', [header(7, 5), chunk('IDAT'), end]],
    ['data that is not compressed', [header(7, 5), chunk('IDAT', text('<script>')), end]],
    ['data in two places', [header(7, 5), pixels, chunk('tEXt', text('a')), pixels, end]],
    ['no end', [header(7, 5), pixels]],
    ['an unknown critical chunk', [header(7, 5), chunk('EVIL', text('x')), pixels, end]],
    ['a type that is no letters', [header(7, 5), chunk('<br>', text('x')), pixels, end]],
    ['colours without their palette', [header(7, 5, 8, 3), pixels, end]],
    ['a palette behind the data', [header(7, 5, 8, 3), pixels, chunk('PLTE', Buffer.alloc(3)), end]],
    ['a palette of broken colours', [header(7, 5, 8, 3), chunk('PLTE', Buffer.alloc(4)), pixels, end]],
    ['a palette too long', [header(7, 5, 8, 3), chunk('PLTE', Buffer.alloc(771)), pixels, end]],
    ['a palette of greys', [header(7, 5, 8, 0), chunk('PLTE', Buffer.alloc(3)), pixels, end]],
    ['more crumbs than a picture has', [header(7, 5), ...Array.from({ length: 10_000 }, () => pixels), end]],
  ])('BUG-6: is damaged with %s', async (_what, chunks) => {
    expect(await clean(pngOf(chunks))).toBe('damaged');
  });

  it('BUG-6: has a palette of at most 256 colours, also where it is only offered', async () => {
    const palette = chunk('PLTE', Buffer.alloc(768));
    for (const [colour, bytes] of [
      [3, 7],
      [2, 21],
      [6, 28],
    ] as const) {
      const whole = pngOf([header(7, 5, 8, colour), palette, rows(bytes, 5), end]);
      expect([colour, await clean(whole)]).toEqual([colour, { bytes: whole, width: 7, height: 5 }]);
    }
  });

  it.each([
    [1, 1],
    [4, 4],
    [5, 5],
    [8, 9],
    [3, 1],
    [1, 9],
  ])(
    'BUG-6: is unpacked in seven passes where it is interlaced, of which some are empty: %i by %i',
    async (width, height) => {
      // As an encoder walks: every pixel once, a byte before each row of each pass.
      const passes = [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ] as const;
      let bytes = 0;
      for (const [x0, y0, stepX, stepY] of passes)
        for (let y = y0; y < height; y += stepY)
          for (let x = x0; x < width; x += stepX) bytes += x === x0 ? 5 : 4;
      const of = (size: number) =>
        pngOf([header(width, height, 8, 6, [0, 0, 1]), chunk('IDAT', deflateSync(Buffer.alloc(size))), end]);
      expect(await clean(of(bytes))).toMatchObject({ width, height });
      expect([await clean(of(bytes - 1)), await clean(of(bytes + 1))]).toEqual(['damaged', 'damaged']);
    },
  );

  it('BUG-6: keeps what draws it at its longest and its shortest, and nothing longer or shorter', async () => {
    for (const [type, least, longest] of [
      ['tRNS', 1, 256],
      ['bKGD', 1, 6],
      ['sBIT', 1, 4],
      ['cICP', 4, 4],
    ] as const)
      for (const length of [least - 1, least, longest, longest + 1]) {
        const result = await clean(pngOf([header(7, 5), chunk(type, Buffer.alloc(length)), pixels, end]));
        if (typeof result === 'string') throw new Error(result);
        const retained = length >= least && length <= longest;
        expect([type, length, typesIn(result.bytes)]).toEqual([
          type,
          length,
          retained ? ['IHDR', type, 'IDAT', 'IEND'] : ['IHDR', 'IDAT', 'IEND'],
        ]);
      }
  });

  it('BUG-6: has no text, no place, no time and no second picture in it, and looks the same', async () => {
    const secret = 'taken at 52.5, 13.4 by Ada';
    const hidden = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'iCCP', 'acTL', 'fcTL', 'fdAT', 'prVt'];
    const drawn: PngChunk[] = [
      chunk('cHRM', Buffer.alloc(32)),
      chunk('gAMA', Buffer.alloc(4)),
      chunk('sRGB', Buffer.alloc(1)),
      chunk('pHYs', Buffer.alloc(9)),
      chunk('sBIT', Buffer.alloc(4)),
      chunk('bKGD', Buffer.alloc(6)),
    ];
    const chatty = pngOf([
      header(7, 5),
      ...hidden.map((type) => chunk(type, text(secret))),
      ...drawn,
      // Chunks with a safe name that are too long for it or repeated.
      chunk('sRGB', text(secret)),
      chunk('gAMA', Buffer.alloc(4)),
      pixels,
      ...hidden.map((type) => chunk(type, text(secret))),
      chunk('pHYs', Buffer.alloc(9)),
      end,
    ]);
    const result = await clean(chatty);
    if (typeof result === 'string') throw new Error(result);
    expect(typesIn(result.bytes)).toEqual(['IHDR', ...drawn.map(({ type }) => type), 'IDAT', 'IEND']);
    expect(Buffer.from(result.bytes).includes('Ada')).toBe(false);
    expect(imageSize(result.bytes)).toMatchObject({ type: 'png', width: 7, height: 5 });
    expect(await clean(result.bytes)).toEqual(result);
  });

  const packed = deflateSync(Buffer.alloc(29 * 5));

  it.each<[what: string, data: Uint8Array[], retained: Uint8Array[]]>([
    ['in the same chunk', [Buffer.concat([packed, text('by Ada')])], [packed]],
    ['in a chunk of its own', [packed, text('by Ada')], [packed]],
    ['in many', [packed, text('by'), Buffer.alloc(0), text('Ada')], [packed]],
    [
      'behind data in pieces',
      [packed.subarray(0, 3), packed.subarray(3, 7), Buffer.concat([packed.subarray(7), text('by Ada')])],
      [packed.subarray(0, 3), packed.subarray(3, 7), packed.subarray(7)],
    ],
    ['as a second stream', [Buffer.concat([packed, deflateSync(text('by Ada'))])], [packed]],
  ])('BUG-6: has nothing behind the end of its data, %s', async (_where, data, retained) => {
    const file = (parts: Uint8Array[]) =>
      pngOf([header(7, 5), ...parts.map((part) => chunk('IDAT', part)), end]);
    const result = await clean(file(data));
    expect(result).toMatchObject({ width: 7, height: 5 });
    expect(Buffer.from((result as { bytes: Uint8Array }).bytes)).toEqual(file(retained));
  });

  it.each<[what: string, data: Uint8Array]>([
    ['a byte too few', deflateSync(Buffer.alloc(29 * 5 - 1))],
    ['a byte too many', deflateSync(Buffer.alloc(29 * 5 + 1))],
    ['a hundred megabytes too many', deflateSync(Buffer.alloc(100_000_000))],
    ['nothing', deflateSync(Buffer.alloc(0))],
    ['a stream cut off', packed.subarray(0, -1)],
    ['a wrong checksum', Buffer.concat([packed.subarray(0, -1), Buffer.of((packed.at(-1) ?? 0) ^ 1)])],
    ['gzip', gzipSync(Buffer.alloc(29 * 5))],
    ['a stream without its head', deflateRawSync(Buffer.alloc(29 * 5))],
    ['a dictionary of its own', deflateSync(Buffer.alloc(29 * 5), { dictionary: Buffer.alloc(40) })],
  ])('BUG-6: is damaged where its data holds %s', async (_what, data) => {
    expect(await clean(pngOf([header(7, 5), chunk('IDAT', data), end]))).toBe('damaged');
  });

  it.each([
    [0, 1],
    [0, 2],
    [0, 4],
    [0, 8],
    [0, 16],
    [2, 8],
    [2, 16],
    [3, 1],
    [3, 2],
    [3, 4],
    [3, 8],
    [4, 8],
    [4, 16],
    [6, 8],
    [6, 16],
  ])(
    'BUG-6: holds exactly its rows, in colour type %i with %i bits, interlaced or not',
    async (colour, depth) => {
      const samples = [1, 0, 3, 1, 2, 0, 4][colour] ?? 0;
      const row = (pixels: number) => (pixels === 0 ? 0 : 1 + Math.ceil((pixels * samples * depth) / 8));
      const palette = colour === 3 ? [chunk('PLTE', Buffer.alloc(3))] : [];
      const file = (interlace: number, bytes: number) =>
        pngOf([
          header(9, 3, depth, colour, [0, 0, interlace]),
          ...palette,
          chunk('IDAT', deflateSync(Buffer.alloc(bytes))),
          end,
        ]);
      // 9 × 3 in seven passes, as the specification draws them: rows and the pixels of each.
      const interlaced = [
        [1, 2],
        [1, 1],
        [0, 3],
        [1, 2],
        [1, 5],
        [2, 4],
        [1, 9],
      ].reduce((sum, [rows = 0, pixels = 0]) => sum + rows * row(pixels), 0);
      for (const [interlace, bytes] of [
        [0, 3 * row(9)],
        [1, interlaced],
      ] as const) {
        expect(await clean(file(interlace, bytes))).toMatchObject({ width: 9, height: 3 });
        for (const other of [bytes - 1, bytes + 1])
          expect(await clean(file(interlace, other))).toBe('damaged');
      }
    },
  );

  it('BUG-6: keeps the palette and its transparency', async () => {
    const palette = [
      header(7, 5, 8, 3),
      chunk('PLTE', Buffer.alloc(6)),
      chunk('tRNS', Buffer.alloc(2)),
      chunk('IDAT', deflateSync(Buffer.alloc(8 * 5))),
      end,
    ];
    expect(await clean(pngOf(palette))).toMatchObject({ bytes: pngOf(palette) });
  });

  it('BUG-6: whatever the bytes are, they are a picture or a reason', async () => {
    const reasons = ['not_a_png', 'too_many_pixels', 'damaged'];
    // What was cleaned is accepted again unchanged, and other readers read it too.
    const isPictureOrReason = async (bytes: Uint8Array): Promise<boolean> => {
      const result = await clean(bytes);
      if (typeof result === 'string') return reasons.includes(result);
      const again = await clean(result.bytes);
      const others = imageSize(result.bytes);
      return (
        typeof again === 'object' &&
        again.bytes === result.bytes &&
        others.width === result.width &&
        others.height === result.height
      );
    };
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), isPictureOrReason), { numRuns: 500 });
    const anyChunk = fc.record({
      type: fc.oneof(
        fc.constantFrom('IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'sRGB', 'tEXt', 'eXIf', 'IDOT'),
        fc.string({ unit: 'binary-ascii', minLength: 4, maxLength: 4 }),
      ),
      data: fc.uint8Array({ maxLength: 30 }),
    });
    const almost = fc
      .tuple(fc.array(anyChunk, { maxLength: 4 }), fc.array(anyChunk, { maxLength: 4 }))
      .map(([before, after]) => pngOf([header(7, 5), ...before, pixels, ...after, end]));
    await fc.assert(fc.asyncProperty(almost, isPictureOrReason), { numRuns: 500 });
  });

  it('BUG-6: cut off anywhere it is damaged', async () => {
    const cuts = fc.integer({ min: 8, max: good.length - 1 });
    await fc.assert(
      fc.asyncProperty(cuts, async (length) => (await clean(good.subarray(0, length))) === 'damaged'),
    );
  });

  it('BUG-6: one byte changed anywhere is found, by the checksums', async () => {
    const changes = fc.tuple(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(changes, async ([place, by]) => {
        const changed = Uint8Array.from(good);
        changed[place] = (changed[place] ?? 0) ^ by;
        return typeof (await clean(changed)) === 'string';
      }),
      { numRuns: 1_000 },
    );
  });

  it('BUG-6: a length that leads out of the file is no length', async () => {
    for (const length of [0x7fff_ffff, 0xffff_ffff, good.length]) {
      const changed = Buffer.from(good);
      changed.writeUInt32BE(length, 8);
      expect(await clean(changed)).toBe('damaged');
    }
  });
});
