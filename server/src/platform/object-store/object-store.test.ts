import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAsObjectStore, startObjectStore } from '#server/testing/object-store-server.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import { objectStoreLocationForm, readObjectStoreLocation } from './object-store-location.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const small = Buffer.from('a small object');

async function* inChunks(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function namesOf(store: ObjectStore, begin?: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(begin)) names.push(name);
  return names;
}

describe('an object store', () => {
  const partBytes = 5 * 1024 * 1024;
  let store: ObjectStore;
  let server: Awaited<ReturnType<typeof startObjectStore>>;
  beforeEach(async () => {
    server = await startObjectStore();
    store = createObjectStore({ ...server.location, partBytes });
  });
  afterEach(() => server.stop());

  it.each([0, 1, partBytes, partBytes + 1, 2 * partBytes + 3])(
    'STORE-1: stores %i bytes and gives them back, whole and in a range',
    async (length) => {
      const bytes = randomBytes(length);
      expect(await store.put('ab/one', inChunks(bytes))).toEqual({ size: length, sha256: sha256(bytes) });
      expect(await store.head('ab/one')).toEqual({ size: length });
      expect((await bytesOf(await store.get('ab/one', { sha256: sha256(bytes) }))).equals(bytes)).toBe(true);
    },
  );

  it('STORE-1: reads a range, lists by the beginning of names, replaces and deletes', async () => {
    const other = createObjectStore({ ...server.location, prefix: 'elsewhere/' });
    await other.put('ab/other', inChunks(small));
    await store.put('ab/one', inChunks(Buffer.from('before')));
    await store.put('ab/one', inChunks(small));
    await store.put('cd/two', inChunks(small));
    expect((await bytesOf(await store.get('ab/one', { range: { from: 2, to: 6 } }))).toString()).toBe(
      'small',
    );
    expect(await namesOf(store)).toEqual(['ab/one', 'cd/two']);
    expect(await namesOf(store, 'ab/')).toEqual(['ab/one']);
    await store.delete('ab/one');
    await store.delete('ab/one');
    expect(await store.head('ab/one')).toBeNull();
    await expect(store.get('ab/one')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await namesOf(other)).toEqual(['ab/other']);
  });

  it('STORE-1: reports other bytes than were written at the end of reading', async () => {
    await store.put('one', inChunks(small));
    const stream = await store.get('one', { sha256: sha256(Buffer.from('another')) });
    await expect(bytesOf(stream)).rejects.toMatchObject({ code: 'CHANGED' });
  });

  it('STORE-1: stores nothing of a source that fails, in parts neither', async () => {
    async function* failing() {
      yield* inChunks(randomBytes(partBytes + 1));
      throw new Error('the source failed');
    }
    await expect(store.put('one', failing())).rejects.toThrow('the source failed');
    expect(await namesOf(store)).toEqual([]);
  });

  it('STORE-1: says that its bucket is missing, which is not that objects are', async () => {
    const missing = createObjectStore({ ...server.location, bucket: 'missing' });
    await expect(namesOf(missing)).rejects.toMatchObject({ code: 'NO_BUCKET' });
    await expect(missing.get('one')).rejects.toMatchObject({ code: 'NO_BUCKET' });
    await expect(missing.delete('one')).rejects.toMatchObject({ code: 'NO_BUCKET' });
  });

  it('STORE-1: refuses other credentials, and no error repeats any', async () => {
    const strict = await startObjectStore({ checksSignatures: true });
    await createObjectStore(strict.location).put('one', inChunks(small));
    const refused = createObjectStore({ ...strict.location, secretKey: 'a-wrong-secret' });
    const error = await refused.put('one', inChunks(small)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'REFUSED' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/S3RVER|wrong-secret|AWS4/);
    await strict.stop();
  });

  it('STORE-1: has only names that are the same in every address and folder', async () => {
    for (const name of ['', '../one', 'a/../one', 'a//b', '/a', 'a/', './a', 'a b', 'ä', 'a%2e', 'a\\b'])
      await expect(store.put(name, inChunks(small))).rejects.toMatchObject({ code: 'FAILED' });
  });
});

