import { setTimeout as later, clearTimeout as cancel } from 'node:timers';
import { ObjectStoreError } from './object-store-error.ts';

const pieceBytes = 64 * 1024;
/** A list of 1,000 names is about 400 KB. */
const longestAnswer = 8 * 1024 * 1024;

/**
 * A `fetch` for an object store, which refuses what such a store does not answer: redirects, which would carry a
 * signed request elsewhere, pages of HTML, and objects without an ETag. The body of an object is left to be read by
 * `readWithin`; any other answer has been read, up to a limit.
 *
 * @param timeoutMs how long nothing may be sent or received
 * @throws ObjectStoreError
 */
export function createObjectStoreFetch(timeoutMs: number): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers, body } = init;
    const url = new URL(input instanceof Request ? input.url : input);
    const idle = new AbortController();
    const restart = timer(idle, timeoutMs);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const response = await fetch(url, {
      method,
      // A store or proxy that compresses would change the number of bytes.
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal: idle.signal,
      ...(bytes instanceof Uint8Array && bytes.length > 0
        ? { body: inPieces(bytes, restart), duplex: 'half' }
        : {}),
    }).catch((error: unknown) => {
      restart.stop();
      throw asStoreError(error);
    });
    restart.stop();
    try {
      refuse(response, { url, method });
    } catch (error) {
      // The rest of the answer is not read.
      idle.abort();
      throw error;
    }
    if (isObject(url) && method === 'GET' && response.ok) return response;
    const text = await readText(response, timeoutMs);
    if (isList(url, method) && response.ok) refuseList(text, url);
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  };
}

/** Ends where the reader stops; a reader that takes its time is no reason for a timeout. */
export async function* readWithin(response: Response, timeoutMs: number): AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), timeoutMs);
      if (done) return;
      yield value;
    }
  } finally {
    // `cancel` rejects where the connection was lost, which `read` has already reported.
    await reader.cancel().catch(() => undefined);
  }
}

function refuse(response: Response, { url, method }: { url: URL; method: string }): void {
  const { status, headers, ok } = response;
  if (status >= 300 && status < 400)
    throw new ObjectStoreError('REDIRECTED', `The store answers with a redirect (${status}).`);
  if (status >= 500 || status === 429)
    throw new ObjectStoreError('UNREACHABLE', `The store cannot answer now (${status}).`);
  // Swift names HTML as the type of empty answers, and stores number their requests.
  const isPage = /^text\/html\b/i.test(headers.get('content-type') ?? '');
  if (isPage && headers.get('x-amz-request-id') === null)
    throw new ObjectStoreError('WRONG_ANSWER', `The store answers with a page of HTML (${status}).`);
  if (ok && ['GET', 'HEAD', 'PUT'].includes(method) && isObject(url) && headers.get('etag') === null)
    throw new ObjectStoreError('WRONG_ANSWER', 'The store answers without an ETag.');
}

function refuseList(text: string, url: URL): void {
  if (!/<ListBucketResult[\s>/]/.test(text))
    throw new ObjectStoreError('WRONG_ANSWER', 'The store answers a list with something else.');
  const token = url.searchParams.get('continuation-token');
  // After an empty page the library asks on by itself, so it would ask for the same page without end.
  if (token !== null && text.includes(`<NextContinuationToken>${token}<`))
    throw new ObjectStoreError('WRONG_ANSWER', 'The store repeats a page of a list.');
}

/** Whether an address is below the bucket, which is the first segment. */
const isObject = (url: URL) => /^\/[^/]+\/./.test(url.pathname);
const isList = (url: URL, method: string) => method === 'GET' && !isObject(url);

async function readText(response: Response, timeoutMs: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of readWithin(response, timeoutMs)) {
    length += part.length;
    if (length > longestAnswer)
      throw new ObjectStoreError('WRONG_ANSWER', 'The store answers without an end.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** `pull` is called when the connection takes more, so each call shows progress. */
function inPieces(bytes: Uint8Array, progress: () => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        progress();
        controller.enqueue(bytes.subarray(at, at + pieceBytes));
        at += pieceBytes;
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function timer(abort: AbortController, timeoutMs: number): (() => void) & { stop: () => void } {
  const start = () => later(() => abort.abort(timedOut(timeoutMs)), timeoutMs);
  let running = start();
  const stop = () => cancel(running);
  const restart = () => {
    stop();
    running = start();
  };
  return Object.assign(restart, { stop });
}

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let running: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    running = later(() => reject(timedOut(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([work, tooLong]);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    cancel(running);
  }
}

function timedOut(timeoutMs: number): ObjectStoreError {
  return new ObjectStoreError('TIMEOUT', `Nothing was sent or received for ${timeoutMs / 1_000} s.`);
}

function asStoreError(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { message, cause } = error as Error & { cause?: { code?: unknown } };
  const reason = typeof cause?.code === 'string' ? cause.code : message;
  return new ObjectStoreError('UNREACHABLE', `The store cannot be reached (${reason}).`);
}
