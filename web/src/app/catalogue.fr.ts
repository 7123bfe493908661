import { type Catalogue, mergeCatalogues } from '../platform/i18n/i18n.ts';

// The sign-in, set-up and invitation pages carry their own texts.
const parts = import.meta.glob<Catalogue>(
  ['./texts/fr.json', '../features/**/texts/fr.json', '!../features/identity-provider/**'],
  { eager: true, import: 'default' },
);

export const catalogue = mergeCatalogues(Object.values(parts));
