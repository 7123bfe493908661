import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { textsOfPart } from './src/embed/part-texts.ts';
import type { Catalogue } from './src/platform/i18n/i18n.ts';
import { mergeCatalogues } from './src/platform/i18n/merge-catalogues.ts';

const prefix = 'virtual:portico-texts/';

/**
 * Resolves `virtual:portico-texts/<part>.<language>` to the texts of a part, so that nothing of them is written twice.
 *
 * @param folder the sources of the web
 */
export function embedTextsOf(folder: string): Plugin {
  return {
    name: 'portico:embed-texts',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const [part = '', language = ''] = id.slice(prefix.length + 1).split('.');
      const files = globSync(`**/texts/${language}.json`, { cwd: folder }).toSorted();
      const all = mergeCatalogues(
        files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Catalogue),
      );
      return `export default ${JSON.stringify(textsOfPart(all, part))}`;
    },
  };
}
