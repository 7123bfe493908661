/**
 * The query of an address in readable form: `?search=ann`, where the router's default is `?search=%22ann%22`.
 * Every value is text; empty ones are left out.
 */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** The inverse of `parseSearch`, with the leading `?` unless it is empty. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'number' || typeof value === 'boolean') params.set(key, String(value));
    else if (typeof value === 'string' && value !== '') params.set(key, value);
  }
  return params.size === 0 ? '' : `?${params}`;
}
