import { baseOf } from './place.ts';

/** The address below which Portico lies, from that of the script: the page is the application's, and does not say it. */
export const address = baseOf(import.meta.url);
/** Its path, such as `/portico`, or empty: before every address of Portico's own. */
export const base = new URL(address).pathname.replace(/\/$/, '');
