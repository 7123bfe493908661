import { defineConfig } from 'vite';
import { besideEachOther } from './beside-each-other.ts';
import { mustChange } from './must-change.ts';
import { precompress } from './precompress.ts';
import { applicationFiles } from './screen-preloads.ts';
import { prerender } from './prerender.ts';
import { textsOf } from './texts.ts';
import { withoutServerParts } from './without-server-parts.ts';

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
  // The server puts each page's own nonce in its place (API-2).
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    manifest: 'manifest.entry.json',
    target: 'es2022',
    // Next to the scripts, which do not name them: the server reads them to explain errors, and serves none.
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Which plugin took how long is of use to none who starts Portico.
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

/** Names the chunk of what the sign-in page imports statically: with the maintenance page, or without it. */
function sharedPart(id: string, modules: Modules): string | null {
  const importers = new Set([id]);
  for (const one of importers)
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) importers.add(importer);
  const isOf = (page: string) => importers.has(`${import.meta.dirname}/src/entry/${page}.tsx`);
  if (!isOf('sign-in') || id.endsWith('/src/entry/sign-in.tsx')) return null;
  return isOf('maintenance') ? 'pages' : 'sign-in-pages';
}
