/**
 * The address as a link may have it, or null: only `http` and `https`, since a report's address is what somebody wrote and
 * `javascript:` in a link runs with the rights of whoever follows it.
 */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
