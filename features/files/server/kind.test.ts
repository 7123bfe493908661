import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { pictureFile, pictureTypes } from '#server/testing/pictures.ts';
import { isPicture, watchKind, type Kind } from './kind.ts';

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length)
    yield await Promise.resolve(bytes.subarray(start, start + length));
}

async function kindOf(bytes: Buffer | string, pieceLength = 1_000): Promise<Kind> {
  const whole = Buffer.from(bytes);
  const watched = watchKind(inPieces(whole, pieceLength));
  expect((await buffer(watched.bytes)).equals(whole)).toBe(true);
  return watched.kind();
}

const none = { width: null, height: null };
const unknown = { contentType: 'application/octet-stream', ...none };
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('what bytes are', () => {
  it.each(pictureTypes)('FILE-1: a %s, with its size', async (type) => {
    expect(await kindOf(pictureFile(type, 640, 480))).toEqual({
      contentType: `image/${type}`,
      width: 640,
      height: 480,
    });
    expect(isPicture(`image/${type}`)).toBe(true);
  });

  it('FILE-1: a JPEG whose size stands behind much else', async () => {
    const jpeg = pictureFile('jpeg', 30, 20);
    const profile = Buffer.concat([Buffer.from('ffe2fffe', 'hex'), Buffer.alloc(0xfffc)]);
    const long = Buffer.concat([jpeg.subarray(0, 20), profile, profile, profile, jpeg.subarray(20)]);
    expect(await kindOf(long)).toEqual({ contentType: 'image/jpeg', width: 30, height: 20 });
  });

  it('FILE-1: a picture that ends where its size should stand is none that is shown', async () => {
    for (const type of pictureTypes) {
      const cut = pictureFile(type, 640, 480).subarray(0, type === 'gif' ? 7 : type === 'jpeg' ? 22 : 18);
      expect([type, await kindOf(cut)]).toEqual([type, unknown]);
    }
    expect(await kindOf(pictureFile('gif', 0, 480))).toEqual(unknown);
  });

  it('FILE-1: no picture that is shown is anything that can carry a script', async () => {
    const shown = async (bytes: Buffer | string) => isPicture((await kindOf(bytes)).contentType);
    const script = '<script>alert(1)</script>';
    expect(await shown(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)).toBe(false);
    expect(await shown(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)).toBe(
      false,
    );
    expect(await shown(`<!doctype html>${script}`)).toBe(false);
    expect(await shown(`%PDF-1.7\n${script}`)).toBe(false);
    expect(await kindOf(`<!doctype html>${script}`)).toEqual({ contentType: 'text/plain', ...none });
    // A picture by its first bytes, which must not be served as anything else.
    const both = Buffer.concat([pictureFile('gif', 10, 10), latin1(script)]);
    expect((await kindOf(both)).contentType).toBe('image/gif');
  });

  it('FILE-1: text, in UTF-8 and without control characters, wherever it is cut', async () => {
    const text = { contentType: 'text/plain', ...none };
    for (const piece of [1, 2, 3, 1_000]) expect(await kindOf('Grüße, 👩‍🚀\r\n\tmit €\f', piece)).toEqual(text);
    expect(await kindOf('\ufeffwith a mark')).toEqual(text);
    expect(await kindOf('long '.repeat(200_000))).toEqual(text);
    for (const bytes of [
      'a\u0000b',
      'a\u001bb',
      'a\u007f',
      latin1('Gr\u00fc\u00dfe'),
      latin1('cut \u00e2\u0082'),
    ])
      expect([bytes, await kindOf(bytes)]).toEqual([bytes, unknown]);
    expect(await kindOf(`${'long '.repeat(200_000)}\u0000`)).toEqual(unknown);
  });

  it('FILE-1: what else is known by its beginning, and else just bytes', async () => {
    expect((await kindOf('%PDF-1.7\n')).contentType).toBe('application/pdf');
    expect((await kindOf(latin1('PK\u0003\u0004\u0014\0\0\0\0\0'))).contentType).toMatch(/zip|octet-stream/);
    expect(await kindOf(Buffer.from('7f00ff00aa', 'hex'))).toEqual(unknown);
    expect(await kindOf('')).toEqual({ contentType: 'text/plain', ...none });
  });

  it('FILE-1: recognized by no more than its beginning, so that nothing can be made that takes long', async () => {
    const avif = pictureFile('avif', 30, 20);
    const behind = (length: number) => {
      const free = Buffer.alloc(length);
      free.writeUInt32BE(length);
      free.write('free', 4);
      return Buffer.concat([avif.subarray(0, 24), free, avif.subarray(24)]);
    };
    expect((await kindOf(behind(1_000))).width).toBe(30);
    expect(await kindOf(behind(40_000))).toEqual(unknown);
    const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(5_000_000)]);
    expect(await kindOf(jpeg, 65_536)).toEqual(unknown);
  });
});
