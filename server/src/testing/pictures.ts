import { pngFile } from './png.ts';

export const pictureTypes = ['png', 'jpeg', 'gif', 'webp', 'avif'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** Pictures by their first bytes only; but for the PNG, no decoder could show them. */
export function pictureFile(type: PictureType, width: number, height: number): Buffer<ArrayBuffer> {
  return makers[type](width, height);
}

const makers: Record<PictureType, (width: number, height: number) => Buffer<ArrayBuffer>> = {
  png: (width, height) =>
    width * height > 1_000_000 ? hollowPng(width, height) : pngFile({ width, height }),
  jpeg(width, height) {
    const jfif = '\u00ff\u00e0\u0000\u0010JFIF\u0000\u0001\u0001\u0000\u0000\u0001\u0000\u0001\u0000\u0000';
    const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex');
    frame.writeUInt16BE(height, 5);
    frame.writeUInt16BE(width, 7);
    return Buffer.concat([
      Buffer.from(`\u00ff\u00d8${jfif}`, 'latin1'),
      frame.subarray(0, 19),
      Buffer.from('ffd9', 'hex'),
    ]);
  },
  gif(width, height) {
    const file = Buffer.from('GIF89a\0\0\0\0\0\0\0;', 'latin1');
    file.writeUInt16LE(width, 6);
    file.writeUInt16LE(height, 8);
    return file;
  },
  webp(width, height) {
    const file = Buffer.alloc(30);
    file.write('RIFF\u0016\0\0\0WEBPVP8X\u000a\0\0\0', 'latin1');
    file.writeUIntLE(width - 1, 24, 3);
    file.writeUIntLE(height - 1, 27, 3);
    return file;
  },
  avif(width, height) {
    const size = Buffer.alloc(12);
    size.writeUInt32BE(width, 4);
    size.writeUInt32BE(height, 8);
    const properties = box('iprp', box('ipco', box('ispe', size)));
    return Buffer.concat([
      box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
      box('meta', Buffer.concat([Buffer.alloc(4), properties])),
    ]);
  },
};

function box(type: string, content: Buffer): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

function hollowPng(width: number, height: number): Buffer<ArrayBuffer> {
  const file = pngFile({ width: 1, height: 1 });
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}
