import { styleShadow } from './sheets.ts';

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
