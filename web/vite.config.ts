import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { besideEachOther } from './beside-each-other.ts';
import { mustChange } from './must-change.ts';
import { precompress } from './precompress.ts';
import { pureSchemas } from './pure-schemas.ts';
import { screenPreloads } from './screen-preloads.ts';
import { withoutExperiments, withoutI18nextParts, withoutOtherLocales } from './without-parts.ts';
import { textsOf } from './texts.ts';
import { withoutServerParts } from './without-server-parts.ts';

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
    mustChange(withoutExperiments()),
    screenPreloads(),
    besideEachOther(),
    precompress(),
  ],
  resolve: {
    // React itself has what the shim adds to its older versions.
    alias: {
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      // As in `portico.js`: each member's page loads it.
      'eventsource-parser': `${import.meta.dirname}/src/embed/small-event-parser.ts`,
    },
  },
  // Parts of Sentry's SDK that are not used.
  define: { __SENTRY_DEBUG__: 'false', __SENTRY_TRACING__: 'false' },
  // The server puts each page's own nonce in its place (API-2).
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.app.json',
    target: 'es2022',
    // Next to the scripts, which do not name them: the server reads them to explain errors, and serves none.
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Before compression; what counts is in dev/sizes.ts.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // Which plugin took how long is of use to none who starts Portico.
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

/** An operator's first screen, and what stands in the navigation next to it. */
const landing = /\/(?:overview-screen|[\w-]+-badge)\.tsx$/;

/**
 * Names the chunk of the modules that several screens share, and of those that each page needs after its first paint:
 * a few files in place of hundreds, one of each capability for what only its own screens share. A screen loads some
 * kilobytes that it does not need.
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
