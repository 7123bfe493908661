import { problem } from '#contract/problem.ts';
import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import type { AnswerOf, CallOf, Route, Schema } from '#contract/route.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import type { SendCounted } from './counted-request.ts';
import { isProblem, networkProblem, ProblemError } from './problem-error.ts';
import { createSignal } from '../state/store.ts';
import { base } from '../base.ts';

/** The access token of the signed-in person. Both reject with a ProblemError if there is none. */
export type Bearer = {
  /** The token to send; waits for the first one. */
  token(): Promise<string>;
  /** A newer token than the one that the server refused. */
  renewed(refused: string): Promise<string>;
};

/** A route that `call` can use: its answer is JSON or nothing. */
export type CallableRoute = Route & { readonly answer: Schema | 'nothing' };

/** A route that takes files as `multipart/form-data`. */
export type UploadRoute = CallableRoute & { readonly form: { readonly field: string } };

/** A route that answers bytes. */
export type DownloadRoute = Route & { readonly answer: { readonly raw: string } };

/** A route that answers a stream of events. */
export type EventsRoute = Route & { readonly answer: { readonly raw: 'text/event-stream' } };

/** Receives the sent bytes of the body and the total; starts again from 0 when the call is repeated. */
export type OnProgress = (sent: number, total: number) => void;

export type CallOptions = {
  signal?: AbortSignal;
  /** Sends this token instead of the bearer's, and does not renew it. */
  token?: string;
  /** Sends the call only as the signed-in person, even if the route may allow calls without a session. */
  asPerson?: boolean;
  /** Headers that are sent in addition to the usual ones. */
  headers?: Record<string, string>;
  /**
   * Milliseconds without an answer after which the call is aborted; Infinity: never. Each call of `onProgress`
   * starts the time again. Default 30 s.
   */
  timeout?: number;
  onProgress?: OnProgress;
};

/**
 * Calls a route of the contract and gives its answer, cut to its schema. A token that has expired is renewed
 * once and the call repeated.
 *
 * @throws ProblemError (`status` 0: no usable answer); the signal's reason when it is aborted
 */
export type Call = <R extends CallableRoute>(
  route: R,
  parts: CallOf<R>,
  options?: CallOptions,
) => Promise<AnswerOf<R>>;

/** The answer with its ETag, or `changed: false` if the known answer is still current. */
export type Tagged<T> = { changed: true; answer: T; etag: string | null } | { changed: false };

export type Api = {
  call: Call;
  /** As `call`, for a route with an ETag; `etag` is the ETag of the known answer (RFC 9110, 13.1.2). */
  callTagged: <R extends CallableRoute>(
    route: R,
    parts: CallOf<R>,
    etag: string | null,
    options?: CallOptions,
  ) => Promise<Tagged<AnswerOf<R>>>;
  /**
   * Sends files in the route's field, in order. Gives up 30 s after the last progress, since a slow line may
   * take long in all.
   *
   * @throws as `call`
   */
  upload: <R extends UploadRoute>(
    route: R,
    files: readonly File[],
    options?: Omit<CallOptions, 'token'>,
  ) => Promise<AnswerOf<R>>;
  /**
   * Loads the bytes that a route answers, with their type. Gives up if they are incomplete after two minutes, or
   * after `timeout`. `onReceived` is called with the number of bytes received so far.
   *
   * @throws as `call`
   */
  download: <R extends DownloadRoute>(
    route: R,
    parts: CallOf<R>,
    options?: Omit<CallOptions, 'token' | 'onProgress'> & { onReceived?: (bytes: number) => void },
  ) => Promise<Blob>;
  /**
   * Opens a stream of events and resolves as soon as it begins; it then goes on until the signal is aborted,
   * even after the token has expired. Its problems are not reported to `onProblem`, since the caller opens a
   * stream again and again.
   *
   * @param lastId id of the last received message, for `Last-Event-ID`; null leaves the header out
   * @throws as `call`
   */
  openEvents: <R extends EventsRoute>(
    route: R,
    parts: CallOf<R>,
    lastId: string | null,
    signal: AbortSignal,
  ) => Promise<Response>;
  /** Reports every call that failed: its problem, and its method and path with the names of parameters. */
  onProblem(listener: (problem: ProblemError, call: string) => void): () => void;
};

