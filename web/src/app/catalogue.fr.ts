import type { Catalogue } from '../platform/i18n/i18n.ts';
import { mergeCatalogues } from '../platform/i18n/merge-catalogues.ts';

// The rest comes with the screens that use it (`catalogue.ts`).
const parts = import.meta.glob<Catalogue>(
  [
    './texts/fr.json',
    '../features/{feedback/recent,feedback/report,home,maintenance,maintenance/member,permissions}/texts/fr.json',
    '../features/*/first/texts/fr.json',
  ],
  { eager: true, import: 'default' },
);

export const catalogue = mergeCatalogues(Object.values(parts));
