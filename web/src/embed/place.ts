/** Where things are, from where the script was loaded: Portico's prefix is known to no one else in the page. */

/**
 * The address below which Portico lies, without a slash at its end.
 *
 * @param script the address of `portico.js`, or of a part of it
 */
export function baseOf(script: string): string {
  const { origin, pathname } = new URL(script);
  return origin + pathname.replace(/\/(?:assets\/[^/]*|[^/]*)$/, '');
}

/** The tag that included the script: the one with its options, or none where a script imported it. */
export function tagOf(document: Document, base: string): HTMLScriptElement | null {
  return (
    [...document.scripts].find(
      ({ src }) => src !== '' && src.replace(/[?#].*/, '') === `${base}/portico.js`,
    ) ?? null
  );
}
