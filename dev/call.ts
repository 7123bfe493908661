/** An answer of Portico's HTTP interface. A body that is not JSON is in `body.text`. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

/** Calls Portico's HTTP interface, with a token or another bearer. Throws where no answer arrives. */
export async function ask(
  url: string,
  bearer: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
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
  return { status, headers, body: isJson ? (JSON.parse(text) as Answer['body']) : { text } };
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
