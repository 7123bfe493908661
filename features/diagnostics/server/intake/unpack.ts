import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { intakeLimits } from '#features/diagnostics/contract/intake.ts';
import { IntakeProblem } from './intake-problem.ts';

type Unpacker = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const inflate = promisify(zlib.inflate) as Unpacker;
const inflateRaw = promisify(zlib.inflateRaw) as Unpacker;

const unpackers: Readonly<Record<string, Unpacker>> = {
  gzip: promisify(zlib.gunzip) as Unpacker,
  'x-gzip': promisify(zlib.gunzip) as Unpacker,
  // RFC 9110, 8.4.1.2: some senders leave out the zlib header.
  deflate: (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(bytes, options),
  br: promisify(zlib.brotliDecompress) as Unpacker,
  zstd: promisify(zlib.zstdDecompress) as Unpacker,
};

/** Bodies that are unpacked at once, in the threads that also hash passwords, and bodies that may wait. */
const atOnce = 2;
const mostWaiting = 64;

/** Compression makes text some ten times smaller; a body that grows by much more is no envelope. */
const usualGrowth = 40;
const smallest = 4 * 1024 * 1024;

/**
 * Unpacks bodies, a few at a time. Unpacking stops as soon as a body is larger than allowed, so that the memory of
 * all bodies is bounded, whatever they claim to be.
 */
export function createUnpacking() {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function turn(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= mostWaiting) {
      throw new IntakeProblem('UNAVAILABLE', 'Too many compressed envelopes at once.');
    }
    await new Promise<void>((begin) => waiting.push(begin));
  }

  function over(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  /**
   * @param encoding the header `Content-Encoding`
   * @throws IntakeProblem BAD_ENCODING, TOO_LARGE, UNAVAILABLE
   */
  return async function unpack(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
    const name = (encoding ?? '').trim().toLowerCase();
    if (name === '' || name === 'identity') return bytes;
    const unpacker = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
    if (unpacker === undefined) {
      throw new IntakeProblem('BAD_ENCODING', 'The encoding is not one of gzip, deflate, br and zstd.');
    }
    await turn();
    const most = Math.min(intakeLimits.unpacked, Math.max(smallest, bytes.length * usualGrowth));
    try {
      return await unpacker(bytes, { maxOutputLength: most });
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new IntakeProblem('TOO_LARGE', `Unpacked it has more than ${most} bytes.`);
      }
      throw new IntakeProblem('BAD_ENCODING', `The body is no ${name}, or is cut off.`);
    } finally {
      over();
    }
  };
}
