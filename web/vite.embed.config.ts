import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { dirname, join } from 'node:path';
import { lateIcons, mustChange, precompress, pureSchemas, withoutServerParts } from './build-steps.ts';
import { textsOf } from './texts.ts';
import { forShadow } from '#web/embed/shadow-css.ts';

const source = `${import.meta.dirname}/src`;

/** The modules that are not needed before the report dialog or the first notification is shown. */
const late = [
  /\/react-image-crop\//,
  /\/features\/feedback\/web\//,
  /\/src\/ui\/(?!button|icon|notice|spinner)/,
];

/**
 * The build of `portico.js` for the pages of other applications: the components of the web, on Preact and in a
 * shadow root. It adds to the output of `vite.config.ts`. All addresses are relative to the address of the script.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  base: './',
  plugins: [
    mustChange(withoutServerParts(), /\/features\//),
    mustChange(pureSchemas(), /\/features\//),
    twoReacts(`${source}/embed/small-react.ts`),
    ownBase(),
    lateIcons(`${source}/ui/icon-drawings.ts`),
    textsOf(),
    shadowStyles(`${source}/embed/surface.ts`),
    types(`${source}/embed`),
    precompress(),
  ],
  resolve: {
    alias: [
      // The base comes from the address of the script; in Portico's own pages the server writes it into the page.
      {
        find: /^(?:(?:\.\.?\/)+(?:platform\/)?|#web\/platform\/)base\.ts$/,
        replacement: `${source}/embed/base.ts`,
      },
      { find: 'eventsource-parser', replacement: `${source}/embed/small-event-parser.ts` },
      { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: 'react-i18next', replacement: `${source}/embed/draw-part.tsx` },
      { find: 'zod/mini', replacement: `${source}/embed/small-schemas.ts` },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    manifest: 'manifest.embed.json',
    target: 'es2022',
    // Source maps next to the scripts, which do not name them: the server reads them to explain errors, serves none.
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // The times of plugins are of no use to people who start Portico.
      checks: { bundlerTimings: false },
      input: { portico: `${source}/embed/entry.ts`, 'portico-react': `${source}/embed/react-hooks.ts` },
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        codeSplitting: {
          // The address in the tag never changes, so browsers request it again and again; the file that it imports
          // has a name that changes with its content.
          groups: [{ name: atOnce, debugName: 'at once', includeDependenciesRecursively: false }],
        },
      },
    },
  },
});

/** Early components get the few parts of Preact that they use; late components get all of `preact/compat`. */
function twoReacts(small: string): Plugin {
  const found = new Set<RegExp>();
  return {
    name: 'portico:two-reacts',
    enforce: 'pre',
    resolveId(id, importer = '') {
      if (id !== 'react') return undefined;
      // The React of the application itself.
      if (importer.endsWith('/react-hooks.ts')) return { id, external: true };
      const place = late.find((one) => one.test(importer));
      if (place === undefined) return small;
      found.add(place);
      return this.resolve('preact/compat', importer);
    },
    buildEnd(error) {
      const absent = late.find((place) => !found.has(place));
      if (absent !== undefined && error === undefined)
        this.error(`Nothing in ${absent.source} uses React: portico.js would carry it twice.`);
    },
  };
}

/** Fails the build if a module uses the base of the page, which belongs to the application. */
function ownBase(): Plugin {
  return {
    name: 'portico:own-base',
    load(id) {
      if (id.endsWith('/web/src/platform/base.ts'))
        this.error('portico.js takes the base from the page that it is in: look at the alias of base.ts.');
    },
  };
}

/** Copies the types of both scripts next to the scripts. */
function types(folder: string): Plugin {
  return {
    name: 'portico:types',
    generateBundle() {
      for (const fileName of ['portico.d.ts', 'portico-react.d.ts'])
        this.emitFile({ type: 'asset', fileName, source: readFileSync(`${folder}/${fileName}`, 'utf8') });
    },
  };
}

type Modules = { getModuleInfo(id: string): { importers: readonly string[] } | null };

const isEntry = (id: string) => id.endsWith('/web/src/embed/entry.ts');

/** Names the chunk of all modules that the entry imports statically, directly or not. */
function atOnce(id: string, modules: Modules): string | null {
  if (isEntry(id)) return null;
  const importers = new Set([id]);
  for (const one of importers) {
    if (isEntry(one)) return 'embed';
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) importers.add(importer);
  }
  return null;
}

const marker = '\0shadow:';

/**
 * Makes each style sheet that a module imports a constructable one of the shadow root, in the same part of the
 * script as the module: a `link` would be in the application's page and would change that page.
 *
 * @param sheets the module with `addSheet`
 */
function shadowStyles(sheets: string): Plugin {
  return {
    name: 'portico:shadow-styles',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith('.css')) return undefined;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found === null ? undefined : `${marker}${found.id}.js`;
    },
    load(id) {
      if (!id.startsWith(marker)) return undefined;
      const file = id.slice(marker.length, -'.js'.length);
      this.addWatchFile(file);
      const css = smaller(forShadow(withImports(file)));
      return `import { addSheet } from ${JSON.stringify(sheets)};addSheet(${JSON.stringify(css)});`;
    },
  };
}

/** Replaces each `@import` by its content, since a constructable style sheet cannot import others. */
function withImports(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/@import '([^']+)';/g, (_, other: string) =>
    withImports(join(dirname(file), other)),
  );
}

/** Removes comments and meaningless spaces. */
function smaller(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: (?=[^{}]*[;}])/g, ':')
    .replaceAll(';}', '}')
    .trim();
}
