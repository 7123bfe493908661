import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { S3mini } from 's3mini';
import { ObjectStoreError, orNull } from './object-store-error.ts';
import { isObjectName, type ObjectStoreLocation } from './object-store-location.ts';
import { createObjectStoreFetch, readWithin } from './object-store-requests.ts';

export type StoredObject = { name: string; size: number; modifiedAt: Date };

/**
 * Objects in a bucket of an S3-compatible store (STORE-1), private to who has the credentials. Names are those below
 * the prefix of its location (`isObjectName`). Every method throws an ObjectStoreError.
 */
export type ObjectStore = {
  /**
   * Stores all bytes of a source under a name, or nothing; replaces an object that has the name already. A part of
   * 16 MiB is held in memory at a time, and an object has at most 10,000 parts.
   *
   * @returns how many bytes they are, and their SHA-256 in hexadecimal
   */
  put(name: string, source: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }>;
  /**
   * The bytes of an object, or of a range (first and last position, both included). Fails with NOT_FOUND before it
   * answers; the stream fails with CHANGED before its last bytes where the whole object has another SHA-256 than expected.
   */
  get(name: string, options?: { range?: { from: number; to: number }; sha256?: string }): Promise<Readable>;
  /** The size in bytes; null where there is no such object. */
  head(name: string): Promise<{ size: number } | null>;
  /** All objects whose names start with `begin`, in the order of the store, a page of 1,000 in memory. */
  list(begin?: string): AsyncGenerator<StoredObject>;
  /** Succeeds also where there is no such object. */
  delete(name: string): Promise<void>;
};

export type ObjectStoreOptions = ObjectStoreLocation & {
  accessKey: string;
  secretKey: string;
  /** How long the store may neither send nor receive anything. */
  timeoutMs?: number;
  /** The size of the parts of an object; stores accept no less than 5 MiB, except for the last part. */
  partBytes?: number;
};

export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { bucket, prefix, endpoint, region, accessKey, secretKey } = options;
  const { timeoutMs = 60_000, partBytes = 16 * 1024 * 1024 } = options;
  const s3 = new S3mini({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    // The bucket stands in the path, so that no name of a host is needed for it.
    endpoint: `${endpoint}/${bucket}`,
    region,
    fetch: createObjectStoreFetch(timeoutMs),
  });

  function keyOf(name: string): string {
    if (!isObjectName(name)) throw new ObjectStoreError('FAILED', 'This is no name of an object.');
    return `${prefix}${name}`;
  }

  const head: ObjectStore['head'] = async (name) => {
    const key = keyOf(name);
    const size = await orNull(asked(() => s3.getContentLength(key)));
    return size === null ? null : { size };
  };

  return {
    async put(name, source) {
      const key = keyOf(name);
      const hash = createHash('sha256');
      let size = 0;
      let uploadId: string | null = null;
      const sent: { partNumber: number; etag: string }[] = [];
      try {
        for await (const { bytes, isLast } of parts(source, partBytes)) {
          hash.update(bytes);
          size += bytes.length;
          if (uploadId === null && isLast) await asked(() => s3.putObject(key, bytes));
          else {
            const id = (uploadId ??= await asked(() => s3.getMultipartUploadId(key)));
            sent.push(await asked(() => s3.uploadPart(key, id, bytes, sent.length + 1)));
          }
        }
        if (uploadId !== null) await complete(key, uploadId, sent);
      } catch (error) {
        // Where aborting fails too, the store removes the parts by its own rule.
        if (uploadId !== null) await s3.abortMultipartUpload(key, uploadId).catch(() => undefined);
        throw error;
      }
      if (((await head(name))?.size ?? -1) !== size)
        throw new ObjectStoreError('CHANGED', 'The store has another number of bytes than were sent.');
      return { size, sha256: hash.digest('hex') };
    },

    async get(name, { range, sha256 } = {}) {
      const key = keyOf(name);
      const response = await asked(() =>
        range === undefined ? s3.getObjectRaw(key) : s3.getObjectRaw(key, false, range.from, range.to + 1),
      );
      if (range !== undefined && response.status !== 206) {
        await response.body?.cancel();
        throw new ObjectStoreError('WRONG_ANSWER', 'The store answers a range with the whole object.');
      }
      const bytes = readWithin(response, timeoutMs);
      return Readable.from(sha256 === undefined ? bytes : compared(bytes, sha256), { objectMode: false });
    },

    head,

    async *list(begin = '') {
      let token: string | undefined;
      do {
        const from = token;
        const page = await asked(() => s3.listObjectsPaged('/', `${prefix}${begin}`, 1_000, from));
        if (!page) throw new ObjectStoreError('NO_BUCKET', 'The bucket does not exist.');
        for (const { Key: key, Size: size, LastModified: modifiedAt } of page.objects ?? []) {
          const name = key.slice(prefix.length);
          // Consoles of stores make folders visible by empty objects.
          if (name === '' || name.endsWith('/')) continue;
          if (!key.startsWith(`${prefix}${begin}`) || !isObjectName(name))
            throw new ObjectStoreError('WRONG_ANSWER', 'The store lists a name that was not asked for.');
          yield { name, size, modifiedAt };
        }
        token = page.nextContinuationToken;
      } while (token !== undefined);
    },

    async delete(name) {
      const key = keyOf(name);
      await orNull(asked(() => s3.deleteObject(key)));
    },
  };

  async function complete(
    key: string,
    id: string,
    sent: { partNumber: number; etag: string }[],
  ): Promise<void> {
    const { etag } = await asked(() => s3.completeMultipartUpload(key, id, sent));
    // A store may begin to answer with 200 and fail later.
    if (typeof etag !== 'string') throw new ObjectStoreError('FAILED', 'The store could not join the parts.');
  }
}

