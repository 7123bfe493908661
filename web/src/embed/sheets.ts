/*
 * Constructable style sheets: neither a `style` element nor an attribute, which an application's `style-src 'self'` would
 * refuse. Each part of the script brings its own.
 */
const sheets: CSSStyleSheet[] = [];
let root: ShadowRoot | null = null;

/** Adds a style sheet behind those that are there; called once for each by the parts that use it. */
export function addSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.push(sheet);
  if (root !== null) root.adoptedStyleSheets = sheets;
  return sheet;
}

/** From now on all of them apply in this shadow root. */
export function styleShadow(shadow: ShadowRoot): void {
  root = shadow;
  root.adoptedStyleSheets = sheets;
}
