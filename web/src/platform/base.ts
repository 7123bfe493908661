/**
 * The path below which the installation is, as the server writes it into its pages: empty, or such as
 * `/portico`. Before every address of ours but the router's, and in every name that the origin shares.
 */
export const base =
  typeof document === 'undefined' ? '' : (document.documentElement.dataset['porticoBase'] ?? '');