/** Yields at least one part; the last part is empty only where the source is. */
async function* parts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<{ bytes: Uint8Array<ArrayBuffer>; isLast: boolean }> {
  let part = new Uint8Array(0);
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of source) {
    let rest = bytes;
    while (rest.length > 0) {
      // A full part is sent when more follows: only then it is not the last one.
      if (length === partBytes) {
        part = Buffer.concat(pieces);
        pieces = [];
        length = 0;
        yield { bytes: part, isLast: false };
      }
      // Copied, since the source may write its next bytes to the same place.
      const piece = Uint8Array.from(rest.subarray(0, partBytes - length));
      pieces.push(piece);
      length += piece.length;
      rest = rest.subarray(piece.length);
    }
  }
  yield { bytes: Buffer.concat(pieces), isLast: true };
}

async function* compared(bytes: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  // A reader that counts bytes, such as a browser, must not have all of them before they are compared.
  let last: Uint8Array | null = null;
  for await (const part of bytes) {
    hash.update(part);
    if (last !== null) yield last;
    last = part;
  }
  if (hash.digest('hex') !== sha256)
    throw new ObjectStoreError('CHANGED', 'The store has other bytes than were written.');
  if (last !== null) yield last;
}

/** Calls the library; throws an ObjectStoreError without the store's own words, which may repeat a signature. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw causeOf(error);
  }
}

function causeOf(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { status, body, cause } = error as { status?: unknown; body?: unknown; cause?: unknown };
  if (typeof status !== 'number')
    return cause === undefined
      ? new ObjectStoreError('WRONG_ANSWER', 'The answer of the store cannot be read.')
      : causeOf(cause);
  const reason = /<Code>(\w{1,60})<\/Code>/.exec(typeof body === 'string' ? body : '')?.[1] ?? 'no reason';
  const words = `(${status}, ${reason})`;
  if (reason === 'NoSuchBucket') return new ObjectStoreError('NO_BUCKET', 'The bucket does not exist.');
  if (status === 404) return new ObjectStoreError('NOT_FOUND', `There is no such object ${words}.`);
  if (status === 401 || status === 403)
    return new ObjectStoreError('REFUSED', `The store refuses the credentials ${words}.`);
  return new ObjectStoreError('FAILED', `The store refuses the request ${words}.`);
}
