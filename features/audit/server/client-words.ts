import { browserInWords } from '#contract/rules/browser-in-words.ts';

/** The program that made a request, with its version, and the system that it runs on; null where not named. */
export type ClientWords = { program: string; system: string | null };

// The first product of the header (RFC 9110, 10.1.5) with two parts of its version, such as `curl 8.5`.
// Unknown browsers are left out: all browsers begin with `Mozilla`.
const product =
  /^(?!Mozilla\b)([A-Za-z][\w.+-]{0,39})(?:\/v?(\d{1,6}(?:\.\d{1,6})?)[^\s;(]{0,60})?(?=[\s;(]|$)/;

/**
 * Program and system of a `User-Agent` header, at most 60 characters each. The header itself is not stored,
 * since it could identify people. Null if it names no program.
 */
export function clientWords(userAgent: string | undefined): ClientWords | null {
  if (userAgent === undefined) return null;
  const { browser, system } = browserInWords(userAgent);
  if (browser !== null) return { program: browser, system };
  const [, name, version] = product.exec(userAgent) ?? [];
  if (name === undefined) return null;
  return { program: version === undefined ? name : `${name} ${version}`, system };
}
