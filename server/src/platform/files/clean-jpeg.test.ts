import { expect, it } from 'vitest';
import { cleanJpeg } from './clean-jpeg.ts';

const segment = (marker: number, data: string) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, Buffer.from(data, 'latin1')]);
};
const start = Buffer.from([0xff, 0xd8]);
const end = Buffer.from([0xff, 0xd9]);
const scan = Buffer.concat([segment(0xda, 'scan'), Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd1, 4])]);
const jfif = segment(0xe0, 'JFIF');
const tables = segment(0xc4, 'a table with \u00ff\u00d9 in it');
const jpeg = (...parts: Buffer[]) => Buffer.concat([start, ...parts, end]);

it('CON-1: of a JPEG only what draws it is left', () => {
  const written = jpeg(jfif, segment(0xe1, 'Exif: a place'), segment(0xfe, 'by Ada'), scan, tables, scan);
  const cleaned = cleanJpeg(Buffer.concat([written, Buffer.from('behind it')]));
  expect(cleaned).toEqual(jpeg(jfif, scan, tables, scan));
});

it.each([
  ['no JPEG', Buffer.from('GIF89a')],
  ['one that is cut off', Buffer.concat([start, jfif, scan])],
  ['one that draws nothing', jpeg(jfif)],
  [
    'a segment that is longer than the file',
    Buffer.concat([start, Buffer.from([0xff, 0xe0, 0xff, 0xff, 1])]),
  ],
])('CON-1: refuses %s', (_what, bytes) => {
  expect(cleanJpeg(bytes)).toBeNull();
});
