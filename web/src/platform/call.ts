import { problem } from '@portico/contract/problem';
import { timeOffsetHeader } from '@portico/contract/profile';
import type { AnswerOf, CallOf, Route, Schema } from '@portico/contract/route';
import { sessionHeader } from '@portico/contract/session';
import { isProblem, networkProblem, ProblemError } from './problem-error.ts';
import { createSignal } from './store.ts';

/** The access token of the person who is signed in. Both reject with a ProblemError where there is none to be had. */
export type Bearer = {
  /** The token to send; waits for the first one. */
  token(): Promise<string>;
  /** A newer token than the one that the server refused. */
  renewed(refused: string): Promise<string>;
};

/** A route that `call` can speak: JSON or nothing comes back. */
export type CallableRoute = Route & { readonly answer: Schema | 'nothing' };

export type CallOptions = {
  signal?: AbortSignal;
  /** Sends this token instead of the bearer's, and does not renew it. */
  token?: string;
};

/**
 * Calls a route of the contract and gives its answer, cut to its schema. A token that has expired is renewed once and the call
 * repeated. Without an answer after 30 s it gives up.
 *
 * @throws ProblemError (`status` 0: no usable answer); the signal's reason when it is aborted
 */
export type Call = <R extends CallableRoute>(
  route: R,
  parts: CallOf<R>,
  options?: CallOptions,
) => Promise<AnswerOf<R>>;

/** What stands behind an ETag: the answer and its tag, or that the known one still holds. */
export type Tagged<T> = { changed: true; answer: T; etag: string | null } | { changed: false };

export type Api = {
  call: Call;
  /** As `call`, for a route with an ETag: `etag` is the one of the answer that is already held (RFC 9110, 13.1.2). */
  callTagged: <R extends CallableRoute>(
    route: R,
    parts: CallOf<R>,
    etag: string | null,
    options?: CallOptions,
  ) => Promise<Tagged<AnswerOf<R>>>;
  /** Tells of every problem that a call has ended in. */
  onProblem(listener: (problem: ProblemError) => void): () => void;
};

export type ApiEdges = {
  fetch: typeof fetch;
  bearer: Bearer;
  /** Minutes east of UTC once the profile has loaded (PRO-3), else null. */
  timeOffset: () => number | null;
};

const patience = 30_000;

type Scalar = string | number | boolean | undefined;
type Parts = { params?: Record<string, Scalar>; query?: Record<string, Scalar>; body?: unknown };

export function createApi(edges: ApiEdges): Api {
  const problems = createSignal<ProblemError>();

  async function send(
    route: Route,
    parts: Parts,
    etag: string | null,
    options: CallOptions,
  ): Promise<Response> {
    const request = (token: string | null) => sendOnce(edges, route, parts, etag, token, options.signal);
    if (options.token !== undefined) return request(options.token);
    if (!needsBearer(route)) return request(null);
    const token = await edges.bearer.token();
    try {
      return await request(token);
    } catch (error) {
      if (!refusesToken(error)) throw error;
      return request(await edges.bearer.renewed(token));
    }
  }

  async function told<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProblemError) problems.tell(error);
      throw error;
    }
  }

  return {
    call: (route, parts, options = {}) =>
      told(options.signal, async () => readAnswer(route, await send(route, parts as Parts, null, options))),
    callTagged: (route, parts, etag, options = {}) =>
      told(options.signal, async () => {
        const response = await send(route, parts as Parts, etag, options);
        if (response.status === 304) return { changed: false };
        return {
          changed: true,
          answer: await readAnswer(route, response),
          etag: response.headers.get('etag'),
        };
      }),
    onProblem: problems.subscribe,
  };
}

/**
 * The token has expired, or the session that it came from has ended; a newer session of the same person may have begun in
 * another tab. Whether anybody is still signed in, the renewal says.
 */
function refusesToken(error: unknown): boolean {
  return isProblem(error, 'TOKEN_EXPIRED', 'TOKEN_INVALID', 'SESSION_ENDED', 'PERSON_BLOCKED');
}

function needsBearer(route: Route): boolean {
  return route.access === 'signed-in' || typeof route.access === 'object';
}

async function sendOnce(
  edges: ApiEdges,
  route: Route,
  parts: Parts,
  etag: string | null,
  token: string | null,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (route.access === 'session') headers.set(sessionHeader, '1');
  if (etag !== null) headers.set('if-none-match', etag);
  if (parts.body !== undefined) headers.set('content-type', 'application/json');
  const offset = edges.timeOffset();
  if (offset !== null) headers.set(timeOffsetHeader, String(offset));

  const limit = AbortSignal.timeout(patience);
  const response = await edges
    .fetch(addressOf(route.path, parts), {
      method: route.method,
      headers,
      body: parts.body === undefined ? null : JSON.stringify(parts.body),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    .catch((error: unknown) => {
      throw networkProblem(error);
    });
  if (response.ok || (response.status === 304 && etag !== null)) return response;
  throw await readProblem(response);
}

/** The path with its parameters and query filled in; what is undefined is left out of the query. */
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
  // A 200 that does not fit the contract comes from something in between, such as a hotel's sign-in page.
  const json: unknown = await response.json().catch((error: unknown) => {
    throw networkProblem(error);
  });
  const read = await route.answer['~standard'].validate(json);
  if (read.issues) throw networkProblem(new Error(`${route.method} ${route.path} answered out of contract`));
  return read.value as AnswerOf<R>;
}

async function readProblem(response: Response): Promise<ProblemError> {
  const { status } = response;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  const json: unknown = await response.json().catch(() => null);
  const read = problem.safeParse(json);
  if (!read.success)
    return new ProblemError({ status, code: 'UNKNOWN', title: `HTTP ${status}`, retryAfter });
  return new ProblemError({ ...read.data, status, retryAfter });
}
