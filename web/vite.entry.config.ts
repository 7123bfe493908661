import { defineConfig, type Plugin, runnerImport } from 'vite';
import { besideEachOther, mustChange, precompress, withoutServerParts } from './build-steps.ts';
import { applicationFiles } from './screen-preloads.ts';
import { textsOf } from './texts.ts';
import type * as maintenanceHtml from '#web/entry/maintenance-html.tsx';

const texts = { 'react-i18next': `${import.meta.dirname}/src/entry/translation.tsx` };

/**
 * The entry pages: sign-in, set-up, invitation, maintenance, unavailable, gateway. They use the components of the
 * application, on Preact instead of React, for a fraction of its size. This build adds to the output of
 * `vite.config.ts`.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [
    mustChange(withoutServerParts(), /\/features\//),
    textsOf(),
    applicationFiles(),
    prerender(texts),
    besideEachOther(),
    precompress(),
  ],
  resolve: {
    alias: [
      { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: 'react-dom/client', replacement: 'preact/compat/client' },
      { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
      { find: 'react-i18next', replacement: texts['react-i18next'] },
    ],
  },
  // The server replaces this by the nonce of each page (API-2).
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    manifest: 'manifest.entry.json',
    target: 'es2022',
    // Source maps next to the scripts, which do not name them: the server reads them to explain errors, serves none.
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The times of plugins are of no use to people who start Portico.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // Few files compress better than many small ones.
          groups: [{ name: sharedPart, debugName: 'entry pages', includeDependenciesRecursively: false }],
        },
      },
      input: [
        'sign-in.html',
        'set-up.html',
        'invitation.html',
        'maintenance.html',
        'unavailable.html',
        'gateway.html',
      ],
    },
  },
});

type Modules = { getModuleInfo(id: string): { importers: readonly string[] } | null };

/** Names the chunk of the sign-in page's static imports: those shared with the maintenance page, or the others. */
function sharedPart(id: string, modules: Modules): string | null {
  const importers = new Set([id]);
  for (const one of importers)
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) importers.add(importer);
  const isOf = (page: string) => importers.has(`${import.meta.dirname}/src/entry/${page}.tsx`);
  if (!isOf('sign-in') || id.endsWith('/src/entry/sign-in.tsx')) return null;
  return isOf('maintenance') ? 'pages' : 'sign-in-pages';
}

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
 * `unavailable.html` is made the same way, with the regions `refresh` (seconds until the page is requested again),
 * `again` (the address of that request; empty: its own address) and `reference` (the id of the request). So is
 * `gateway.html`, with a region for each message that it may show. `set-up.html` has a region `claimed` without a
 * text, which stays only once there is an operator. The other pages explain in a <noscript> what they need.
 */

type Rendered = typeof maintenanceHtml;

// Rendering needs no styles: they are built with the script of the page.
const withoutStyles: Plugin = {
  name: 'portico:without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-style' : null),
  load: (id) => (id === '\0no-style' ? '' : null),
};

/** @param alias the aliases with which the pages are built, except those that replace React by Preact */
function prerender(alias: Record<string, string>): Plugin {
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
