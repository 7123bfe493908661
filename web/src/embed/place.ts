/** Derives addresses from the address of the script: nothing else in the page knows Portico's prefix. */

/**
 * The address below which Portico lies, without a slash at its end.
 *
 * @param script the address of `portico.js`, or of a part of it
 */
export function baseOf(script: string): string {
  const { origin, pathname } = new URL(script);
  return origin + pathname.replace(/\/(?:assets\/[^/]*|[^/]*)$/, '');
}

/** Returns the tag that included the script and holds its options; null where another script imported it. */
export function tagOf(document: Document, base: string): HTMLScriptElement | null {
  return (
    [...document.scripts].find(
      ({ src }) => src !== '' && src.replace(/[?#].*/, '') === `${base}/portico.js`,
    ) ?? null
  );
}
