export const hostName = 'portico-embed';

/**
 * The element of the page that holds everything that is drawn. It stands behind `body`, where no layout of the application's
 * has a place for it, and returns there when a page replaces its own content.
 */
export function openSurface(document: Document, ...parts: readonly Element[]): HTMLElement {
  class Host extends HTMLElement {
    disconnectedCallback(): void {
      queueMicrotask(() => {
        if (!this.isConnected) document.documentElement.append(this);
      });
    }
  }
  customElements.define(hostName, Host);
  const host = document.createElement(hostName);
  const shadow = host.attachShadow({ mode: 'open' });
  styleShadow(shadow);
  const root = document.createElement('div');
  root.className = 'portico';
  root.append(...parts);
  shadow.append(root);
  document.documentElement.append(host);
  followTextSize(root);
  return root;
}

/** The application sets the size of its own root; ours follows what the person has chosen in the browser. */
function followTextSize(root: HTMLElement): void {
  const probe = document.createElement('span');
  probe.style.cssText = 'all: initial; font-size: medium; position: fixed; visibility: hidden';
  root.append(probe);
  root.style.setProperty('--rem', getComputedStyle(probe).fontSize);
  probe.remove();
}

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
function styleShadow(shadow: ShadowRoot): void {
  root = shadow;
  root.adoptedStyleSheets = sheets;
}
