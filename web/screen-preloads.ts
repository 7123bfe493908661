import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Plugin } from 'vite';
import { screens } from './src/features.ts';
import { languages } from './src/platform/i18n/language.ts';

const root = `${import.meta.dirname}/..`;
const virtual = '\0virtual:';
const mark = '{/*screen-preloads*/}';

type Chunk = { fileName: string; imports: string[]; viteMetadata?: { importedCss: Set<string> } };

/**
 * Writes into the page which files each screen needs, so that a browser asks for them together with those of the page
 * instead of one step after another.
 */
export function screenPreloads(): Plugin {
  return {
    name: 'portico:screen-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = new Map<string, Chunk>();
        const byModule = new Map<string, Chunk>();
        for (const built of Object.values(bundle)) {
          if (built.type !== 'chunk') continue;
          chunks.set(built.fileName, built);
          const { facadeModuleId: id } = built;
          if (id !== null) byModule.set(id.startsWith(virtual) ? id : relative(root, id), built);
        }
        function filesOf(module: string): Set<string> {
          const chunk = byModule.get(module);
          if (chunk === undefined) throw new Error(`The build has no ${module}.`);
          const files = new Set([chunk.fileName]);
          for (const file of files) {
            const { imports = [], viteMetadata } = chunks.get(file) ?? {};
            for (const next of [...imports, ...(viteMetadata?.importedCss ?? [])]) files.add(next);
          }
          return files;
        }
        const first = filesOf('web/index.html');
        const beyond = (module: string, known: Set<string>) =>
          [...filesOf(module)].filter((file) => !known.has(file));
        // Each name is written once: the page is not compressed, since its nonce differs each time.
        const names: string[] = [];
        const placesOf = (files: string[]) =>
          files.map((file) => {
            const name = file.replace(/^assets\//, '');
            if (!names.includes(name)) names.push(name);
            return names.indexOf(name);
          });
        const shared = ['web/src/app/screens/lazy-screens.ts', `${virtual}late-texts`].flatMap((module) =>
          beyond(module, first),
        );
        const known = new Set([...first, ...shared]);
        const texts = Object.fromEntries(
          languages.map(({ language }) => [
            language,
            placesOf(beyond(`${virtual}texts/first/${language}`, first)),
          ]),
        );
        const own = Object.fromEntries(
          screens
            .filter(({ path }) => path !== '/')
            // The names of parameters do not matter: no two screens differ in them alone.
            .map(({ path, file }) => [
              path.replaceAll(/\$\w+/g, '*'),
              placesOf(beyond(`features/${file}.tsx`, known)),
            ]),
        );
        if (!html.includes(mark)) throw new Error('The page has no place for the files of its screens.');
        const value = JSON.stringify({ names, texts, shared: placesOf(shared), own });
        return html.replace(mark, () => value);
      },
    },
  };
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

/**
 * For the sign-in page: `virtual:application-files` names the files that every screen of the application needs. The
 * build of the application has just written them.
 */
export function applicationFiles(): Plugin {
  return {
    name: 'portico:application-files',
    resolveId: (id) => (id === 'virtual:application-files' ? `\0${id}` : undefined),
    load(id) {
      if (id !== '\0virtual:application-files') return undefined;
      const manifest = JSON.parse(
        readFileSync(`${import.meta.dirname}/dist/manifest.app.json`, 'utf8'),
      ) as Manifest;
      const chunkOf = (name: string) => {
        const chunk = manifest[name];
        if (chunk === undefined) throw new Error(`The build has no ${name}.`);
        return chunk;
      };
      const names = new Set(['index.html', 'src/app/screens/lazy-screens.ts']);
      for (const name of names) for (const next of chunkOf(name).imports ?? []) names.add(next);
      const files = new Set([...names].map(chunkOf).flatMap(({ file, css = [] }) => [file, ...css]));
      return `export default ${JSON.stringify([...files])}`;
    },
  };
}
