/*
 * The style sheets of the web are written for Portico's own pages. In the page of an application they are in a
 * shadow root, which has no `:root`: rules for the page apply to the element `.portico` there, which the rules of
 * the application cannot reach.
 */

/** Converts the style sheet of a page into one for the shadow root. */
export function forShadow(css: string): string {
  return (
    css
      .replaceAll(/:root\b/g, '.portico')
      // An element with a scheme of its own, and the one that stands for the page.
      .replaceAll(/(^|[\s,{}])(html|body)(?=[\s,{])/g, '$1.portico')
      // `rem` follows the application's root; `--rem` is the text size that the person has chosen in the browser.
      .replaceAll(/(?<![\w.#-])(-?(?:\d+\.)?\d+)rem\b/g, 'calc($1 * var(--rem))')
  );
}
