import { Readable, type Writable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FieldProblem } from '#contract/problem.ts';
import { creationUnderWay } from '../database/database.ts';
import { HttpProblem, invalid } from './http-problem.ts';
import { pointer } from './validation.ts';

/** One file of a form. Its bytes are to be read to the end, or not at all. */
export type FormFile = {
  /** Counted from 0. */
  index: number;
  /** The name as it was sent, with only the escapes of browsers undone; it may be any text. */
  filename: string;
  bytes: AsyncIterable<Uint8Array>;
};

export type FormOptions = {
  headers: { 'content-type'?: string | undefined; 'content-length'?: string | undefined };
  /** The one field that the form has, for each of its files. */
  field: string;
  /** How many files there may be. */
  files: number;
  /** Bytes of the whole form. */
  bytes: number;
};

/** Room for what stands around the files of a form: boundaries, names, types; in bytes, for one file. */
export const roundFileBytes = 4096;

/**
 * Reads files of `multipart/form-data` (RFC 7578) one after the other, no faster than `take` does, and
 * answers what it made of them. After a failure nothing more is read, and the last `take` has ended.
 *
 * @throws HttpProblem for a form that is too large, broken, or has something else in it; whatever `take`
 *   throws
 */
export async function readForm<T>(
  body: unknown,
  options: FormOptions,
  take: (file: FormFile) => Promise<T>,
): Promise<T[]> {
  if (!(body instanceof Readable)) {
    throw new HttpProblem('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send the body as multipart/form-data.' });
  }
  if (Number(options.headers['content-length']) > options.bytes) throw tooLarge(options.bytes);
  const parser = parserFor(options);
  const taken: T[] = [];
  const parts: Readable[] = [];
  let taking: Promise<void> = Promise.resolve();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);

  parser.on('error', (cause) => failure.reject(broken(cause)));
  parser.on('file', (name: string | undefined, part, filename: string | undefined) => {
    const index = parts.push(part) - 1;
    // Its reader gets the error; without a reader nothing is to be done.
    part.on('error', () => undefined);
    const wrong = wrongPart(options, { name, filename, index });
    if (wrong !== null) {
      failure.reject(new HttpProblem('INVALID_BODY', { errors: [wrong] }));
      return;
    }
    taking = taking.then(async () => {
      taken.push(await take({ index, filename: unescaped(filename ?? ''), bytes: part }));
    });
    taking.catch(failure.reject);
  });

  try {
    const finished = until(parser, 'finish');
    await Promise.race([feed(parser, body, options.bytes, failure.promise), failure.promise]);
    await Promise.race([finished, failure.promise]);
    await Promise.race([taking, failure.promise]);
  } catch (error) {
    for (const part of parts) part.destroy(error as Error);
    await taking.catch(() => undefined);
    throw error;
  }
  if (taken.length === 0) {
    throw invalid(pointer([options.field]), 'required', 'is missing');
  }
  creationUnderWay.getStore()?.bind(taken);
  return taken;
}

function parserFor({ headers }: FormOptions) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      preservePath: true,
      // A part without a file name is read as a stream too.
      isPartAFile: () => true,
      limits: { headerPairs: 20, headerSize: 16 * 1024 },
    });
  } catch (cause) {
    throw broken(cause);
  }
}

async function feed(parser: Writable, body: Readable, most: number, failure: Promise<never>): Promise<void> {
  let size = 0;
  for await (const bytes of whatComes(body)) {
    size += bytes.byteLength;
    if (size > most) throw tooLarge(most);
    if (!parser.write(bytes)) await Promise.race([until(parser, 'drain'), failure]);
  }
  parser.end();
}

async function* whatComes(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    // Destroying it would take the connection along, and the answer with it.
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw broken(cause);
  }
}

function until(parser: Writable, event: 'drain' | 'finish'): Promise<void> {
  return new Promise((happened) => void parser.once(event, happened));
}

function wrongPart(
  { field, files }: FormOptions,
  part: { name: string | undefined; filename: string | undefined; index: number },
): FieldProblem | null {
  if (part.name !== field) {
    const where = pointer([(part.name ?? '').slice(0, 100)]);
    return { pointer: where, code: 'unknown', message: 'is not known here' };
  }
  if (part.index >= files)
    return { pointer: pointer([field]), code: 'too_big', message: `must have at most ${files} entries` };
  if (part.filename === undefined)
    return { pointer: pointer([field, part.index]), code: 'type', message: 'must be a file' };
  return null;
}

/** The three characters that browsers write as escapes in names (HTML, 4.10.21.8). */
function unescaped(filename: string): string {
  return filename.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

function tooLarge(most: number): HttpProblem {
  return new HttpProblem('TOO_LARGE', { detail: `A form of more than ${most} bytes.` });
}

function broken(cause: unknown): HttpProblem {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new HttpProblem('INVALID_REQUEST', { detail: `The form is broken or cut off${reason}.` });
}
