/**
 * The path below which the installation is, as the server writes it into its pages: empty, or such as `/portico`.
 * Every address except the router's begins with it; every name that the whole origin shares contains it.
 */
export const base =
  typeof document === 'undefined' ? '' : (document.documentElement.dataset['porticoBase'] ?? '');
