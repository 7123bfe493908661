import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { markLimits, monogramOf, pictureLimits } from '#features/branding/contract/branding.ts';
import { unpackBase64 } from '#server/platform/keys/base64.ts';
import { cleanJpeg } from '#server/platform/files/clean-jpeg.ts';
import { cleanPng } from '#server/platform/files/clean-png.ts';
import { kindOfBytes } from '#features/files/server/kind.ts';

/** Why a file cannot be a mark; the web has a text for each reason. */
type MarkMistake = 'broken' | 'type' | 'too_big';

/** The file cannot be a mark; the message goes on after “the file”. */
export class MarkError extends Error {
  readonly mistake: MarkMistake;

  constructor(mistake: MarkMistake, what: string) {
    super(what);
    this.name = 'MarkError';
    this.mistake = mistake;
  }
}

/** A mark as stored and served. */
export type Mark = { id: string; contentType: 'image/svg+xml' | 'image/png'; bytes: Uint8Array };

/** The picture next to the sign-in, which may be a photograph. */
export type Picture = Omit<Mark, 'contentType'> & { contentType: Mark['contentType'] | 'image/jpeg' };

type Limits = { bytes: number; pixels: number };

/**
 * Reads what an operator has chosen as the mark. Throws MarkError.
 *
 * @param data in base64
 */
export async function readMark(data: string): Promise<Mark> {
  const bytes = unpacked(data, markLimits);
  const { contentType } = await kindOfBytes(bytes);
  if (contentType === 'image/png') return marked(contentType, await readPng(bytes, markLimits));
  return readSvg(bytes, 'is neither SVG nor PNG');
}

/** As `readMark`, for the picture next to the sign-in. */
export async function readPicture(data: string): Promise<Picture> {
  const bytes = unpacked(data, pictureLimits);
  const { contentType, width, height } = await kindOfBytes(bytes);
  if (contentType === 'image/png') return marked(contentType, await readPng(bytes, pictureLimits));
  if (contentType !== 'image/jpeg') return readSvg(bytes, 'is neither SVG, PNG nor JPEG');
  refusePixels(Math.max(width ?? 0, height ?? 0), pictureLimits);
  const clean = cleanJpeg(bytes);
  if (clean === null) throw new MarkError('broken', 'is damaged or cut off');
  return marked(contentType, clean);
}

function unpacked(data: string, limits: Limits): Buffer {
  const bytes = unpackBase64(Buffer.from(data, 'latin1'));
  if (bytes === null) throw new MarkError('broken', 'is not in base64');
  if (bytes.length > limits.bytes) throw new MarkError('too_big', `has more than ${limits.bytes} bytes`);
  return bytes;
}

function refusePixels(side: number, { pixels }: Limits): void {
  if (side > pixels) throw new MarkError('too_big', `has more than ${pixels} pixels on a side`);
}

function readSvg(bytes: Buffer, otherwise: string): Mark {
  if (!startsAsSvg(bytes)) throw new MarkError('type', otherwise);
  if (!isUtf8(bytes)) throw new MarkError('broken', 'is not written in UTF-8');
  return marked('image/svg+xml', bytes);
}

/** The mark of an installation that has a name of its own and no mark for it. */
export function readMonogram(name: string, accent: string | null): Mark {
  return marked('image/svg+xml', Buffer.from(monogramOf(name, accent)));
}

/**
 * Whether a text begins as an SVG does, comments, declaration and document type aside. More is not asked:
 * pages show a mark as `<img>`, where a browser runs no script and loads nothing, and its own address is
 * served with a sandbox.
 */
function startsAsSvg(bytes: Buffer): boolean {
  let text = bytes.toString('utf8', 0, 4_096).replace(/^\uFEFF/, '');
  for (;;) {
    text = text.trimStart();
    const end = text.startsWith('<!--') ? '-->' : text.startsWith('<?') ? '?>' : null;
    const at = end === null ? -1 : text.indexOf(end);
    if (end === null || at === -1) break;
    text = text.slice(at + end.length);
  }
  return /^(?:<!DOCTYPE [^>[]*(?:\[[^\]]*\]\s*)?>\s*)?<svg[\s>/]/.test(text);
}

async function readPng(bytes: Buffer, limits: Limits): Promise<Uint8Array> {
  const clean = await cleanPng(bytes, { side: limits.pixels, pixels: limits.pixels ** 2 });
  if (clean === 'too_many_pixels') refusePixels(Number.POSITIVE_INFINITY, limits);
  if (typeof clean === 'string') throw new MarkError('broken', 'is damaged or cut off');
  return clean.bytes;
}

function marked<Type extends Picture['contentType']>(
  contentType: Type,
  bytes: Uint8Array,
): { id: string; contentType: Type; bytes: Uint8Array } {
  // A copy: a view would hold the whole upload in memory.
  const own = Uint8Array.from(bytes);
  return {
    id: createHash('sha256').update(contentType).update(own).digest('hex').slice(0, 32),
    contentType,
    bytes: own,
  };
}
