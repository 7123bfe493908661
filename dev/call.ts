import type { AnswerOf } from '#contract/route.ts';
import type { ClientKeyKind, listClientKeys } from '#features/flags/contract/flags.ts';

/** Calls Portico's HTTP interface, with a token or another bearer. Throws where no answer arrives. */
export async function ask(
  url: string,
  bearer: string | undefined,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.includes('json') === true;
  return { status, headers, body: (isJson ? JSON.parse(text) : { text }) as Record<string, unknown> };
}

/** As `ask`, for calls that must succeed: throws an error with the answer otherwise. */
export async function call<T>(...asked: Parameters<typeof ask>): Promise<T> {
  const { status, headers, body } = await ask(...asked);
  if (status === 429) {
    await new Promise((over) => setTimeout(over, Number(headers.get('retry-after')) * 1000));
    return call(...asked);
  }
  const [, , method, path] = asked;
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body as T;
}

/** The client key of a kind, with which SDKs ask for flags. */
export async function clientKey(url: string, bearer: string, kind: ClientKeyKind): Promise<string> {
  const { clientKeys } = await call<AnswerOf<typeof listClientKeys>>(url, bearer, 'GET', '/v1/client-keys');
  return clientKeys.find((one) => one.kind === kind)?.key ?? '';
}