export type ApiDependencies = {
  fetch: typeof fetch;
  /** Sends bodies whose progress is wanted; left out: `fetch` sends them without progress. */
  sendCounted?: SendCounted;
  bearer: Bearer;
  /** Asks the person to prove their identity (SES-13); false: they did not. Left out: the call fails. */
  prove?: () => Promise<boolean>;
  /** Minutes east of UTC once the profile has loaded (PRO-3), else null. */
  timeOffset: () => number | null;
};

const usualTimeout = 30_000;
const downloadTimeout = 120_000;

type Scalar = string | number | boolean | undefined;
type Parts = { params?: Record<string, Scalar>; query?: Record<string, Scalar>; body?: unknown };
type Request = {
  route: Route;
  parts: Parts;
  form?: FormData;
  etag?: string | null;
  lastId?: string | null;
};

export function createApi(dependencies: ApiDependencies): Api {
  const problems = createSignal<{ problem: ProblemError; call: string }>();

  async function send(request: Request, options: CallOptions): Promise<Response> {
    const { access } = request.route;
    const sending = (token: string | null) => sendOnce(dependencies, request, token, options);
    if (options.token !== undefined) return sending(options.token);
    if (access !== 'signed-in' && access !== 'signed-in-or-allowed' && typeof access !== 'object')
      return sending(null);
    const token = await dependencies.bearer.token().catch((error: unknown) => {
      // Only the server knows whether the route may be called without a session, so the call is sent without a token.
      const isOpen = access === 'signed-in-or-allowed' && options.asPerson !== true;
      if (isOpen && isProblem(error, 'SESSION_ENDED')) return null;
      throw error;
    });
    const renewing = async () => {
      try {
        return await sending(token);
      } catch (error) {
        if (token === null || !refusesToken(error)) throw error;
        return sending(await dependencies.bearer.renewed(token));
      }
    };
    try {
      return await renewing();
    } catch (error) {
      const proved = isProblem(error, 'PROOF_NEEDED') && (await dependencies.prove?.()) === true;
      if (!proved) throw error;
      return sending(await dependencies.bearer.token());
    }
  }

  async function reported<T>(
    { method, path }: Route,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProblemError) problems.publish({ problem: error, call: `${method} ${path}` });
      throw error;
    }
  }

  return {
    call: (route, parts, options = {}) =>
      reported(route, options.signal, async () =>
        readAnswer(route, await send({ route, parts: parts as Parts }, options)),
      ),
    callTagged: (route, parts, etag, options = {}) =>
      reported(route, options.signal, async () => {
        const response = await send({ route, parts: parts as Parts, etag }, options);
        if (response.status === 304) return { changed: false };
        return {
          changed: true,
          answer: await readAnswer(route, response),
          etag: response.headers.get('etag'),
        };
      }),
    upload: (route, files, options = {}) =>
      reported(route, options.signal, async () => {
        const form = new FormData();
        for (const file of files) form.append(route.form.field, file, file.name);
        const counted = { onProgress: () => {}, ...options };
        return readAnswer(route, await send({ route, parts: {}, form }, counted));
      }),
    download: (route, parts, options = {}) =>
      reported(route, options.signal, async () => {
        const { onReceived, ...others } = options;
        const longer = { timeout: downloadTimeout, ...others };
        const response = await send({ route, parts: parts as Parts }, longer);
        return (onReceived === undefined ? response.blob() : readCounted(response, onReceived)).catch(
          (error: unknown) => {
            throw networkProblem(error);
          },
        );
      }),
    async openEvents(route, parts, lastId, signal) {
      const options = { signal, timeout: Number.POSITIVE_INFINITY };
      try {
        return await send({ route, parts: parts as Parts, lastId }, options);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
    onProblem: (listener) => problems.subscribe(({ problem, call }) => listener(problem, call)),
  };
}

/**
 * Whether the server refused the token: it has expired, or its session has ended. A newer session of the person may
 * have begun in another tab; the renewal shows whether the person is still signed in.
 */
function refusesToken(error: unknown): boolean {
  return isProblem(error, 'TOKEN_EXPIRED', 'TOKEN_INVALID', 'SESSION_ENDED', 'PERSON_BLOCKED');
}

async function sendOnce(
  dependencies: ApiDependencies,
  { route, parts, form, etag = null, lastId = null }: Request,
  token: string | null,
  { signal, timeout = usualTimeout, onProgress, headers: others }: CallOptions,
): Promise<Response> {
  const headers = new Headers({ accept: acceptedBy(route), ...others });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (route.access === 'session') headers.set(sessionHeader, '1');
  if (etag !== null) headers.set('if-none-match', etag);
  if (lastId !== null) headers.set('last-event-id', lastId);
  // For a form the browser writes the header itself, with the boundary of the parts.
  if (parts.body !== undefined) headers.set('content-type', 'application/json');
  const offset = dependencies.timeOffset();
  if (offset !== null) headers.set(timeOffsetHeader, String(offset));

  const { method } = route;
  const address = base + addressOf(route.path, parts);
  const body = form ?? (parts.body === undefined ? null : JSON.stringify(parts.body));
  const { sendCounted } = dependencies;
  const response = await (
    body === null || onProgress === undefined || sendCounted === undefined
      ? dependencies.fetch(address, { method, headers, body, signal: limited(signal, timeout) })
      : whileItMoves(timeout, onProgress, (limit, counted) =>
          sendCounted(address, {
            method,
            headers,
            body,
            signal: either(signal, limit),
            onProgress: counted,
          }),
        )
  ).catch((error: unknown) => {
    throw networkProblem(error);
  });
  if (response.ok || (response.status === 304 && etag !== null)) return response;
  throw await readProblem(response);
}

function acceptedBy({ answer }: Route): string {
  if (typeof answer !== 'object' || !('raw' in answer)) return 'application/json';
  return answer.raw === 'text/event-stream' ? answer.raw : '*/*';
}

function limited(signal: AbortSignal | undefined, timeout: number): AbortSignal | null {
  return timeout === Number.POSITIVE_INFINITY
    ? (signal ?? null)
    : either(signal, AbortSignal.timeout(timeout));
}

function either(signal: AbortSignal | undefined, limit: AbortSignal): AbortSignal {
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** Aborts `work` after `timeout` milliseconds without progress. */
async function whileItMoves<T>(
  timeout: number,
  onProgress: OnProgress,
  work: (limit: AbortSignal, counted: OnProgress) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const start = () => setTimeout(() => limit.abort(new DOMException('no progress', 'TimeoutError')), timeout);
  let timer = start();
  try {
    return await work(limit.signal, (sent, total) => {
      clearTimeout(timer);
      timer = start();
      onProgress(sent, total);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The path with its parameters and query filled in; undefined values are left out of the query. */
export function addressOf(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

async function readAnswer<R extends CallableRoute>(route: R, response: Response): Promise<AnswerOf<R>> {
  if (route.answer === 'nothing') return undefined as AnswerOf<R>;
  // A 200 that does not fit the contract comes from a proxy, such as a hotel's sign-in page.
  const json: unknown = await response.json().catch((error: unknown) => {
    throw networkProblem(error);
  });
  const read = await route.answer['~standard'].validate(json);
  if (read.issues) throw networkProblem(new Error(`${route.method} ${route.path} answered out of contract`));
  return read.value as AnswerOf<R>;
}

async function readCounted(response: Response, onReceived: (bytes: number) => void): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = (response.body ?? new Blob().stream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    bytes += read.value.byteLength;
    onReceived(bytes);
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' });
}

async function readProblem(response: Response): Promise<ProblemError> {
  const { status } = response;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  const json: unknown = await response.json().catch(() => null);
  const read = problem.safeParse(json);
  if (!read.success)
    // A proxy in front may have its own limit and answer in HTML.
    return new ProblemError({
      status,
      code: status === 413 ? 'TOO_LARGE' : 'UNKNOWN',
      title: `HTTP ${status}`,
      retryAfter,
    });
  return new ProblemError({ ...read.data, status, retryAfter });
}
