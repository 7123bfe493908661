import type { Catalogue } from '../platform/i18n/i18n.ts';
import type { Language } from '../platform/i18n/language.ts';
import type { LatePart } from './catalogue.ts';

const files = import.meta.glob<Catalogue>(
  [
    '../features/**/texts/*.json',
    '!../features/{feedback/recent,feedback/report,home,maintenance,maintenance/member,permissions}/texts/*',
    '!../features/identity-provider/**',
  ],
  { import: 'default' },
);

/** The texts of one such folder, in one language. */
export async function loadPart(part: LatePart, language: Language): Promise<Catalogue> {
  const file = files[`../features/${part}/texts/${language}.json`];
  if (file === undefined) throw new Error(`There are no texts of ${part}.`);
  return file();
}
