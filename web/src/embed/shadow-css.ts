/*
 * The web's style sheets are written for a page of its own. In the page of an application they stand in a shadow root, where
 * there is no `:root`: what belongs to the page belongs to one element there, `.portico`, which the application's own rules
 * cannot reach.
 */

/** The style sheet of a page as one for the shadow root. */
export function forShadow(css: string): string {
  return (
    css
      .replaceAll(/:root\b/g, '.portico')
      // An element with a scheme of its own, and the one that stands for the page.
      .replaceAll(/(^|[\s,{}])(html|body)(?=[\s,{])/g, '$1.portico')
      // A `rem` is the application's; this one is the size that the person has chosen in the browser.
      .replaceAll(/(?<![\w.#-])(-?(?:\d+\.)?\d+)rem\b/g, 'calc($1 * var(--rem))')
  );
}
