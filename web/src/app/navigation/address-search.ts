/**
 * The query of an address, as people would write it: `?search=ann`, where the router by itself writes `?search=%22ann%22`.
 * Every value is text; what is empty is left out.
 */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** The other way round, with the leading `?` where there is anything. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'number' || typeof value === 'boolean') params.set(key, String(value));
    else if (typeof value === 'string' && value !== '') params.set(key, value);
  }
  return params.size === 0 ? '' : `?${params}`;
}