describe('what answers in place of an object store', () => {
  const calls: Record<string, (store: ObjectStore) => Promise<unknown>> = {
    put: (store) => store.put('one', inChunks(small)),
    get: async (store) => bytesOf(await store.get('one')),
    head: (store) => store.head('one'),
    list: (store) => namesOf(store),
    delete: (store) => store.delete('one'),
  };
  const list =
    (inner: string): RequestListener =>
    (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><ListBucketResult>${inner}</ListBucketResult>`);

  /** The code with which each call fails. */
  async function codes(
    answer: RequestListener,
    names = Object.keys(calls),
    timeoutMs = 60_000,
  ): Promise<Record<string, unknown>> {
    const server = await startAsObjectStore(answer);
    const store = createObjectStore({ ...server.location, timeoutMs });
    try {
      const found = names.map(async (name) => [
        name,
        await calls[name]?.(store).then(
          () => 'no error',
          (error: unknown) => (error as { code?: string }).code,
        ),
      ]);
      return Object.fromEntries(await Promise.all(found)) as Record<string, unknown>;
    } finally {
      server.stop();
    }
  }
  const all = (code: string) => Object.fromEntries(Object.keys(calls).map((name) => [name, code]));

  it.each([200, 403, 404])('STORE-1: is no store where it is a page of HTML (%i)', async (status) => {
    const page: RequestListener = (_request, response) =>
      response
        .writeHead(status, { 'content-type': 'text/html', etag: '"1"' })
        .end('<html><p>Sign in</p></html>');
    expect(await codes(page)).toEqual(all('WRONG_ANSWER'));
  });

  it('STORE-1: is no store where it accepts everything without an ETag', async () => {
    const empty: RequestListener = (_request, response) => response.writeHead(200).end();
    expect(await codes(empty, ['put', 'get', 'head', 'list'])).toEqual({
      put: 'WRONG_ANSWER',
      get: 'WRONG_ANSWER',
      head: 'WRONG_ANSWER',
      list: 'WRONG_ANSWER',
    });
  });

  it.each([301, 302, 307, 308])('STORE-1: is not followed where it redirects (%i)', async (status) => {
    let followed = 0;
    const other = await startAsObjectStore((_request, response) => {
      followed += 1;
      response.writeHead(200, { etag: '"1"' }).end();
    });
    const location = `${other.location.endpoint}/portico/here/one`;
    const redirect: RequestListener = (_request, response) => response.writeHead(status, { location }).end();
    expect(await codes(redirect)).toEqual(all('REDIRECTED'));
    expect(followed).toBe(0);
    other.stop();
  });

  it('STORE-1: is given up after the timeout where it answers nothing, or stops in the middle', async () => {
    expect(await codes(() => undefined, undefined, 200)).toEqual(all('TIMEOUT'));
    const stops: RequestListener = (_request, response) => {
      response.writeHead(200, { etag: '"1"', 'content-length': '100' });
      response.write('the beginning');
    };
    expect(await codes(stops, ['get'], 200)).toEqual({ get: 'TIMEOUT' });
  });

  it('STORE-1: is unreachable where it cannot serve, breaks off, or is not there', async () => {
    const busy: RequestListener = (_request, response) => response.writeHead(503).end();
    expect(await codes(busy)).toEqual(all('UNREACHABLE'));
    expect(await codes((request) => request.socket.destroy())).toEqual(all('UNREACHABLE'));
    const cut: RequestListener = (_request, response) => {
      response.writeHead(200, { etag: '"1"', 'content-length': '100' });
      response.write('the beginning', () => response.destroy());
    };
    expect(await codes(cut, ['get'])).toEqual({ get: 'UNREACHABLE' });
    const server = await startAsObjectStore(busy);
    server.stop();
    await expect(createObjectStore(server.location).head('one')).rejects.toMatchObject({
      code: 'UNREACHABLE',
    });
  });

  it.each([
    'here/../secret',
    'here/a/../../b',
    'elsewhere/one',
    '../../etc/passwd',
    'here//one',
    '/etc/passwd',
  ])('STORE-1: reports no name that was not asked for: %s', async (key) => {
    const answer = list(`<Contents><Key>${key}</Key><Size>1</Size></Contents>`);
    expect(await codes(answer, ['list'])).toEqual({ list: 'WRONG_ANSWER' });
  });

  it('STORE-1: lists page after page, without the objects that stand for folders', async () => {
    const server = await startAsObjectStore((request, response) => {
      const isSecond =
        new URL(request.url ?? '', 'http://store').searchParams.get('continuation-token') === 'more';
      const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>';
      const first = `<Contents><Key>here/</Key></Contents><Contents><Key>here/a</Key></Contents>${more}`;
      list(isSecond ? '<Contents><Key>here/b</Key></Contents>' : first)(request, response);
    });
    expect(await namesOf(createObjectStore(server.location))).toEqual(['a', 'b']);
    server.stop();
  });

  it('STORE-1: is not asked for the same page of a list for ever', async () => {
    const again = '<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>';
    expect(await codes(list(again), ['list'])).toEqual({ list: 'WRONG_ANSWER' });
  });

  it('STORE-1: has not stored what has another size there', async () => {
    const shorter: RequestListener = (_request, response) =>
      response.writeHead(200, { etag: '"1"', 'content-length': '3' }).end('abc');
    expect(await codes(shorter, ['put'])).toEqual({ put: 'CHANGED' });
  });

  it('STORE-1: ignores ranges where it answers with the whole object', async () => {
    const whole: RequestListener = (_request, response) =>
      response.writeHead(200, { etag: '"1"' }).end('whole');
    const server = await startAsObjectStore(whole);
    const got = createObjectStore(server.location).get('one', { range: { from: 1, to: 2 } });
    await expect(got).rejects.toMatchObject({ code: 'WRONG_ANSWER' });
    server.stop();
  });
});

describe('the location of an object store', () => {
  const rest = '?endpoint=https://s3.example.org&region=eu-central-1';

  it('STORE-1: is a bucket, a prefix, an endpoint and a region', () => {
    const location = {
      bucket: 'files',
      prefix: '',
      endpoint: 'https://s3.example.org',
      region: 'eu-central-1',
    };
    expect(readObjectStoreLocation(objectStoreLocationForm.split(',')[0] ?? '')).not.toBeNull();
    expect(readObjectStoreLocation(`s3://files${rest}`)).toEqual(location);
    expect(readObjectStoreLocation(`s3://files/a/b/${rest}`)).toEqual({ ...location, prefix: 'a/b/' });
    expect(readObjectStoreLocation('s3://files?endpoint=http://127.0.0.1:9000')).toEqual({
      ...location,
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
    });
  });

  it.each([
    'files',
    `https://files${rest}`,
    `s3://key:secret@files${rest}`,
    `s3://files:80${rest}`,
    `s3://Files${rest}`,
    `s3://files/a%2f..${rest}`,
    `s3://files/a//b${rest}`,
    's3://files',
    's3://files?endpoint=ftp://s3.example.org',
    's3://files?endpoint=https://s3.example.org/path',
    's3://files?endpoint=https://key:secret@s3.example.org',
    `s3://files${rest}&secret=x`,
    `s3://files${rest}&region=us-east-1`,
    's3://files?endpoint=https://s3.example.org&region=a/b',
    `s3://files${rest}#x`,
  ])('STORE-1: is not %s', (text) => {
    expect(readObjectStoreLocation(text)).toBeNull();
  });
});
