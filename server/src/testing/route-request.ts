import { sessionHeader } from '#features/session/contract/session.ts';
import type { Route } from '#contract/route.ts';
import { sampleOf } from './bad-values.ts';
import { fetchWith, pathOf, type CookieJar } from './client.ts';

export type RouteAnswer = {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown> | null;
  code: string | null;
};

export type RouteRequest = {
  params?: Record<string, string>;
  /** As it stands after the `?`. */
  query?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead. */
  raw?: string | Buffer<ArrayBuffer>;
  contentType?: string;
  headers?: Record<string, string>;
  accessToken?: string | undefined;
  cookies?: CookieJar | undefined;
};

/** Ids that fit every schema and that nothing has. */
const nobodys: Record<string, string> = {
  personId: 'nobody',
  userId: 'nobody',
  fileId: 'no-file',
  flagKey: 'no-flag',
  segmentId: 'grp_none',
  uid: 'no-sign-in',
  clientKey: 'no-key',
  project: '999',
  projectId: '999',
  right: 'NOT_THERE',
  role: 'no-role',
  mappingId: 'no-mapping',
  effect: 'neither',
};

/** Path parameters of a route that are well formed and name nothing, or what the caller gives. */
export function paramsFor(route: Route, given: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
      name,
      given[name] ?? nobodys[name] ?? 'nothing',
    ]),
  );
}

/** A body that the contract accepts, or undefined where it declares none. */
export function bodyFor(route: Route): unknown {
  return route.body === undefined ? undefined : sampleOf(route.body);
}

/** A form that the contract accepts, as its bytes. */
export function formFor({ field }: NonNullable<Route['form']>): { raw: string; contentType: string } {
  const head = `Content-Disposition: form-data; name="${field}"; filename="a.txt"\r\nContent-Type: text/plain`;
  return {
    raw: `--sample\r\n${head}\r\n\r\na text\r\n--sample--\r\n`,
    contentType: 'multipart/form-data; boundary=sample',
  };
}

/** Calls a route over a real socket, with anything; a form that is left out is a good one. */
export async function request(baseUrl: string, route: Route, given: RouteRequest = {}): Promise<RouteAnswer> {
  const { form, method } = route;
  const needsForm =
    form !== undefined && method === 'POST' && given.raw === undefined && given.body === undefined;
  const options = needsForm ? { ...given, ...formFor(form) } : given;
  const raw = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const path = route.path === '/*' ? '/a-screen' : pathOf(route, paramsFor(route, options.params));
  const headers = {
    ...(raw === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
    ...(options.accessToken === undefined ? {} : { authorization: `Bearer ${options.accessToken}` }),
    ...(route.access === 'session' ? { [sessionHeader]: '1' } : {}),
    ...options.headers,
  };
  const init = { method: route.method, headers, ...(raw === undefined ? {} : { body: raw }) };
  const url = new URL(`${baseUrl}${path}${options.query === undefined ? '' : `?${options.query}`}`);
  const response = await fetchWith(options.cookies, url, init);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isStream) await response.body?.cancel();
  const text = isStream ? '' : await response.text();
  const json =
    /json/.test(response.headers.get('content-type') ?? '') && text !== ''
      ? (JSON.parse(text) as Record<string, unknown>)
      : null;
  const code = json === null || Array.isArray(json) || typeof json['code'] !== 'string' ? null : json['code'];
  return { status: response.status, headers: response.headers, text, json, code };
}
