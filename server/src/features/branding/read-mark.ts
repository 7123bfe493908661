import { createHash } from 'node:crypto';
import { markLimits } from '@portico/contract/branding';
import { unpackBase64 } from '../../platform/base64.ts';
import { cleanPng } from '../../platform/clean-png.ts';
import { MarkError } from './mark-error.ts';
import { readSvgMark } from './svg-mark.ts';

/** A mark as it is kept and served. */
export type Mark = { id: string; contentType: 'image/svg+xml' | 'image/png'; bytes: Uint8Array };

/** What bytes are, by themselves. */
export type Sniff = (bytes: Buffer) => Promise<{ contentType: string }>;

/**
 * Reads what an operator has chosen as the mark. Throws MarkError.
 *
 * @param data in base64
 */
export async function readMark(data: string, sniff: Sniff): Promise<Mark> {
  const bytes = unpackBase64(Buffer.from(data, 'latin1'));
  if (bytes === null) throw new MarkError('broken', 'is not in base64');
  if (bytes.length > markLimits.bytes)
    throw new MarkError('too_big', `has more than ${markLimits.bytes} bytes`);
  const { contentType } = await sniff(bytes);
  if (contentType === 'image/png') return marked('image/png', await readPng(bytes));
  // A drawing is text, which nothing but reading it tells from other text.
  if (!/^\s*(?:\uFEFF)?\s*</.test(bytes.toString('utf8', 0, 200)))
    throw new MarkError('type', 'is neither SVG nor PNG');
  return marked('image/svg+xml', Buffer.from(readSvgMark(bytes)));
}

async function readPng(bytes: Buffer): Promise<Uint8Array> {
  const clean = await cleanPng(bytes, { side: markLimits.pixels, pixels: markLimits.pixels ** 2 });
  if (clean === 'too_many_pixels')
    throw new MarkError('too_big', `has more than ${markLimits.pixels} pixels on a side`);
  if (typeof clean === 'string') throw new MarkError('broken', 'is damaged or cut off');
  return clean.bytes;
}

function marked(contentType: Mark['contentType'], bytes: Uint8Array): Mark {
  // Of its own: what it is a part of would be kept with it.
  const own = Uint8Array.from(bytes);
  return {
    id: createHash('sha256').update(contentType).update(own).digest('hex').slice(0, 32),
    contentType,
    bytes: own,
  };
}
