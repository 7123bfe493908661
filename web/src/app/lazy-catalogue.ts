import type { Catalogue } from '../platform/i18n/i18n.ts';
import { mergeCatalogues } from '../platform/i18n/merge-catalogues.ts';
import type { Language } from '../platform/i18n/language.ts';

const files = import.meta.glob<Catalogue>(
  [
    '../features/**/texts/*.json',
    './palette/texts/*.json',
    '!../features/{feedback/recent,feedback/report,home,maintenance,maintenance/member,permissions}/texts/*',
    '!../features/*/first/texts/*',
    '!../features/identity-provider/{texts,one-time-link/texts}/*',
  ],
  { import: 'default' },
);

/**
 * The texts of one folder in one language; with those of the audit come the words that other features have
 * there.
 */
export async function loadPart(part: string, language: Language): Promise<Catalogue> {
  const ending = `/texts/${language}.json`;
  const folder = part.startsWith('app/') ? part.replace('app', '.') : `../features/${part}`;
  const wanted = Object.entries(files).filter(
    ([file]) => file === `${folder}${ending}` || (part === 'audit' && file.endsWith(`/in-audit${ending}`)),
  );
  if (wanted.length === 0) throw new Error(`There are no texts in ${folder}/texts.`);
  return mergeCatalogues(await Promise.all(wanted.map(([, load]) => load())));
}
