import { problem, type Problem } from '#contract/problem.ts';
import type { AnswerOf, CallOf, Route } from '#contract/route.ts';

/** The response. Reading `body` of anything but a good answer throws, with the server's text. */
export type Answer<R extends Route> = {
  status: number;
  headers: Headers;
  text: string;
  readonly body: AnswerOf<R>;
  /** The problem of a bad answer, or null. */
  problem: Problem | null;
};

export type ClientOptions = {
  /** Sent as `Authorization: Bearer`. */
  accessToken?: string;
  cookies?: CookieJar;
  headers?: Record<string, string>;
};

/** Calls a declared route over a real socket, with the input that the contract declares. */
export async function callRoute<const R extends Route>(
  baseUrl: string,
  route: R,
  call: CallOf<R>,
  options: ClientOptions = {},
): Promise<Answer<R>> {
  const { params, query, body } = call as {
    params?: Record<string, unknown>;
    query?: Record<string, string | number | boolean | undefined>;
    body?: unknown;
  };
  const url = new URL(`${baseUrl}${pathOf(route, params)}`);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = {
    ...(options.accessToken === undefined ? {} : { authorization: `Bearer ${options.accessToken}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    // What no form of another site can send, as the web sends it (SES-2).
    ...(route.access === 'session' ? { 'x-portico': '1' } : {}),
    ...options.headers,
  };
  const init = {
    method: route.method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await fetchWith(options.cookies, url, init);
  return answerOf(route, response);
}

/** `/v1/people/:personId` with its parameters filled in. */
export function pathOf(route: Route, params: Record<string, unknown> = {}): string {
  return route.path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
}

/** One request with the jar's cookies; redirects are answered, not followed. */
export async function fetchWith(
  cookies: CookieJar | undefined,
  url: URL,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  const cookieHeader = cookies?.header(url.pathname);
  if (cookieHeader !== undefined && cookieHeader !== '') headers.set('cookie', cookieHeader);
  const response = await fetch(url, { ...init, headers, redirect: 'manual' });
  cookies?.take(response, url.pathname);
  return response;
}

async function answerOf<R extends Route>(route: R, response: Response): Promise<Answer<R>> {
  const text = await response.text();
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body() {
      if (!response.ok)
        throw new Error(`${route.method} ${response.url} answered ${response.status}: ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<R>;
    },
    problem: isProblem ? problem.parse(JSON.parse(text)) : null,
  };
}

export type CookieJar = {
  /** The `Cookie` header for a path. */
  header(path: string): string;
  /** Stores what an answer sets, forgets what it expires. */
  take(response: Response, requestPath: string): void;
  /** The value of a cookie whose name fits, or null. */
  find(name: RegExp): string | null;
  /** A jar with the same cookies, which then lives on its own. */
  copy(): CookieJar;
};

/** What a browser stores for one host, as far as this server uses it: names, paths, expiry (RFC 6265). */
export function createCookieJar(content: readonly Cookie[] = []): CookieJar {
  const cookies = new Map(content.map((cookie) => [`${cookie.name} ${cookie.path}`, cookie]));
  return {
    header: (path) =>
      [...cookies.values()]
        .filter(
          (cookie) =>
            path === cookie.path ||
            path.startsWith(cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`),
        )
        .map((cookie) => `${cookie.name}=${cookie.value}`)
        .join('; '),
    take(response, requestPath) {
      for (const line of response.headers.getSetCookie()) {
        const { expired, ...cookie } = parse(line, requestPath);
        if (expired) cookies.delete(`${cookie.name} ${cookie.path}`);
        else cookies.set(`${cookie.name} ${cookie.path}`, cookie);
      }
    },
    find: (name) => [...cookies.values()].find((cookie) => name.test(cookie.name))?.value ?? null,
    copy: () => createCookieJar([...cookies.values()]),
  };
}

type Cookie = { name: string; value: string; path: string };

function parse(line: string, requestPath: string): Cookie & { expired: boolean } {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const equals = pair.indexOf('=');
  const attributes = new Map(
    rest.map((part) => {
      const [key = '', value = ''] = part.split('=', 2);
      return [key.toLowerCase(), value];
    }),
  );
  const maxAge = attributes.get('max-age');
  const expires = attributes.get('expires');
  return {
    name: pair.slice(0, equals),
    value: pair.slice(equals + 1),
    path: attributes.get('path') ?? (requestPath.slice(0, requestPath.lastIndexOf('/')) || '/'),
    expired:
      maxAge === undefined
        ? expires !== undefined && Date.parse(expires) < 1_000_000_000_000
        : Number(maxAge) <= 0,
  };
}
