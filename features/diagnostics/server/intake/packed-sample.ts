import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

const compress = promisify(zlib.deflateRaw);
const decompress = promisify(zlib.inflateRaw);

/** The largest size of an unpacked sample, bytes: samples are bounded before they are packed. */
const mostUnpacked = 1024 * 1024;

/** A sample as it is stored: JSON, compressed by DEFLATE (RFC 1951). */
export async function packSample(sample: object): Promise<Buffer> {
  return compress(JSON.stringify(sample));
}

/** The event of a stored sample, under Sentry's names for its fields; undefined for bytes that are no sample. */
export async function unpackSample(payload: Uint8Array): Promise<unknown> {
  try {
    return JSON.parse((await decompress(payload, { maxOutputLength: mostUnpacked })).toString()) as unknown;
  } catch {
    return undefined;
  }
}
