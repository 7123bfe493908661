import { browserInWords } from '@portico/contract/rules/browser-in-words';

/** The program that made a request, with its version, and the system that it runs on; null where not named. */
export type ClientWords = { program: string; system: string | null };

// Its first product (RFC 9110, 10.1.5) with two parts of its version, such as `curl 8.5`. A browser that is not
// known begins with `Mozilla` like all of them, which says nothing.
const product =
  /^(?!Mozilla\b)([A-Za-z][\w.+-]{0,39})(?:\/v?(\d{1,6}(?:\.\d{1,6})?)[^\s;(]{0,60})?(?=[\s;(]|$)/;

/**
 * What a header `User-Agent` says of the client, in words: at most 60 characters each, never the header itself,
 * which could identify people. Null where it names no program.
 */
export function clientWords(userAgent: string | undefined): ClientWords | null {
  if (userAgent === undefined) return null;
  const { browser, system } = browserInWords(userAgent);
  if (browser !== null) return { program: browser, system };
  const [, name, version] = product.exec(userAgent) ?? [];
  if (name === undefined) return null;
  return { program: version === undefined ? name : `${name} ${version}`, system };
}
