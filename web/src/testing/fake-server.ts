import { createApi, type ApiDependencies } from '../platform/calls/call.ts';
import type { SendCounted } from '../platform/calls/counted-request.ts';

/** A request as the server sees it. */
export type Received = {
  method: string;
  /** Path and query. */
  path: string;
  url: URL;
  headers: Headers;
  /** Parsed JSON, or the form data. */
  body: unknown;
  credentials: RequestCredentials | undefined;
  signal: AbortSignal | undefined;
};

export type Answer = Response | Error | Promise<Response>;

/** Replaces `fetch`: every request goes to `answer`; an Error is a network failure. */
export function createFakeServer(answer: (request: Received) => Answer) {
  const received: Received[] = [];
  let current = answer;
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, 'https://portico.test');
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    const request: Received = {
      method: init.method ?? 'GET',
      path: url.origin === 'https://portico.test' ? url.pathname + url.search : url.href,
      url,
      headers: new Headers(init.headers),
      body:
        typeof init.body === 'string'
          ? JSON.parse(init.body)
          : init.body instanceof FormData
            ? init.body
            : undefined,
      credentials: init.credentials,
      signal,
    };
    received.push(request);
    const given = current(request);
    if (given instanceof Error) throw given;
    if (signal === undefined) return given;
    return Promise.race([
      given,
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    ]);
  };
  /** Reports half of the body as sent before the request, and all of it after the answer. */
  const sendCounted: SendCounted = async (address, { onProgress, ...request }) => {
    const total = typeof request.body === 'string' ? request.body.length : filesOf(request.body);
    onProgress(Math.floor(total / 2), total);
    const response = await fetch(address, request);
    onProgress(total, total);
    return response;
  };
  return {
    fetch,
    sendCounted,
    received,
    /** Creates the API client of a signed-in person. */
    api: (others: Partial<ApiDependencies> = {}) =>
      createApi({
        fetch,
        bearer: { token: () => Promise.resolve('t'), renewed: () => Promise.resolve('t') },
        timeOffset: () => null,
        ...others,
      }),
    /** Returns the received calls in order, such as `POST /auth/token`. */
    calls: () => received.map(({ method, path }) => `${method} ${path}`),
    answerWith(next: (request: Received) => Answer) {
      current = next;
    },
  };
}

function filesOf(form: FormData): number {
  return [...form.values()].reduce((sum, one) => sum + (typeof one === 'string' ? one.length : one.size), 0);
}

export function json(body: unknown, init: ResponseInit = {}): Response {
  return Response.json(body, init);
}

export function nothing(): Response {
  return new Response(null, { status: 204 });
}

export function problemAnswer(status: number, code: string, more: Record<string, unknown> = {}): Response {
  return new Response(JSON.stringify({ type: 'about:blank', title: code, status, code, ...more }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

/** An answer that waits until the test releases it. */
export function later() {
  return Promise.withResolvers<Response>();
}
