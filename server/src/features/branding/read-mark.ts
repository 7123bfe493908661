import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { markLimits } from '@portico/contract/branding';
import { unpackBase64 } from '../../platform/keys/base64.ts';
import { cleanPng } from '../../platform/files/clean-png.ts';
import { kindOfBytes } from '../files/kind.ts';
import { MarkError } from './mark-error.ts';

/** A mark as stored and served. */
export type Mark = { id: string; contentType: 'image/svg+xml' | 'image/png'; bytes: Uint8Array };

/**
 * Reads what an operator has chosen as the mark. Throws MarkError.
 *
 * @param data in base64
 */
export async function readMark(data: string): Promise<Mark> {
  const bytes = unpackBase64(Buffer.from(data, 'latin1'));
  if (bytes === null) throw new MarkError('broken', 'is not in base64');
  if (bytes.length > markLimits.bytes)
    throw new MarkError('too_big', `has more than ${markLimits.bytes} bytes`);
  const { contentType } = await kindOfBytes(bytes);
  if (contentType === 'image/png') return marked('image/png', await readPng(bytes));
  if (!startsAsSvg(bytes)) throw new MarkError('type', 'is neither SVG nor PNG');
  if (!isUtf8(bytes)) throw new MarkError('broken', 'is not written in UTF-8');
  return marked('image/svg+xml', bytes);
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

async function readPng(bytes: Buffer): Promise<Uint8Array> {
  const clean = await cleanPng(bytes, { side: markLimits.pixels, pixels: markLimits.pixels ** 2 });
  if (clean === 'too_many_pixels')
    throw new MarkError('too_big', `has more than ${markLimits.pixels} pixels on a side`);
  if (typeof clean === 'string') throw new MarkError('broken', 'is damaged or cut off');
  return clean.bytes;
}

function marked(contentType: Mark['contentType'], bytes: Uint8Array): Mark {
  // A copy: a view would hold the whole upload in memory.
  const own = Uint8Array.from(bytes);
  return {
    id: createHash('sha256').update(contentType).update(own).digest('hex').slice(0, 32),
    contentType,
    bytes: own,
  };
}
