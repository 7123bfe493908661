/**
 * The address as a link may have it, or null: only `http` and `https`, since the reporter wrote it and
 * `javascript:` in a link runs with the rights of the person who follows it.
 */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
