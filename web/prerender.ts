import { runnerImport, type Plugin } from 'vite';
import { textsOf } from './texts.ts';
import type * as maintenanceHtml from './src/entry/maintenance-html.tsx';

/*
 * The maintenance page is readable before any script runs, and without one. It is rendered here once per
 * language, so that the server only fills text into it (`server/src/platform/http/page.ts`).
 * `maintenance.html` becomes `maintenance.en.html`, `maintenance.de.html` and `maintenance.fr.html`, each
 * with two regions:
 *
 *   <!--notice-->… __NOTICE__ …<!--/notice-->                        the notice as escaped text
 *   <!--expected-end-->… __EXPECTED_END__ …<!--/expected-end-->      the expected end in UTC, as in “21 Nov 2026, 21:30”
 *
 * The server replaces the name in capitals by a text, or removes the whole region where there is none.
 * `unavailable.html` is made the same way, with the regions `refresh` (seconds until it is asked for again),
 * `again` (where that leads; empty: its own address) and `reference` (the id of the request), and `gateway.html`, with a
 * region for each thing that it may say. `set-up.html`
 * has a region `claimed` without a text, which stays only once there is an operator. The other pages explain
 * in a <noscript> what they need.
 */

type Rendered = typeof maintenanceHtml;

// A page is rendered the same with and without its styles, which are built with its script.
const withoutStyles: Plugin = {
  name: 'portico:without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-style' : null),
  load: (id) => (id === '\0no-style' ? '' : null),
};

/** @param alias as the pages themselves are built with, without what makes React Preact */
export function prerender(alias: Record<string, string>): Plugin {
  let rendered: Promise<Rendered> | undefined;

  const render = () =>
    (rendered ??= runnerImport<Rendered>('/src/entry/maintenance-html.tsx', {
      root: import.meta.dirname,
      configFile: false,
      mode: 'production',
      logLevel: 'error',
      resolve: { alias },
      plugins: [withoutStyles, textsOf()],
      oxc: { jsx: { runtime: 'automatic', development: false } },
    }).then(({ module }) => module));

  return {
    name: 'portico:prerender',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      rendered = undefined;
    },
    async transformIndexHtml(html) {
      if (!html.includes('__NO_SCRIPT__')) return html;
      return html.replace('__NO_SCRIPT__', (await render()).noScriptHtml());
    },
    async generateBundle(_options, bundle) {
      const { gatewayPages, maintenancePages, unavailablePages } = await render();
      for (const [name, rendered] of [
        ['maintenance', maintenancePages()],
        ['unavailable', unavailablePages()],
        ['gateway', gatewayPages()],
      ] as const) {
        const page = bundle[`${name}.html`];
        if (page?.type !== 'asset') throw new Error(`The page ${name} was not built.`);
        delete bundle[page.fileName];
        for (const { language, title, body } of rendered) {
          const source = String(page.source)
            .replace('__TITLE__', () => title)
            .replace('__BODY_HTML__', () => body);
          this.emitFile({ type: 'asset', fileName: `${name}.${language}.html`, source });
        }
      }
    },
  };
}
