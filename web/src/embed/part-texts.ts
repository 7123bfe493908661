import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { mergeCatalogues } from '../platform/i18n/merge-catalogues.ts';

/** The texts of each part of `portico.js`, by their keys in the web's catalogues; `*` stands for one level. */
export const embedTexts: Record<string, readonly string[]> = {
  first: ['SHELL.REPORT_BUG'],
  above: ['MAINTENANCE.BANNER', 'MAINTENANCE.RIBBON'],
  notices: [
    'COMMON.CLOSE',
    'COMMON.WARNINGS.PERMISSIONS_UPDATED',
    'PAGES.SIGNED_OUT',
    'RIGHTS.*.LABEL',
    'SHELL.NOTIFICATIONS',
  ],
  dialog: [
    'COMMON.CLOSE',
    'COMMON.CANCEL',
    'COMMON.ERRORS',
    'COMMON.LOADING',
    'COMMON.REQUIRED',
    'FEEDBACK',
    'RECORD',
  ],
};

const prefix = 'virtual:portico-texts/';

/** Resolves `portico-texts/<part>.<language>` to these texts, so that nothing of them is written twice. */
export function embedTextsOf(folder: string): Plugin {
  return {
    name: 'portico:embed-texts',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const [part = '', language = ''] = id.slice(prefix.length + 1).split('.');
      return `export default ${JSON.stringify(textsOfPart(folder, part, language))}`;
    },
  };
}

/** @param folder the sources of the web */
export function textsOfPart(folder: string, part: string, language: string): Catalogue {
  const files = globSync(`**/texts/${language}.json`, { cwd: folder }).toSorted();
  const all = mergeCatalogues(
    files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Catalogue),
  );
  return mergeCatalogues((embedTexts[part] ?? []).map((key) => pick(all, key.split('.'), key)));
}

function pick(from: Catalogue, [first = '', ...rest]: string[], whole: string): Catalogue {
  const names = first === '*' ? Object.keys(from) : [first];
  return Object.fromEntries(
    names.map((name) => {
      const found = from[name];
      if (found === undefined) throw new Error(`No catalogue of the web has ${whole}.`);
      if (rest.length === 0) return [name, found];
      if (typeof found === 'string') throw new Error(`${whole} is no text.`);
      return [name, pick(found, rest, whole)];
    }),
  );
}
