import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { besideEachOther, mustChange, precompress, pureSchemas, withoutServerParts } from './build-steps.ts';
import { screenPreloads } from './screen-preloads.ts';
import { withoutGrowthBookParts, withoutI18nextParts, withoutOtherLocales } from './without-parts.ts';
import { textsOf } from './texts.ts';

/** The build of the application. The entry pages have a build of their own: `vite.entry.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    mustChange(withoutServerParts(), /\/features\//),
    textsOf(),
    mustChange(withoutI18nextParts()),
    mustChange(withoutOtherLocales()),
    mustChange(pureSchemas(), /\/features\//),
    mustChange(withoutGrowthBookParts()),
    screenPreloads(),
    besideEachOther(),
    precompress(),
  ],
  resolve: {
    // The shim is for older versions of React; the present version needs none.
    alias: {
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      // The smaller parser of `portico.js`, since the page of each member loads it.
      'eventsource-parser': `${import.meta.dirname}/src/embed/small-event-parser.ts`,
    },
  },
  // Parts of Sentry's SDK that are not used.
  define: { __SENTRY_DEBUG__: 'false', __SENTRY_TRACING__: 'false' },
  // The server replaces this by the nonce of each page (API-2).
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.app.json',
    target: 'es2022',
    // Source maps next to the scripts, which do not name them: the server reads them to explain errors, serves none.
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The size before compression; the limits that count are in dev/sizes.ts.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // The times of plugins are of no use to people who start Portico.
      checks: { bundlerTimings: false },
      input: 'index.html',
      output: {
        codeSplitting: {
          // The modules of the home screen are one file, though other screens use parts of it: many small
          // ones would be larger.
          groups: [
            { name: firstPage, debugName: 'first page', includeDependenciesRecursively: false },
            { name: sharedPart, debugName: 'shared parts', includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});

type ModuleInfo = { importers: readonly string[]; dynamicImporters: readonly string[] };
type Modules = { getModuleInfo(id: string): ModuleInfo | null };

const isEntry = (id: string) => id.endsWith('/web/src/main.tsx');

/** Names the chunk of the modules that the page and its home screen import statically, directly or not. */
function firstPage(id: string, modules: Modules): string | null {
  return !isEntry(id) && [...importersOf(id, modules)].some(isEntry) ? 'first-page' : null;
}

/** What each page downloads after its first paint. */
const atRest = /\/(?:at-rest|home-late|send-faults)\.tsx?$/;

/** The first screen of an operator, and the badges in the navigation next to it. */
const landing = /\/(?:overview-screen|[\w-]+-badge)\.tsx$/;

/**
 * Names the chunk of the modules that several screens share, and of those that each page needs after its first
 * paint: a few files instead of hundreds, with one per capability for modules that only its own screens share. In
 * return a screen loads some kilobytes that it does not need.
 */
function sharedPart(id: string, modules: Modules): string | null {
  if (id.includes('virtual:')) return null;
  const users = [...importersOf(id, modules)].filter(
    (one) => (modules.getModuleInfo(one)?.dynamicImporters.length ?? 0) > 0,
  );
  if (users.length > 1 && users.some((one) => atRest.test(one))) return 'at-rest-parts';
  if (users.length < 3) return null;
  const [capability, ...others] = new Set(users.map(capabilityOf));
  if (capability !== undefined && others.length === 0) return `${capability}-parts`;
  return users.some((one) => landing.test(one)) ? 'screen-parts' : 'later-screen-parts';
}

const capabilityOf = (id: string) => /\/features\/([^/]+)\//.exec(id)?.[1];

/** The module itself, and all that import it statically, directly or not. */
function importersOf(id: string, modules: Modules): Set<string> {
  const importers = new Set([id]);
  for (const one of importers) {
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) importers.add(importer);
  }
  return importers;
}
