export const hostName = 'portico-embed';

/**
 * Adds the element that holds everything that is drawn. It is placed after `body`, outside the layout of the
 * application, and adds itself there again when the page replaces its own content.
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

/** Sets `--rem` to the text size chosen in the browser: the application may set another size on its own root. */
function followTextSize(root: HTMLElement): void {
  const probe = document.createElement('span');
  probe.style.cssText = 'all: initial; font-size: medium; position: fixed; visibility: hidden';
  root.append(probe);
  root.style.setProperty('--rem', getComputedStyle(probe).fontSize);
  probe.remove();
}

/*
 * Constructable style sheets, since an application's `style-src 'self'` would refuse `style` elements and
 * attributes. Each part of the script adds its own.
 */
const sheets: CSSStyleSheet[] = [];
let root: ShadowRoot | null = null;

/** Appends a style sheet; each part of the script calls this once for each style sheet that it uses. */
export function addSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.push(sheet);
  if (root !== null) root.adoptedStyleSheets = sheets;
  return sheet;
}

/** Applies all style sheets, present and future, in this shadow root. */
function styleShadow(shadow: ShadowRoot): void {
  root = shadow;
  root.adoptedStyleSheets = sheets;
}
