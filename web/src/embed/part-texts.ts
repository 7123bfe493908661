import type { Catalogue } from '../platform/i18n/i18n.ts';
import { mergeCatalogues } from '../platform/i18n/merge-catalogues.ts';

/** The texts of each part of `portico.js`, by their keys in the web's catalogues; `*` stands for one level. */
export const embedTexts: Record<string, readonly string[]> = {
  first: ['SHELL.REPORT_BUG'],
  above: ['MAINTENANCE.BANNER', 'MAINTENANCE.RIBBON', 'MAINTENANCE.SAVE'],
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

/** Of all texts of the web in a language, those of a part. */
export function textsOfPart(all: Catalogue, part: string): Catalogue {
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
